#include "workctl/workload/workload.h"

#include <doctest/doctest.h>

#include <limits>

#include "workload/bench.h"

namespace workctl {
namespace {

/// A document that holds one of everything.
Json full_document() {
  Bench bench;
  const std::string id = bench.create({{"retry_policy", policy(5)},
                                       {"dependencies", Json::array({{{"workload_id", "other"}}})},
                                       {"timeouts", {{"queue_ms", 1}}}});
  Fence fence = bench.run(id);
  REQUIRE(bench.authority.fail(id, fence, "again", "no"));
  fence = bench.run(id, 300);
  REQUIRE(bench.authority.checkpoint(id, fence, {{"at", 1}}));
  Json document = bench.document(id);
  const Json claim = document.at("current_claim");
  REQUIRE(bench.authority.complete(id, fence, {"r", 1, {"artifact"}, 1}));
  document["result"] = bench.document(id).at("result");
  return document;
}

void check_unreadable(const Json& document, const std::string& fault) {
  const auto workload = Workload::from_document(document);
  REQUIRE_FALSE(workload);
  CHECK(workload.error().code == errc::kDocumentUnreadable);
  CHECK(workload.error().message.find(fault) != std::string::npos);
}

TEST_CASE("workload: a document that holds one of everything is read") {
  const Json document = full_document();
  const auto workload = Workload::from_document(document);
  REQUIRE_MESSAGE(workload, workload.error().message);
  CHECK(same_value(workload->document(), document));
}

TEST_CASE("workload: every member is missed, and named with its workload") {
  const Json document = full_document();
  for (const auto& [name, value] : document.items()) {
    Json lacking = document;
    lacking.erase(name);
    check_unreadable(lacking, name + " is missing");
    const auto refused = Workload::from_document(lacking);
    if (name != "workload_id")
      CHECK(refused.error().workload_id == document.at("workload_id").get<std::string>());
  }
}

TEST_CASE("workload: members of what it holds are missed too") {
  for (const char* path :
       {"/requested_by/kind", "/authorization_snapshot/grant", "/retry_policy/backoff",
        "/authorization_snapshot/grant/issuer/id", "/timeouts/overall_ms",
        "/execution_history/0/evidence", "/attempts/1/claim_id", "/checkpoints/0/state",
        "/result/output", "/current_claim/lease_id", "/dependencies/0/required_state"}) {
    Json lacking = full_document();
    const Json::json_pointer pointer(path);
    REQUIRE(lacking.at(pointer.parent_pointer()).erase(pointer.back()) == 1);
    check_unreadable(lacking, pointer.back() + " is missing");
  }
}

TEST_CASE("workload: every member is refused in another type, and named by its path") {
  struct Wrong {
    const char* path;
    Json value;
    const char* fault;
  };
  const std::vector<Wrong> wrongs{
      {"/contract_version", 1.0, "contract_version must be a whole number from 0 to 4294967295"},
      {"/contract_version", 4294967296, "contract_version must be a whole number"},
      {"/tenant_id", nullptr, "tenant_id must be a string"},
      {"/input_hash", 1, "input_hash must be a string"},
      {"/session_id", 1, "session_id must be a string or null"},
      {"/requested_by", "ada", "requested_by must be an object"},
      {"/requested_by/kind", "robot", "requested_by.kind must be one of human, service"},
      {"/capability_snapshot", Json::object(), "capability_snapshot must be an array of strings"},
      {"/capability_snapshot", Json::array({1}), "capability_snapshot must be an array of strings"},
      {"/priority", 2147483648, "priority must be a whole number from -2147483648 to 2147483647"},
      {"/priority", -2147483649, "priority must be"},
      {"/priority", 0.0, "priority must be"},
      {"/created_at", kMostU64, "created_at must be a whole number"},
      {"/created_at", "1", "created_at must be"},
      {"/state", "SLEEPING", "state must be the name of a state"},
      {"/state", nullptr, "state must be the name of a state"},
      {"/execution_history", nullptr, "execution_history must be an array of objects"},
      {"/execution_history/1", 1, "execution_history[1] must be an object"},
      {"/execution_history/1/sequence", -1, "execution_history[1].sequence must be"},
      {"/execution_history/0/from", "NOWHERE", "execution_history[0].from must be the name"},
      {"/execution_history/0/to", nullptr, "execution_history[0].to must be the name"},
      {"/execution_history/0/evidence", {{"a", 1}}, "evidence must be an object of strings"},
      {"/attempts/0/status", "SLEEPING", "attempts[0].status must be one of CLAIMED"},
      {"/attempts/0/resource_usage", {{"cpu", 0.5}}, "resource_usage must be an object of whole"},
      {"/attempts/0/resource_usage", {{"cpu", -1}}, "resource_usage must be an object of whole"},
      {"/attempts/1/started_at", "x", "attempts[1].started_at must be a whole number"},
      {"/checkpoints/0/sequence", -1, "checkpoints[0].sequence must be"},
      {"/result/artifacts", Json::array({nullptr}), "result.artifacts must be an array of strings"},
      {"/result/provenance", Json::array(), "result.provenance must be an object of strings"},
      {"/retry_policy/max_attempts", kMostU64, "retry_policy.max_attempts must be"},
      {"/retry_policy/initial_delay_ms", -1, "retry_policy.initial_delay_ms must be"},
      {"/retry_policy/backoff", "linear", "retry_policy.backoff must be one of fixed, exponential"},
      {"/timeouts/queue_ms", 1.5, "timeouts.queue_ms must be a whole number"},
      {"/attempt_count", -1, "attempt_count must be"},
      {"/next_attempt_at", true, "next_attempt_at must be a whole number"},
      {"/current_claim/fencing_token", "1", "current_claim.fencing_token must be"},
      {"/fencing_token", 1e30, "fencing_token must be"},
      {"/dependencies/0/required_state", "DONE", "dependencies[0].required_state must be"}};
  for (const Wrong& wrong : wrongs) {
    CAPTURE(wrong.path);
    Json document = full_document();
    document.at(Json::json_pointer(wrong.path)) = wrong.value;
    check_unreadable(document, wrong.fault);
  }
}

TEST_CASE("workload: numbers at the ends of their ranges are read") {
  Json document = full_document();
  document["priority"] = std::numeric_limits<std::int32_t>::min();
  document["created_at"] = std::numeric_limits<Instant>::min();
  document["updated_at"] = std::numeric_limits<Instant>::max();
  document["fencing_token"] = kMostU64;
  document["attempt_count"] = kMostU32;
  document["timeouts"]["queue_ms"] = kMostU64;
  const auto workload = Workload::from_document(document);
  REQUIRE_MESSAGE(workload, workload.error().message);
  CHECK(workload->fencing_token() == kMostU64);
  CHECK(workload->attempt_count() == kMostU32);
}

TEST_CASE("workload: what is no object is refused") {
  for (const Json& document : {Json(), Json::array(), Json("x"), Json(1)})
    check_unreadable(document, "is not an object");
}

TEST_CASE("workload: an older release's document gets the defaults of what it left out") {
  Json document = sample_workload().document();
  const Json whole = document;
  for (const char* name :
       {"session_id", "connection_scopes", "priority", "checkpoints", "result", "retry_policy",
        "timeouts", "next_attempt_at", "last_failure", "current_claim", "dependencies"})
    document.erase(name);
  document["execution_history"][0].erase("evidence");
  document["execution_history"][0].erase("from");
  document["__version"] = 41;
  document["retired"] = {{"by", "us"}};
  const auto workload = Workload::from_legacy(document);
  REQUIRE_MESSAGE(workload, workload.error().message);
  Json expected = whole;
  expected["execution_history"][0]["from"] = nullptr;
  expected["retired"] = {{"by", "us"}};
  CHECK(same_value(workload->document(), expected));
}

TEST_CASE("workload: an older release's sets are put in order, by their bytes") {
  Json document = sample_workload().document();
  document["capability_snapshot"] = {"b", "\U0001F600", "a", "\uFFEE", "b", "B", ""};
  document["retry_policy"]["retry_on"] = {"z", "a", "z"};
  const auto workload = Workload::from_legacy(document);
  REQUIRE(workload);
  CHECK(workload->capabilities() == Json{"", "B", "a", "b", "\uFFEE", "\U0001F600"});
  CHECK(workload->document().at("retry_policy").at("retry_on") == Json{"a", "z"});
}

TEST_CASE("workload: members that tell what happened are not made up") {
  for (const char* name : {"attempts", "execution_history", "attempt_count", "retry_count",
                           "fencing_token", "input", "input_hash", "state"}) {
    Json document = sample_workload().document();
    document.erase(name);
    const auto workload = Workload::from_legacy(document);
    REQUIRE_FALSE(workload);
    CHECK(workload.error().message.find(std::string(name) + " is missing") != std::string::npos);
  }
}

TEST_CASE("workload: a move appends its event, and one that is not in the table changes nothing") {
  Workload workload = sample_workload();
  const Json before = workload.document();
  CHECK(code_of(workload.transition(State::kRunning, "me", 5)) == "WORKLOAD_TRANSITION_DENIED");
  CHECK(same_value(workload.document(), before));
  REQUIRE(workload.transition(State::kTimedOut, "me", 5, {{"why", "late"}}));
  CHECK(workload.state() == State::kTimedOut);
  CHECK(workload.document().at("updated_at") == 5);
  CHECK(workload.document().at("execution_history").back() ==
        Json{{"sequence", 2},
             {"event_type", "workload.timed_out"},
             {"from", "READY"},
             {"to", "TIMED_OUT"},
             {"actor", "me"},
             {"at", 5},
             {"evidence", {{"why", "late"}}}});
}

TEST_CASE("workload: events go on counting from the last, and stop at the end of the range") {
  const auto next_sequence = [](const Json& history) {
    Workload workload = sample_workload({{"execution_history", history}});
    REQUIRE(workload.transition(State::kCancelled, "me", 5));
    return workload.last_event_sequence();
  };
  Json event = sample_workload().document().at("execution_history").at(0);
  CHECK(next_sequence(Json::array()) == 1);
  event["sequence"] = 40;
  CHECK(next_sequence(Json::array({event})) == 41);
  event["sequence"] = kMostU64;
  CHECK(next_sequence(Json::array({event})) == kMostU64);
}

TEST_CASE("workload: the budget is the policy's attempts and each re-arm, and saturates") {
  Json rearmed = sample_workload().document().at("execution_history").at(0);
  rearmed["evidence"] = {{"retry", "operator"}};
  Json other = rearmed;
  other["evidence"] = {{"retry", "robot"}};
  const auto budget = [&](std::uint64_t max_attempts, const Json& history) {
    return sample_workload({{"retry_policy", policy(max_attempts)}, {"execution_history", history}})
        .attempt_budget();
  };
  CHECK(budget(3, Json::array()) == 3);
  CHECK(budget(3, Json::array({rearmed, other, rearmed})) == 5);
  CHECK(budget(kMostU32 - 1, Json::array({rearmed})) == kMostU32);
  CHECK(budget(kMostU32, Json::array({rearmed})) == kMostU32);
  const Workload used =
      sample_workload({{"attempt_count", kMostU32}, {"retry_policy", policy(kMostU32)}});
  CHECK(used.exhausted());
}

}  // namespace
}  // namespace workctl
