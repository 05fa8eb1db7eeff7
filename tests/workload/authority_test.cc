#include "workctl/workload/authority.h"

#include <doctest/doctest.h>

#include "workctl/workload/contract_code.h"
#include "workctl/workload/store_digest.h"
#include "workload/bench.h"

namespace workctl {
namespace {

TEST_CASE("authority: an unknown workload is not found, by any operation") {
  Bench bench;
  const Fence fence{"c", "w", 1, 5};
  Authority& authority = bench.authority;
  for (const auto& answer :
       {authority.claim("no", "w", {}, 5, 1000), authority.start("no", fence),
        authority.heartbeat("no", fence, 1), authority.execution_context("no", fence, {}),
        authority.checkpoint("no", fence, 1), authority.complete("no", fence, {"r", 1, {}, 1}),
        authority.fail("no", fence, "k", "e"), authority.confirm_cancel("no", fence),
        authority.cancel("no", "op", 5), authority.time_out("no", "op", 5),
        authority.retry("no", "op", 5, {})}) {
    CHECK(code_of(answer) == "WORKLOAD_NOT_FOUND");
    CHECK(answer.error().message == "no workload no");
    CHECK(answer.error().workload_id == "no");
  }
  CHECK(code_of(authority.get("no")) == "WORKLOAD_NOT_FOUND");
  CHECK(code_of(authority.unmet_dependencies("no")) == "WORKLOAD_NOT_FOUND");
}

TEST_CASE("authority: secrets are looked for before anything else") {
  Bench bench;
  const Fence fence{"c", "w", 1, 5};
  CHECK(code_of(bench.authority.checkpoint("no", fence, {{"token", 1}})) ==
        "WORKLOAD_SECRET_REJECTED");
  CHECK(code_of(bench.authority.complete("no", fence, {"r", "sk-1", {}, 1})) ==
        "WORKLOAD_SECRET_REJECTED");
  CHECK(code_of(bench.authority.fail("no", fence, "k", "sk-1")) == "WORKLOAD_SECRET_REJECTED");
}

TEST_CASE("authority: a stored document that cannot be read is an error that names it") {
  Bench bench;
  const std::string id = bench.create();
  for (const Json& damage : {Json{{"state", "SLEEPING"}}, Json{{"attempts", 1}}}) {
    const Json before = bench.document(id);
    bench.alter(id, damage);
    const auto answer = bench.claim(id);
    CHECK(code_of(answer) == "DOCUMENT_UNREADABLE");
    CHECK(answer.error().message.starts_with("workload " + id + " cannot be read: "));
    CHECK(answer.error().workload_id == id);
    bench.session.plant(kWorkloads, id, before);
  }
  CHECK(bench.claim(id));
}

TEST_CASE("authority: what is staged is what changed, and a refused stage is the answer") {
  Bench bench;
  const std::string id = bench.create();
  CHECK(bench.authority.take_staged() == std::vector<std::string>{id});
  bench.session.refuse_next({errc::kConflict, "another writer was first"});
  const auto conflict = bench.claim(id);
  CHECK(code_of(conflict) == "WORKLOAD_CONFLICT");
  CHECK(conflict.error().workload_id == id);
  CHECK(bench.state(id) == "READY");
  CHECK(bench.authority.take_staged().empty());
  REQUIRE(bench.claim(id));
  CHECK(bench.authority.take_staged() == std::vector<std::string>{id});
  CHECK(code_of(bench.claim(id)) == "WORKLOAD_NOT_READY");
  CHECK(bench.authority.take_staged().empty());
}

TEST_CASE("authority: a refusal may still have something to commit") {
  Bench bench;
  const std::string id = bench.create({{"retry_policy", policy(0)}});
  (void)bench.authority.take_staged();
  CHECK(code_of(bench.claim(id)) == "WORKLOAD_ATTEMPTS_EXHAUSTED");
  CHECK(bench.state(id) == "DEAD_LETTER");
  CHECK(bench.authority.take_staged() == std::vector<std::string>{id});
}

TEST_CASE("authority: a required version is compared before anything is decided") {
  Bench bench;
  const std::string id = bench.create();
  bench.authority.require_version(2);
  const auto refused = bench.claim(id);
  CHECK(code_of(refused) == "WORKLOAD_CONFLICT");
  CHECK(refused.error().message == "workload " + id + " is in version 1, not 2");
  bench.authority.require_version(1);
  CHECK(bench.claim(id));
  CHECK(code_of(bench.authority.cancel(id, "op", 5)) == "WORKLOAD_CONFLICT");
  CHECK(bench.authority.recover_expired(1'000'000).value() == Json::array({id}));
  bench.authority.require_version(std::nullopt);
  CHECK(bench.authority.cancel(id, "op", 5));
}

TEST_CASE("authority: claim_next takes the highest, then the oldest, then the lowest id") {
  Bench bench;
  const std::string late = bench.create({{"created_at", 102}});
  const std::string early = bench.create({{"created_at", 101}});
  const std::string high = bench.create({{"created_at", 103}, {"priority", 1}});
  const std::string unable = bench.create({{"priority", 9}, {"capability_snapshot", {"gpu"}}});
  const std::string not_yet = bench.create({{"priority", 9}, {"not_before", 900}});
  const ReadyQuery query{"t", "app", {"mail", "mail"}, 200};
  const auto next = [&] {
    const auto claim = bench.authority.claim_next(query, "w", 1000);
    REQUIRE(claim);
    return claim->is_null() ? std::string("nothing") : claim->at("workload_id").get<std::string>();
  };
  CHECK(next() == high);
  CHECK(next() == early);
  CHECK(next() == late);
  CHECK(next() == "nothing");
  CHECK(bench.authority.claim_next({"t", "other", {"mail"}, 2000}, "w", 1000).value().is_null());
  CHECK(bench.authority.claim_next({"other", "app", {"mail"}, 2000}, "w", 1000).value().is_null());
}

TEST_CASE("authority: claim_next ends at a first choice that is exhausted") {
  Bench bench;
  const std::string spent = bench.create({{"priority", 1}, {"retry_policy", policy(0)}});
  const std::string good = bench.create();
  const ReadyQuery query{"t", "app", {"mail"}, 200};
  const auto first = bench.authority.claim_next(query, "w", 1000);
  CHECK(code_of(first) == "WORKLOAD_ATTEMPTS_EXHAUSTED");
  CHECK(first.error().workload_id == spent);
  CHECK(bench.authority.claim_next(query, "w", 1000).value().at("workload_id") == good);
}

TEST_CASE("authority: dependencies hold claim_next back, and are named; a claim looks past them") {
  Bench bench;
  const std::string first = bench.create();
  const std::string second = bench.create(
      {{"priority", 9},
       {"dependencies", Json::array({{{"workload_id", first}},
                                     {{"workload_id", "nobody"}, {"required_state", "FAILED"}},
                                     {{"workload_id", first}, {"required_state", "READY"}}})}});
  const auto unmet = bench.authority.unmet_dependencies(second);
  REQUIRE(unmet);
  CHECK(*unmet ==
        std::vector<Json>{
            {{"workload_id", first}, {"required_state", "SUCCEEDED"}, {"state", "READY"}},
            {{"workload_id", "nobody"}, {"required_state", "FAILED"}, {"state", nullptr}}});
  CHECK(bench.authority.unmet_dependencies(first).value().empty());
  const ReadyQuery query{"t", "app", {"mail"}, 200};
  CHECK(bench.authority.claim_next(query, "w", 1000).value().at("workload_id") == first);
  CHECK(bench.authority.claim_next(query, "w", 1000).value().is_null());
  CHECK(bench.claim(second));
}

TEST_CASE("authority: each commit says who changed what, under which grant and in which session") {
  Bench bench;
  const std::string id = bench.create({{"session_id", "s-1"}, {"retry_policy", policy(3)}});
  Json expected{{"kind", "workload.created"},
                {"subject", "ada"},
                {"principal_id", "ada"},
                {"agent_id", nullptr},
                {"session_id", "s-1"},
                {"delegator_id", "issuer"},
                {"authorization_decision_id", "grant-1"},
                {"tenant", "t"},
                {"application", "app"},
                {"work_id", id},
                {"operation_id", "workload.create"},
                {"actor", "ada"},
                {"attempt_id", nullptr},
                {"worker_id", nullptr},
                {"result_id", nullptr}};
  CHECK(bench.session.audits().back() == expected);
  const Fence fence = bench.run(id);
  expected.update({{"kind", "workload.mutated"},
                   {"operation_id", "workload.start"},
                   {"actor", "w"},
                   {"attempt_id", "attempt_" + id + "_1"},
                   {"worker_id", "w"}});
  CHECK(bench.session.audits().back() == expected);
  REQUIRE(bench.authority.complete(id, fence, {"r", 1, {}, 1}));
  expected.update(
      {{"operation_id", "workload.complete"}, {"worker_id", nullptr}, {"result_id", "r"}});
  CHECK(bench.session.audits().back() == expected);
}

TEST_CASE("authority: every operation is audited under its own name") {
  Bench bench;
  const auto last = [&] { return bench.session.audits().back().at("operation_id"); };
  const std::string id = bench.create({{"retry_policy", policy(9)}});
  Fence fence = bench.run(id);
  REQUIRE(bench.authority.heartbeat(id, fence, 60'000));
  CHECK(last() == "workload.heartbeat");
  REQUIRE(bench.authority.checkpoint(id, fence, 1));
  CHECK(last() == "workload.checkpoint");
  REQUIRE(bench.authority.fail(id, fence, "fatal", "e"));
  CHECK(last() == "workload.fail");
  REQUIRE(bench.authority.retry(id, "op", 210, {}));
  CHECK(last() == "workload.retry");
  CHECK(bench.session.audits().back().at("actor") == "op");
  REQUIRE(bench.authority.time_out(id, "clock", 211));
  CHECK(last() == "workload.timeout");
  REQUIRE(bench.claim(id, 220, 1000));
  CHECK(last() == "workload.claim");
  REQUIRE(bench.authority.recover_expired(221));
  CHECK(last() == "workload.recover");
  CHECK(bench.session.audits().back().at("actor") == "workctl.recovery");
  REQUIRE(bench.claim(id, 230));
  REQUIRE(bench.authority.cancel(id, "op", 231));
  CHECK(last() == "workload.cancel");
  REQUIRE(bench.authority.confirm_cancel(id, bench.fence(id, 232)));
  CHECK(last() == "workload.confirm_cancel");
}

TEST_CASE("authority: an agent's work says which agent") {
  Bench bench;
  Json request = sample_request();
  const Json agent{{"kind", "agent"}, {"id", "a-1"}};
  request["requested_by"] = agent;
  request["authorization_snapshot"]["grant"]["subject"] = agent;
  bench.create(request);
  CHECK(bench.session.audits().back().at("agent_id") == "a-1");
}

TEST_CASE("contract code: storage trouble of any kind has one name, all else its own") {
  for (const char* name :
       {"IO_FAILURE", "STORE_NOT_FOUND", "STORE_BUSY", "STORE_DAMAGED", "STORE_TOO_NEW",
        "STORE_UNSAFE", "OUTCOME_UNKNOWN", "TOO_LARGE", "DOCUMENT_UNREADABLE"})
    CHECK(contract_code(ErrorCode{name}) == "WORKLOAD_STORAGE_FAILURE");
  for (const char* name : {"WORKLOAD_CONFLICT", "INVALID_INPUT", "BUG", "SOMETHING_NEW"})
    CHECK(contract_code(ErrorCode{name}) == name);
}

TEST_CASE("store digest: it is that of the object of all documents with their versions") {
  Bench bench;
  CHECK(store_digest(bench.session).value() == hash_value(Json::object()));
  Json all = Json::object();
  for (int i = 0; i < 3; ++i) {
    const std::string id = bench.create();
    all[id] = bench.document(id);
    all[id]["__version"] = 1;
  }
  CHECK(store_digest(bench.session).value() == hash_value(all));
  const std::string first = all.begin().key();
  REQUIRE(bench.claim(first));
  CHECK(versioned_document(bench.session, first).value()->at("__version") == 2);
  CHECK_FALSE(versioned_document(bench.session, "nothing").value());
  CHECK(store_digest(bench.session).value() != hash_value(all));
}

}  // namespace
}  // namespace workctl
