#include <doctest/doctest.h>

#include "workload/bench.h"

namespace workctl {
namespace {

TEST_CASE("recover: a lost worker's attempt ends, and the work is ready at once") {
  Bench bench;
  const std::string id = bench.create({{"retry_policy", policy(3)}});
  const Fence fence = bench.run(id);
  const auto recovered = bench.authority.recover_expired(300);
  REQUIRE(recovered);
  CHECK(*recovered == Json::array({id}));
  const Json& document = bench.document(id);
  CHECK(document.at("state") == "READY");
  CHECK(document.at("current_claim").is_null());
  CHECK(document.at("retry_count") == 0);
  CHECK(document.at("next_attempt_at").is_null());
  CHECK(document.at("last_failure").is_null());
  const Json& attempt = document.at("attempts").at(0);
  CHECK(attempt.at("status") == "WORKER_LOST");
  CHECK(attempt.at("ended_at") == 300);
  CHECK(attempt.at("error") == "worker_lost: claim lease expired");
  const Json& history = document.at("execution_history");
  CHECK(history.at(3).at("to") == "RECOVERING");
  CHECK(history.at(3).at("actor") == "workctl.recovery");
  CHECK(history.at(3).at("evidence") == Json{{"recovery_reason", "lease_expired"},
                                             {"attempts_used", "1"},
                                             {"attempt_budget", "3"},
                                             {"claim_id", fence.claim_id},
                                             {"worker_id", "w"},
                                             {"lease_expired_at", "260"},
                                             {"attempt_id", "attempt_" + id + "_1"}});
  CHECK(history.at(4).at("evidence") == Json{{"decision", "retry"}});
  CHECK(history.at(4).at("actor") == "workctl.recovery");
}

TEST_CASE("recover: leases end at their last instant, and what is not over is left alone") {
  Bench bench;
  const std::string id = bench.create();
  REQUIRE(bench.claim(id, 200, 10'000));
  const std::uint64_t version = bench.version(id);
  CHECK(bench.authority.recover_expired(209).value() == Json::array());
  CHECK(bench.version(id) == version);
  CHECK(bench.authority.recover_expired(210).value() == Json::array({id}));
}

TEST_CASE("recover: a policy without worker failures, or a used budget, ends it") {
  Json rules = policy(3);
  rules["retry_on"] = Json::array({"again"});
  for (const auto& [retry_policy, decision] : {std::pair(rules, "worker_failure_not_retryable"),
                                               std::pair(policy(1), "attempt_budget_exhausted")}) {
    Bench bench;
    const std::string id = bench.create({{"retry_policy", retry_policy}});
    REQUIRE(bench.claim(id));
    REQUIRE(bench.authority.recover_expired(300));
    CHECK(bench.state(id) == "DEAD_LETTER");
    CHECK(bench.last_event(id).at("evidence") == Json{{"decision", decision}});
  }
}

TEST_CASE("recover: work that should be cancelled is") {
  Bench bench;
  const std::string id = bench.create();
  bench.run(id);
  REQUIRE(bench.authority.cancel(id, "op", 205));
  REQUIRE(bench.authority.recover_expired(300));
  CHECK(bench.state(id) == "CANCELLED");
  CHECK(bench.last_event(id).at("evidence").at("recovery_reason") == "lease_expired");
  CHECK(bench.document(id).at("attempts").at(0).at("status") == "WORKER_LOST");
}

TEST_CASE("recover: each in a commit of its own, in order of their ids") {
  Bench bench;
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) {
    ids.push_back(bench.create());
    REQUIRE(bench.claim(ids.back(), 200 - i));
  }
  std::ranges::sort(ids);
  const std::uint64_t revision = bench.session.revision();
  CHECK(bench.authority.recover_expired(1000).value() == Json(ids));
  CHECK(bench.session.revision() == revision + ids.size());
  CHECK(bench.authority.take_staged().size() == 3 * ids.size());
}

TEST_CASE("recover: what another writer changed first is left out, other trouble is not") {
  Bench bench;
  const std::string id = bench.create();
  REQUIRE(bench.claim(id));
  bench.session.refuse_next({errc::kConflict, "another writer was first"});
  CHECK(bench.authority.recover_expired(1000).value() == Json::array());
  bench.session.refuse_next({errc::kIoFailure, "no"});
  CHECK(code_of(bench.authority.recover_expired(1000)) == "IO_FAILURE");
  CHECK(bench.authority.recover_expired(1000).value() == Json::array({id}));
}

TEST_CASE("recover: as an operation, it leaves alone what nobody lost") {
  for (const State state : all_states()) {
    const Decision decision = recover(sample_workload({{"state", state_name(state)}}), 1000);
    REQUIRE(decision.answer);
    CHECK(decision.answer->is_null());
    CHECK_FALSE(decision.next);
  }
}

}  // namespace
}  // namespace workctl
