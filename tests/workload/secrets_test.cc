#include "workctl/workload/secrets.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "workctl/workload/workload.h"

namespace workctl {
namespace {

bool is_clean(const char* text) {
  const auto value = parse_json(text, "value");
  REQUIRE(value);
  const auto checked = reject_secrets(*value, "input");
  if (!checked) CHECK(checked.error().code == errc::kSecretRejected);
  return checked.has_value();
}

TEST_CASE("secrets: members of the five names are refused at any depth, whatever they hold") {
  for (const char* text :
       {R"({"password":1})", R"({"Secret":null})", R"({"TOKEN":{}})", R"([{"api_key":""}])",
        R"({"a":[1,{"b":{"Private_Key":[]}}]})", R"({"input":{"pAsSwOrD":false}})"})
    CHECK_FALSE(is_clean(text));
}

TEST_CASE("secrets: other names are left alone, however near") {
  for (const char* text : {R"({"passwords":1})", R"({"access_token":"x"})", R"({"apikey":"x"})",
                           R"({"api-key":"x"})", R"({"token ":"x"})", R"({"password_hash":"x"})",
                           R"({"sk-name":1})", "{\"to\u212aen\":1}", R"(["password","token"])"})
    CHECK(is_clean(text));
}

TEST_CASE("secrets: strings that look like keys are refused at any depth") {
  for (const char* text : {R"("sk-")", R"(["sk-live"])", R"({"a":{"b":"fdb_live_1"}})",
                           R"("-----BEGIN PRIVATE KEY-----")", R"(["x BEGIN PRIVATE KEY y"])"})
    CHECK_FALSE(is_clean(text));
}

TEST_CASE("secrets: strings are taken as they are written") {
  for (const char* text :
       {R"(" sk-1")", R"("SK-1")", R"("my fdb_live_x")", R"("FDB_LIVE_1")",
        R"("begin private key")", R"("BEGIN RSA PRIVATE KEY")", R"("secret://vault/x")", "17"})
    CHECK(is_clean(text));
}

TEST_CASE("secrets: a refusal names the place and not what stands there") {
  const auto checked =
      reject_secrets({{"list", Json::array({1, {{"name", "sk-hidden"}}})}}, "output");
  REQUIRE_FALSE(checked);
  CHECK(checked.error().message == "output.list[1].name looks like a secret");
  const auto named = reject_secrets({{"Pass\nword", {{"password", "hidden"}}}}, "input");
  REQUIRE_FALSE(named);
  CHECK(named.error().message == "input.Pass\\x0aword.password looks like a secret");
}

TEST_CASE("secrets: an error text is looked at like any string") {
  CHECK_FALSE(reject_secret_text("sk-1", "error text"));
  CHECK_FALSE(reject_secret_text("got BEGIN PRIVATE KEY", "error text"));
  CHECK(reject_secret_text("password is wrong", "error text"));
}

}  // namespace
}  // namespace workctl
