#include "workctl/workload/operation_request.h"

#include <doctest/doctest.h>

#include "workload/bench.h"

namespace workctl {
namespace {

OperationOutcome run(Bench& bench, const Json& line) {
  auto request = OperationRequest::from_json(line);
  if (!request) return {std::unexpected(request.error()), {}};
  return std::move(*request).run(
      {.authority = bench.authority, .view = bench.session, .session = &bench.session, .now = 700});
}

std::string refusal(const Json& line) {
  const auto request = OperationRequest::from_json(line);
  CHECK(code_of(request) == "INVALID_INPUT");
  return request ? "" : request.error().message;
}

TEST_CASE("operation: what is none is refused") {
  CHECK(refusal(1) == "an operation must be an object");
  CHECK(refusal(Json::object()) == "an operation must have a string op");
  CHECK(refusal({{"op", 1}}) == "an operation must have a string op");
  CHECK(refusal({{"op", "Claim"}}) == "no operation Claim");
  CHECK(refusal({{"op", "open"}, {"args", {{"handle", "b"}}}}) == "no operation open");
  CHECK(refusal({{"op", "claim"}, {"args", 1}}) == "claim: args must be an object");
}

TEST_CASE("operation: a missing or mistyped argument is named with its operation") {
  CHECK(refusal({{"op", "get"}}) == "get: args.id is missing");
  CHECK(refusal({{"op", "recover_expired"}, {"args", {{"now", 1.0}}}})
            .starts_with(
                "recover_expired: args.now must be a whole number from -9223372036854775808"));
  CHECK(refusal({{"op", "can_transition"}, {"args", {{"from", "READY"}, {"to", "ready"}}}}) ==
        "can_transition: args.to must be the name of a state");
  const Json claim{
      {"id", "x"}, {"worker", "w"}, {"capabilities", Json::array()}, {"now", 1}, {"lease_ms", 1}};
  for (const auto& [name, value] : claim.items()) {
    Json lacking = claim;
    lacking.erase(name);
    CHECK(refusal({{"op", "claim"}, {"args", lacking}}) == "claim: args." + name + " is missing");
    Json mistyped = claim;
    mistyped[name] = Json::object();
    CHECK(refusal({{"op", "claim"}, {"args", mistyped}})
              .starts_with("claim: args." + name + " must be "));
  }
  Json negative = claim;
  negative["lease_ms"] = -1;
  CHECK(refusal({{"op", "claim"}, {"args", negative}}) ==
        "claim: args.lease_ms must be a whole number from 0 to 18446744073709551615");
}

TEST_CASE("operation: arguments reach the ends of their ranges, and others are ignored") {
  Bench bench;
  const std::string id = bench.create();
  const OperationOutcome outcome = run(bench, {{"op", "claim"},
                                               {"note", "x"},
                                               {"args",
                                                {{"id", id},
                                                 {"worker", "w"},
                                                 {"capabilities", {"mail"}},
                                                 {"now", std::numeric_limits<Instant>::max()},
                                                 {"lease_ms", UINT64_MAX},
                                                 {"unknown", 1}}}});
  REQUIRE(outcome.answer);
  CHECK(outcome.answer->at("expires_at") == std::numeric_limits<Instant>::max());
  CHECK(outcome.changed == std::vector<std::string>{id});
}

TEST_CASE("operation: an answer says what it changed, a refusal too") {
  Bench bench;
  const OperationOutcome created =
      run(bench, {{"op", "admit"}, {"args", {{"input", [] {
                                                Json request = sample_request();
                                                request["retry_policy"] = policy(0);
                                                return request;
                                              }()}}}});
  REQUIRE(created.answer);
  const std::string id = created.answer->at("workload_id");
  CHECK(created.changed == std::vector<std::string>{id});
  const OperationOutcome spent = run(bench, {{"op", "claim_next"},
                                             {"args",
                                              {{"tenant", "t"},
                                               {"application", "app"},
                                               {"worker", "w"},
                                               {"capabilities", {"mail"}},
                                               {"now", 200},
                                               {"lease_ms", 1000}}}});
  CHECK(code_of(spent.answer) == "WORKLOAD_ATTEMPTS_EXHAUSTED");
  CHECK(spent.changed == std::vector<std::string>{id});
  const OperationOutcome got = run(bench, {{"op", "get"}, {"args", {{"id", id}}}});
  CHECK(got.answer.value() == bench.document(id));
  CHECK(got.changed.empty());
  CHECK(code_of(run(bench, {{"op", "admit"}, {"args", {{"input", 1}}}}).answer) ==
        "WORKLOAD_INVALID");
}

TEST_CASE("operation: a list is whole, however long") {
  Bench bench;
  for (int i = 0; i < 1100; ++i) bench.create();
  const auto listed =
      run(bench, {{"op", "list"}, {"args", {{"tenant", "t"}, {"application", "app"}}}});
  CHECK(listed.answer.value().size() == 1100);
  CHECK(run(bench, {{"op", "list"}, {"args", {{"tenant", "t"}, {"application", "x"}}}})
            .answer.value()
            .empty());
  CHECK(run(bench, {{"op", "restart"}}).answer.value() == Json{{"workloads", 1100}});
}

TEST_CASE("operation: a migration comes as a value or as a text, and answers all ids") {
  Bench bench;
  Json document = sample_workload().document();
  document["workload_id"] = "legacy";
  const Json legacy{{"workloads", {{"legacy", document}}},
                    {"idempotency", {{"t:app:k", "legacy"}}},
                    {"event_sequence", 1}};
  const OperationOutcome moved = run(bench, {{"op", "migrate"}, {"args", {{"legacy", legacy}}}});
  CHECK(moved.answer.value() == Json::array({"legacy"}));
  CHECK(moved.changed == std::vector<std::string>{"legacy"});
  CHECK(bench.session.last_commit_at() == 700);
  const OperationOutcome again =
      run(bench, {{"op", "migrate"}, {"args", {{"legacy_text", canonical_text(legacy)}}}});
  CHECK(again.answer.value() == Json::array({"legacy"}));
  CHECK(again.changed.empty());
  for (const Json& arguments :
       {Json::object(), Json{{"legacy", legacy}, {"legacy_text", ""}}, Json{{"legacy_text", 1}}})
    CHECK(code_of(run(bench, {{"op", "migrate"}, {"args", arguments}}).answer) == "INVALID_INPUT");
  CHECK(code_of(run(bench, {{"op", "migrate"}, {"args", {{"legacy_text", ""}}}}).answer) ==
        "DOCUMENT_UNREADABLE");
  auto request = OperationRequest::from_json({{"op", "migrate"}, {"args", {{"legacy", legacy}}}});
  REQUIRE(request);
  CHECK(
      code_of(
          std::move(*request).run({.authority = bench.authority, .view = bench.session}).answer) ==
      "INVALID_INPUT");
}

TEST_CASE("operation: each says whether it may change something, and what follows") {
  const Json fenced{{"id", "x"}, {"claim", "c"}, {"worker", "w"}, {"token", 1}, {"now", 1}};
  const auto request = [](const char* op, const Json& arguments) {
    auto read = OperationRequest::from_json({{"op", op}, {"args", arguments}});
    REQUIRE_MESSAGE(read, read.error().message);
    return std::move(*read);
  };
  CHECK(request("start", fenced).changes());
  CHECK_FALSE(request("start", fenced).reopens());
  CHECK_FALSE(request("get", {{"id", "x"}}).changes());
  CHECK_FALSE(request("restart", Json::object()).changes());
  CHECK(request("restart", Json::object()).reopens());
  CHECK(request("migrate", Json::object()).reopens());
  CHECK(request("confirm_cancel", fenced).name() == "confirm_cancel");
}

}  // namespace
}  // namespace workctl
