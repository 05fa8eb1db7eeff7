#include "workctl/workload/admission.h"

#include <doctest/doctest.h>

#include "workctl/base/digest.h"
#include "workload/bench.h"

namespace workctl {
namespace {

Json merged(Json object, const Json& changes) {
  object.update(changes);
  return object;
}

Result<Json> create(Bench& bench, const Json& request) {
  WORKCTL_TRY(auto checked, CreateRequest::from_json(request));
  return bench.authority.create(std::move(checked), 100);
}

TEST_CASE("admission: a request becomes a ready workload with every member") {
  Bench bench;
  const auto created = create(bench, sample_request());
  REQUIRE(created);
  const std::string scope = R"(["t","app","human","ada","k"])";
  const std::string id = "workload_" + sha256_hex(scope).substr(0, 24);
  CHECK(*created == Json{{"workload_id", id}, {"created", true}});
  Json expected = sample_request();
  expected.update(
      {{"contract_version", 1},
       {"workload_id", id},
       {"input_hash", hash_value({{"to", "a"}})},
       {"session_id", nullptr},
       {"connection_scopes", Json::array()},
       {"priority", 0},
       {"updated_at", 100},
       {"state", "READY"},
       {"execution_history", Json::array({{{"sequence", 1},
                                           {"event_type", "workload.ready"},
                                           {"from", "CREATED"},
                                           {"to", "READY"},
                                           {"actor", "workctl"},
                                           {"at", 100},
                                           {"evidence", Json::object()}}})},
       {"attempts", Json::array()},
       {"checkpoints", Json::array()},
       {"result", nullptr},
       {"retry_policy",
        {{"max_attempts", 3},
         {"initial_delay_ms", 1000},
         {"max_delay_ms", 300000},
         {"backoff", "exponential"},
         {"retry_on", Json::array({"timeout", "transient_connection", "worker_failure"})}}},
       {"timeouts",
        {{"queue_ms", nullptr},
         {"claim_ms", nullptr},
         {"execution_ms", nullptr},
         {"heartbeat_ms", nullptr},
         {"overall_ms", nullptr}}},
       {"attempt_count", 0},
       {"retry_count", 0},
       {"next_attempt_at", nullptr},
       {"last_failure", nullptr},
       {"current_claim", nullptr},
       {"fencing_token", 0},
       {"dependencies", Json::array()}});
  CHECK(same_value(bench.document(id), expected));
  CHECK(Workload::from_document(bench.document(id)));
}

TEST_CASE("admission: defaults are filled in where a member was begun") {
  Bench bench;
  const std::string id = bench.create(
      {{"not_before", -5},
       {"retry_policy",
        {{"max_attempts", 2}, {"initial_delay_ms", 1}, {"max_delay_ms", 2}, {"backoff", "fixed"}}},
       {"timeouts", {{"queue_ms", 7}}},
       {"dependencies", Json::array({{{"workload_id", "w"}}})},
       {"capability_snapshot", Json::array({"b", "a", "b"})}});
  const Json& document = bench.document(id);
  CHECK(document.at("retry_policy").at("retry_on") == Json::array());
  CHECK(document.at("timeouts").at("overall_ms").is_null());
  CHECK(document.at("timeouts").at("queue_ms") == 7);
  CHECK(document.at("dependencies").at(0).at("required_state") == "SUCCEEDED");
  CHECK(document.at("capability_snapshot") == Json::array({"a", "b"}));
  CHECK(document.at("next_attempt_at") == -5);
  CHECK_FALSE(document.contains("not_before"));
  CHECK(bench.last_event(id).at("evidence") == Json{{"not_before", "-5"}});
}

TEST_CASE("admission: a missing or mistyped member is named") {
  for (const char* name :
       {"tenant_id", "application_id", "environment", "definition_id", "definition_revision",
        "trigger", "input", "requested_by", "authorization_snapshot", "capability_snapshot",
        "idempotency_key", "created_at"}) {
    Json request = sample_request();
    request.erase(name);
    const auto refused = CreateRequest::from_json(request);
    CHECK(code_of(refused) == "WORKLOAD_INVALID");
    CHECK(refused.error().message == "create request: " + std::string(name) + " is missing");
  }
  const auto refused = CreateRequest::from_json(
      merged(sample_request(), {{"retry_policy", {{"max_attempts", -1}}}}));
  CHECK(code_of(refused) == "WORKLOAD_INVALID");
  CHECK(refused.error().message.find("retry_policy.max_attempts must be") != std::string::npos);
  CHECK(code_of(CreateRequest::from_json(Json::array())) == "WORKLOAD_INVALID");
}

TEST_CASE("admission: members that nobody knows are ignored, and can be named") {
  Json request = sample_request();
  request["priorty"] = 5;
  request["timeouts"] = {{"queue_ms", 1}, {"queue", 2}};
  request["dependencies"] = Json::array({{{"workload_id", "w"}, {"state", "READY"}}});
  request["authorization_snapshot"]["note"] = "kept";
  request["authorization_snapshot"]["grant"]["note"] = "kept";
  CHECK(CreateRequest::unknown_members(request) ==
        std::vector<std::string>{"dependencies[0].state", "priorty", "timeouts.queue"});
  Bench bench;
  const Json& document = bench.document(bench.create(request));
  CHECK_FALSE(document.contains("priorty"));
  CHECK_FALSE(document.at("timeouts").contains("queue"));
  CHECK_FALSE(document.at("dependencies").at(0).contains("state"));
  CHECK(document.at("authorization_snapshot") == request.at("authorization_snapshot"));
  CHECK(CreateRequest::unknown_members(sample_request()).empty());
  CHECK(CreateRequest::unknown_members(Json("x")).empty());
}

TEST_CASE("admission: secrets first, then the key, then the grant, then what is stored") {
  Bench bench;
  REQUIRE(create(bench, sample_request()));
  Json request = merged(sample_request(), {{"input", {{"password", 1}}},
                                           {"idempotency_key", " \t"},
                                           {"tenant_id", "other"},
                                           {"environment", "other"}});
  CHECK(code_of(create(bench, request)) == "WORKLOAD_SECRET_REJECTED");
  request["input"] = 1;
  CHECK(code_of(create(bench, request)) == "WORKLOAD_INVALID");
  request["idempotency_key"] = "k";
  CHECK(code_of(create(bench, request)) == "WORKLOAD_UNAUTHORIZED");
  request["tenant_id"] = "t";
  CHECK(code_of(create(bench, request)) == "IDEMPOTENCY_KEY_REUSED");
}

TEST_CASE("admission: a grant binds its subject, tenant and application, and nothing else") {
  Bench bench;
  const auto with = [&](const char* pointer, const Json& value) {
    Json request = sample_request();
    request.at("authorization_snapshot").at("grant").at(Json::json_pointer(pointer)) = value;
    return code_of(create(bench, request));
  };
  for (const char* pointer : {"/subject/id", "/tenant_id", "/application_id"})
    CHECK(with(pointer, "other") == "WORKLOAD_UNAUTHORIZED");
  CHECK(with("/subject/kind", "agent") == "WORKLOAD_UNAUTHORIZED");
  CHECK(with("/expires_at", 2) == "not refused");
  CHECK(with("/status", "REVOKED") == "not refused");
}

TEST_CASE("admission: the same request is answered from what is stored") {
  Bench bench;
  const auto first = create(bench, sample_request());
  REQUIRE(first);
  const std::string id = first->at("workload_id");
  REQUIRE(bench.authority.cancel(id, "op", 150));
  const std::uint64_t version = bench.version(id);
  for (const Json& changes :
       {Json{{"trigger", "cron"}}, Json{{"priority", 9}}, Json{{"session_id", "s"}},
        Json{{"created_at", 999}}, Json{{"not_before", 7}}, Json{{"retry_policy", policy(9)}},
        Json{{"timeouts", Json::object()}}, Json{{"dependencies", Json::array()}},
        Json{{"connection_scopes", Json::array({"x"})}},
        Json{{"capability_snapshot", Json::array({"mail", "mail"})}}}) {
    const auto again = create(bench, merged(sample_request(), changes));
    REQUIRE(again);
    CHECK(*again == Json{{"workload_id", id}, {"created", false}});
  }
  CHECK(bench.version(id) == version);
}

TEST_CASE("admission: another request under a used key is refused, and what differs is named") {
  Bench bench;
  REQUIRE(create(bench, sample_request()));
  struct Other {
    Json changes;
    const char* difference;
  };
  const std::vector<Other> others{
      {{{"definition_id", "x"}}, "definition_id"},
      {{{"definition_revision", "x"}}, "definition_revision"},
      {{{"environment", "x"}}, "environment"},
      {{{"input", {{"to", "b"}}}}, "input"},
      {{{"capability_snapshot", Json::array()}}, "capability_snapshot"}};
  for (const Other& other : others) {
    const auto refused = create(bench, merged(sample_request(), other.changes));
    CHECK(code_of(refused) == "IDEMPOTENCY_KEY_REUSED");
    CHECK(refused.error().message.ends_with(std::string("with another ") + other.difference));
    CHECK_FALSE(refused.error().workload_id.empty());
  }
}

TEST_CASE("admission: 1 and 1.0, 0 and -0.0 are different inputs, order of members is none") {
  Bench bench;
  const auto with = [&](const char* key, const char* input) {
    Json request = sample_request(key);
    request["input"] = parse_json(input, "input").value();
    return code_of(create(bench, request));
  };
  CHECK(with("a", "1") == "not refused");
  CHECK(with("a", "1.0") == "IDEMPOTENCY_KEY_REUSED");
  CHECK(with("b", "0") == "not refused");
  CHECK(with("b", "-0") == "IDEMPOTENCY_KEY_REUSED");
  CHECK(with("c", R"({"a":1,"b":2})") == "not refused");
  CHECK(with("c", R"({"b":2,"a":0,"a":1})") == "not refused");
}

TEST_CASE("admission: scopes do not meet, whatever stands in them") {
  Bench bench;
  const auto id_of = [&](const std::string& tenant, const std::string& application,
                         const std::string& key) {
    Json request =
        merged(sample_request(key), {{"tenant_id", tenant}, {"application_id", application}});
    request["authorization_snapshot"]["grant"]["tenant_id"] = tenant;
    request["authorization_snapshot"]["grant"]["application_id"] = application;
    const auto created = create(bench, request);
    REQUIRE(created);
    CHECK(created->at("created") == true);
    return created->at("workload_id");
  };
  CHECK(id_of("a", "b:c", "k") != id_of("a:b", "c", "k"));
  CHECK(id_of("a\",\"b", "c", "k") != id_of("a", "b\",\"c", "k"));
  CHECK(id_of("a", "b", "k") != id_of("a", "b", "k "));
}

TEST_CASE("admission: who loses the race is answered from what the winner committed") {
  Bench bench;
  MemoryProjection blind;
  Authority late(blind, [&](Transaction transaction) -> Result<void> {
    auto staged = bench.session.stage(std::move(transaction));
    if (staged) return staged;
    WORKCTL_TRY(const auto ids, bench.session.keys(kWorkloads));
    for (const std::string& id : ids)
      WORKCTL_CHECK(blind.put(kWorkloads, id, bench.version(id), bench.document(id)));
    return staged;
  });
  const auto ask = [&](const Json& request) {
    return late.create(CreateRequest::from_json(request).value(), 100);
  };
  REQUIRE(create(bench, sample_request()));
  CHECK(ask(sample_request()).value().at("created") == false);
  REQUIRE(create(bench, sample_request("second")));
  REQUIRE(blind.clear());
  CHECK(code_of(ask(merged(sample_request("second"), {{"environment", "x"}}))) ==
        "IDEMPOTENCY_KEY_REUSED");
  CHECK(late.take_staged().empty());
}

TEST_CASE("admission: a workload under an id from elsewhere holds its scope too") {
  Bench bench;
  Json legacy = sample_workload().document();
  legacy["workload_id"] = "legacy-1";
  bench.session.plant(kWorkloads, "legacy-1", legacy);
  const auto answered = create(bench, sample_request());
  REQUIRE(answered);
  CHECK(*answered == Json{{"workload_id", "legacy-1"}, {"created", false}});
}

}  // namespace
}  // namespace workctl
