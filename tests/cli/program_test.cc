#include "cli/program.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "captured_process.h"
#include "cli/context.h"
#include "support/temporary_directory.h"

namespace workctl::cli {

namespace {

/// A store in a directory of its own, and commands on it.
class Shop {
 public:
  Shop() { REQUIRE(run("init") == 0); }

  /// Runs `workctl WORDS`; its exit status. `output` and `error` have what it printed.
  int run(const std::string& words) {
    CapturedProcess process = run_workctl(directory_.path(), words);
    const int status = process.wait();
    output = process.output;
    error = process.error;
    return status;
  }

  std::string create(const std::string& options) {
    REQUIRE(run("create --definition d -o id " + options) == 0);
    return output.substr(0, output.size() - 1);
  }

  void write(const std::string& name, const std::string& content) {
    std::ofstream(directory_ / name) << content;
  }

  std::string path() const { return directory_.path(); }

  std::string output;
  std::string error;

 private:
  TemporaryDirectory directory_;
};

}  // namespace

TEST_CASE("program: help and version need no store and no command") {
  TemporaryDirectory directory;
  for (const char* words : {"--help", "--version", "claim --help", "help", "help claim"}) {
    CapturedProcess process = run_workctl(directory.path(), words);
    CHECK(process.wait() == 0);
    CHECK(process.error.empty());
    CHECK(process.output.starts_with("workctl"));
  }
}

TEST_CASE("program: without a store every command says how to make one") {
  TemporaryDirectory directory;
  CapturedProcess process = run_workctl(directory.path(), "claim --next");
  CHECK(process.wait() == 3);
  CHECK(process.error.find("hint: make one with `workctl init`") != std::string::npos);
}

TEST_CASE("program: arguments are looked at before the store") {
  TemporaryDirectory directory;
  CapturedProcess process = run_workctl(directory.path(), "claim -o json");
  CHECK(process.wait() == 2);
  const Json error = Json::parse(process.error).at("error");
  CHECK(error.at("code") == "INVALID_INPUT");
  CHECK(error.at("message") == "give the ID of a workload, or --next, and not both");
}

TEST_CASE("program: claim --next goes past work that has no attempts left") {
  Shop shop;
  const std::string good = shop.create("--key good");
  shop.write("legacy.json", R"({"workloads":{}})");
  // Only a document of an older release is READY with no attempts left.
  REQUIRE(shop.run("show " + good + " -o jsonl") == 0);
  Json worn = Json::parse(shop.output);
  worn.erase("__version");
  worn["workload_id"] = "worn";
  worn["idempotency_key"] = "worn";
  worn["priority"] = 9;
  worn["attempt_count"] = 3;
  const Json legacy = {{"workloads", {{"worn", worn}}},
                       {"idempotency", {{"default:default:worn", "worn"}}},
                       {"event_sequence", 1}};
  shop.write("legacy.json", legacy.dump());
  REQUIRE_MESSAGE(shop.run("migrate legacy.json") == 0, shop.error);
  REQUIRE(shop.run("claim --next -o id") == 0);
  CHECK(shop.output == good + "\n");
  CHECK(shop.error.find("passed over: ") != std::string::npos);
  REQUIRE(shop.run("show worn -o jsonl") == 0);
  CHECK(Json::parse(shop.output).at("state") == "DEAD_LETTER");
}

TEST_CASE("program: create --from takes members that options override") {
  Shop shop;
  shop.write("request.json",
             R"({"definition_id":"a","input":1,"priority":3,"retry_policy":{"max_attempts":7,)"
             R"("initial_delay_ms":5,"max_delay_ms":6,"backoff":"fixed"}})");
  REQUIRE_MESSAGE(shop.run("create --from request.json --definition b --max-attempts 8 -o id") == 0,
                  shop.error);
  REQUIRE(shop.run("show " + shop.output + " -o jsonl") == 0);
  const Json document = Json::parse(shop.output);
  CHECK(document.at("definition_id") == "b");
  CHECK(document.at("input") == 1);
  CHECK(document.at("priority") == 3);
  CHECK(document.at("retry_policy") == Json({{"max_attempts", 8},
                                             {"initial_delay_ms", 5},
                                             {"max_delay_ms", 6},
                                             {"backoff", "fixed"},
                                             {"retry_on", Json::array()}}));
}

TEST_CASE("program: an option of the retry policy leaves the rest of it as usual") {
  Shop shop;
  const auto policy = [&](const std::string& options) {
    REQUIRE(shop.run("show " + shop.create(options) + " -o jsonl") == 0);
    return Json::parse(shop.output).at("retry_policy");
  };
  Json usual = policy("");
  usual["max_attempts"] = 5;
  CHECK(policy("--max-attempts 5") == usual);
}

TEST_CASE("program: unknown members of a request are typing errors") {
  Shop shop;
  shop.write("request.json", R"({"definition_id":"a","piority":3})");
  CHECK(shop.run("create --from request.json") == 2);
  CHECK(shop.error ==
        "workctl: create: --from: a request has no member piority\nhint: did you mean priority?\n");
}

TEST_CASE("program: create --batch answers good lines and names bad ones") {
  Shop shop;
  shop.write("requests.jsonl",
             "{\"definition_id\":\"a\",\"idempotency_key\":\"1\"}\n"
             "{\"definition_id\":}\n\n"
             "{\"definition_id\":\"a\",\"idempotency_key\":\"1\"}\n"
             "{\"definition_id\":\"b\",\"idempotency_key\":\"1\"}\n"
             "[]\n");
  CHECK(shop.run("create --batch requests.jsonl") == 2);
  CHECK(shop.output.ends_with("1 created, 1 there already, 3 refused\n"));
  CHECK(shop.error.find("workctl: create: line 2: column 18: ") != std::string::npos);
  CHECK(shop.error.find("workctl: create: line 5: ") != std::string::npos);
  CHECK(shop.error.find("workctl: create: line 6: a request must be a JSON object") !=
        std::string::npos);
}

TEST_CASE("program: create --batch --atomic creates nothing where one is refused") {
  Shop shop;
  shop.write("requests.jsonl", "{\"definition_id\":\"a\"}\n{\"definition_id\":7}\n");
  CHECK(shop.run("create --batch requests.jsonl --atomic -o jsonl") == 2);
  CHECK(shop.output.find(R"("code":"NOT_COMMITTED")") != std::string::npos);
  CHECK(shop.run("list -o id") == 0);
  CHECK(shop.output.empty());
  shop.write("requests.jsonl", "{\"definition_id\":\"a\"}\n{\"definition_id\":\"b\"}\n");
  CHECK(shop.run("create --batch requests.jsonl --atomic -o id") == 0);
  const std::string ids = shop.output;
  CHECK(shop.run("list -o id") == 0);
  CHECK(shop.output.size() == ids.size());
}

TEST_CASE("program: batch answers an operation before it waits for the next") {
  Shop shop;
  const std::string id = shop.create("");
  CapturedProcess process = run_workctl(shop.path(), "batch --sync-every 100");
  process.write(R"({"op":"cancel","args":{"id":")" + id +
                R"(","actor":"me","now":5}})"
                "\n");
  CHECK(process.read_line() == R"({"ok":"CANCELLED"})");
  // While it waits the lock is free.
  CHECK(shop.run("create --definition d --lock-timeout 0 -o id") == 0);
  process.write(
      "{\"op\":\"can_transition\",\"args\":{\"from\":\"READY\",\"to\":\"CLAIMED\"}}\nnot JSON\n");
  CHECK(process.read_line() == R"({"ok":true})");
  CHECK(process.read_line().starts_with(
      R"({"error":{"code":"WORKLOAD_INVALID","message":"line 3: )"));
  CHECK(process.wait() == 2);
}

TEST_CASE("program: batch --atomic does all or nothing") {
  Shop shop;
  const std::string id = shop.create("");
  const std::string cancel =
      R"({"op":"cancel","args":{"id":")" + id + R"(","actor":"me","now":5}})";
  const std::string timeout =
      R"({"op":"timeout","args":{"id":")" + id + R"(","actor":"me","now":5}})";
  shop.write("operations.jsonl", cancel + "\n" + timeout + "\n" + cancel + "\n");
  CHECK(shop.run("batch --atomic operations.jsonl") == 5);
  CHECK(shop.output.find("not committed: line 2 failed") != std::string::npos);
  CHECK(shop.output.find(R"("code":"WORKLOAD_TRANSITION_DENIED")") != std::string::npos);
  REQUIRE(shop.run("show " + id + " -o jsonl") == 0);
  CHECK(Json::parse(shop.output).at("state") == "READY");
}

TEST_CASE("program: the clock behind the last commit is said once") {
  Shop shop;
  shop.create("--now 2027-01-15T08:00:00Z");
  CHECK(shop.run("create --definition d --now 2027-01-15T07:59:00Z -o id") == 0);
  CHECK(shop.error.empty());
  CHECK(shop.run("create --definition d --now 2027-01-15T07:57:59Z -o id") == 0);
  CHECK(
      shop.error.find("note: the clock says 2027-01-15T07:57:59Z, 1m1s before the last commit ") !=
      std::string::npos);
  CHECK(shop.run("create --definition d --now 2027-01-15T07:00:00Z -o id -q") == 0);
  CHECK(shop.error.empty());
}

TEST_CASE("program: the store's usual place") {
  CHECK(default_store_path("/state", "/home/ada").value() == "/state/workctl");
  CHECK(default_store_path("relative", "/home/ada").value() == "/home/ada/.local/state/workctl");
  CHECK(default_store_path(nullptr, "/home/ada").value() == "/home/ada/.local/state/workctl");
  CHECK_FALSE(default_store_path(nullptr, nullptr).has_value());
  CHECK_FALSE(default_store_path("", "").has_value());
}

}  // namespace workctl::cli
