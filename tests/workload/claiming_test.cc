#include <doctest/doctest.h>

#include <limits>

#include "workctl/base/digest.h"
#include "workload/bench.h"

namespace workctl {
namespace {

Decision claim_at(Workload workload, Instant now, std::uint64_t lease_ms = 1000,
                  const std::set<std::string>& capabilities = {"mail"}) {
  return claim(std::move(workload), "w", capabilities, now, lease_ms);
}

TEST_CASE("claim: ready work is given away under a new token") {
  const Decision decision = claim_at(sample_workload(), 200, 2999);
  REQUIRE(decision.answer);
  REQUIRE(decision.next);
  const Json& document = decision.next->document();
  const std::string id = decision.next->id();
  const Json claim{{"claim_id", "claim_" + sha256_hex(id + ":1:w").substr(0, 20)},
                   {"workload_id", id},
                   {"worker_id", "w"},
                   {"lease_id", "lease_1"},
                   {"fencing_token", 1},
                   {"capability_snapshot", Json::array({"mail"})},
                   {"claimed_at", 200},
                   {"expires_at", 202},
                   {"last_heartbeat", 200}};
  CHECK(*decision.answer == claim);
  CHECK(document.at("current_claim") == claim);
  CHECK(document.at("state") == "CLAIMED");
  CHECK(document.at("attempt_count") == 1);
  CHECK(document.at("attempts").size() == 1);
  const Json& attempt = document.at("attempts").at(0);
  CHECK(attempt.at("attempt_id") == "attempt_" + id + "_1");
  CHECK(attempt.at("status") == "CLAIMED");
  CHECK(attempt.at("started_at").is_null());
  CHECK(document.at("execution_history").back().at("evidence") == Json{{"fencing_token", "1"}});
}

TEST_CASE("claim: the claim holds what the work requires, not what the worker can do") {
  const Decision decision = claim_at(sample_workload(), 200, 1000, {"mail", "gpu"});
  REQUIRE(decision.answer);
  CHECK(decision.answer->at("capability_snapshot") == Json::array({"mail"}));
}

TEST_CASE("claim: refusals change nothing, and come in the contract's order") {
  const auto refused = [](const Json& changes, const char* code) {
    const Decision decision = claim_at(sample_workload(changes), 200, 1000, {});
    CHECK(code_of(decision.answer) == code);
    CHECK_FALSE(decision.next);
  };
  refused({{"state", "CLAIMED"}, {"retry_policy", policy(0)}}, "WORKLOAD_NOT_READY");
  refused({{"next_attempt_at", 201}}, "WORKLOAD_NOT_YET_ELIGIBLE");
  refused({{"next_attempt_at", 200}}, "WORKLOAD_CAPABILITY_DENIED");
}

TEST_CASE("claim: a refusal names what is in the way") {
  const Decision early = claim_at(sample_workload({{"next_attempt_at", 1'700'000'000}}), 200);
  CHECK(early.answer.error().message.find("2023-11-14T22:13:20Z") != std::string::npos);
  const Decision unable = claim_at(sample_workload(), 200, 1000, {"other"});
  CHECK(unable.answer.error().message.find("worker w lacks capability mail") != std::string::npos);
}

TEST_CASE("claim: exhausted work is dead-lettered, though the worker comes early and unable") {
  const Decision decision = claim_at(
      sample_workload({{"retry_policy", policy(0)}, {"next_attempt_at", 900}}), 200, 1000, {});
  CHECK(code_of(decision.answer) == "WORKLOAD_ATTEMPTS_EXHAUSTED");
  REQUIRE(decision.next);
  CHECK(decision.next->state() == State::kDeadLetter);
  const Json& event = decision.next->document().at("execution_history").back();
  CHECK(event.at("actor") == "workctl.claim");
  CHECK(event.at("evidence") == Json{{"reason", "attempt_budget_exhausted"},
                                     {"attempts_used", "0"},
                                     {"attempt_budget", "0"}});
}

TEST_CASE("claim: a lease ends within the range of instants") {
  const auto expires_at = [](Instant now, std::uint64_t lease_ms) {
    const Decision decision = claim_at(sample_workload(), now, lease_ms);
    REQUIRE(decision.answer);
    return decision.answer->at("expires_at").get<Instant>();
  };
  CHECK(expires_at(0, 999) == 0);
  CHECK(expires_at(-5, 1000) == -4);
  CHECK(expires_at(0, kMostU64) == 18446744073709551);
  CHECK(expires_at(kLast, 1000) == kLast);
  CHECK(expires_at(kLast - 1, kMostU64) == kLast);
  CHECK(expires_at(std::numeric_limits<Instant>::min(), 0) == std::numeric_limits<Instant>::min());
}

TEST_CASE("claim: the last token can be given, and none is given twice") {
  const Decision last = claim_at(sample_workload({{"fencing_token", kMostU64 - 1}}), 200);
  REQUIRE(last.answer);
  CHECK(last.answer->at("fencing_token") == kMostU64);
  const Decision none = claim_at(sample_workload({{"fencing_token", kMostU64}}), 200);
  CHECK(code_of(none.answer) == "WORKLOAD_CLAIM_INVALID");
  CHECK_FALSE(none.next);
}

}  // namespace
}  // namespace workctl
