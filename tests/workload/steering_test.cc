#include <doctest/doctest.h>

#include <limits>

#include "workload/bench.h"

namespace workctl {
namespace {

TEST_CASE("cancel: work that nobody holds is cancelled at once") {
  for (const char* state : {"CREATED", "READY", "FAILED", "DEAD_LETTER"}) {
    const Decision decision = cancel(sample_workload({{"state", state}}), "op", 5);
    REQUIRE(decision.answer);
    CHECK(*decision.answer == "CANCELLED");
    const Json& event = decision.next->document().at("execution_history").back();
    CHECK(event.at("actor") == "op");
    CHECK(event.at("from") == state);
  }
}

TEST_CASE("cancel: a worker is asked, and keeps its claim until it answers") {
  for (const bool started : {false, true}) {
    Bench bench;
    const std::string id = bench.create();
    if (started)
      bench.run(id);
    else
      REQUIRE(bench.claim(id));
    CHECK(bench.authority.cancel(id, "op", 205).value() == "CANCELLATION_REQUESTED");
    CHECK(bench.document(id).at("current_claim").is_object());
  }
}

TEST_CASE("cancel: asked again, nothing but the version moves") {
  Bench bench;
  const std::string id = bench.create();
  bench.run(id);
  REQUIRE(bench.authority.cancel(id, "op", 205));
  const Json before = bench.document(id);
  const std::uint64_t version = bench.version(id);
  CHECK(bench.authority.cancel(id, "other", 206).value() == "CANCELLATION_REQUESTED");
  CHECK(same_value(bench.document(id), before));
  CHECK(bench.version(id) == version + 1);
}

TEST_CASE("cancel: finished work, and work in between, is refused") {
  for (const char* state : {"SUCCEEDED", "CANCELLED", "TIMED_OUT", "RECOVERING"}) {
    const Decision decision = cancel(sample_workload({{"state", state}}), "op", 5);
    CHECK(code_of(decision.answer) == "WORKLOAD_TRANSITION_DENIED");
    CHECK_FALSE(decision.next);
  }
}

TEST_CASE("timeout: the attempt ends, the claim is released, the first delay is waited") {
  Bench bench;
  Json rules = policy(3);
  rules["initial_delay_ms"] = 7000;
  rules["max_delay_ms"] = 1000;
  rules["backoff"] = "exponential";
  const std::string id = bench.create({{"retry_policy", rules}});
  bench.run(id);
  CHECK(bench.authority.time_out(id, "clock", 300).value() == "READY");
  const Json& document = bench.document(id);
  CHECK(document.at("attempts").at(0).at("status") == "TIMED_OUT");
  CHECK(document.at("attempts").at(0).at("ended_at") == 300);
  CHECK(document.at("current_claim").is_null());
  CHECK(document.at("retry_count") == 1);
  CHECK(document.at("next_attempt_at") == 307);
  const Json& history = document.at("execution_history");
  CHECK(history.at(3).at("actor") == "clock");
  CHECK(history.at(4).at("actor") == "workctl.retry");
  REQUIRE(bench.authority.time_out(id, "clock", 301));
  CHECK(bench.document(id).at("next_attempt_at") == 308);
}

TEST_CASE("timeout: an attempt that has ended is left as it ended") {
  Bench bench;
  const std::string id = bench.create({{"retry_policy", policy(3)}});
  REQUIRE(bench.authority.fail(id, bench.run(id), "again", "e"));
  const Json attempts = bench.document(id).at("attempts");
  REQUIRE(bench.authority.time_out(id, "clock", 300));
  CHECK(bench.document(id).at("attempts") == attempts);
}

TEST_CASE("timeout: without budget, or a policy for it, the work is dead-lettered") {
  Json rules = policy(3);
  rules["retry_on"] = Json::array({"again"});
  for (const Json& retry_policy : {policy(0), rules}) {
    const Decision decision =
        time_out(sample_workload({{"retry_policy", retry_policy}}), "clock", 5);
    REQUIRE(decision.answer);
    CHECK(*decision.answer == "DEAD_LETTER");
    CHECK(decision.next->document().at("execution_history").back().at("actor") ==
          "workctl.timeout");
    CHECK(decision.next->retry_count() == 0);
  }
}

TEST_CASE("timeout: the delay saturates") {
  Json rules = policy(3);
  rules["initial_delay_ms"] = kMostU64;
  const Instant last = std::numeric_limits<Instant>::max();
  const Decision decision = time_out(sample_workload({{"retry_policy", rules}}), "clock", last - 1);
  CHECK(decision.next->next_attempt_at() == last);
}

TEST_CASE("timeout: only waiting, claimed and running work runs out of time") {
  for (const State state : all_states()) {
    const Decision decision = time_out(
        sample_workload({{"state", state_name(state)}, {"retry_policy", policy(3)}}), "clock", 5);
    const bool possible = state == State::kReady || state == State::kClaimed ||
                          state == State::kRunning || state == State::kCheckpointed;
    CHECK(decision.answer.has_value() == possible);
  }
}

TEST_CASE("retry: it grants one more attempt, from now on, and says so") {
  Bench bench;
  const std::string id = bench.create({{"retry_policy", policy(1)}});
  REQUIRE(bench.authority.fail(id, bench.run(id), "fatal", "e"));
  const auto retried = bench.authority.retry(id, "op", 500, "dependency restored");
  REQUIRE(retried);
  CHECK(retried->is_null());
  CHECK(bench.document(id).at("next_attempt_at") == 500);
  CHECK(bench.last_event(id) == Json{{"event_type", "workload.ready"},
                                     {"from", "DEAD_LETTER"},
                                     {"to", "READY"},
                                     {"actor", "op"},
                                     {"at", 500},
                                     {"evidence",
                                      {{"retry", "operator"},
                                       {"operator_retry", "1"},
                                       {"attempt_budget", "2"},
                                       {"reason", "dependency restored"}}}});
  CHECK(code_of(bench.claim(id, 499)) == "WORKLOAD_NOT_YET_ELIGIBLE");
  REQUIRE(bench.claim(id, 500));
  REQUIRE(bench.authority.start(id, bench.fence(id, 500)));
  REQUIRE(bench.authority.fail(id, bench.fence(id, 500), "again", "e"));
  CHECK(bench.state(id) == "DEAD_LETTER");
  CHECK(code_of(bench.authority.retry(id, "op", 501, {})) == "WORKLOAD_RETRY_EXHAUSTED");
}

TEST_CASE("retry: a reason is kept as it is, its first 256 characters, unless it is blank") {
  const auto evidence = [](const std::optional<std::string>& reason) {
    const Decision decision = retry(sample_workload({{"state", "FAILED"}}), "op", 5, reason);
    REQUIRE(decision.next);
    return decision.next->document().at("execution_history").back().at("evidence");
  };
  const auto times = [](const std::string& text, int count) {
    std::string repeated;
    for (int i = 0; i < count; ++i) repeated += text;
    return repeated;
  };
  for (const char* blank : {"", " ", "\t\r\n", "\u00a0\u3000\u2028"})
    CHECK_FALSE(evidence(blank).contains("reason"));
  CHECK_FALSE(evidence({}).contains("reason"));
  CHECK(evidence(" padded ").at("reason") == " padded ");
  CHECK(evidence(times("x", 257)).at("reason") == times("x", 256));
  CHECK(evidence(times("\U0001F600", 300)).at("reason") == times("\U0001F600", 256));
}

TEST_CASE("retry: only failed, dead and timed out work") {
  for (const State state : all_states()) {
    const Decision decision = retry(sample_workload({{"state", state_name(state)}}), "op", 5, {});
    const bool possible =
        state == State::kFailed || state == State::kDeadLetter || state == State::kTimedOut;
    CHECK(code_of(decision.answer) == (possible ? "not refused" : "WORKLOAD_TRANSITION_DENIED"));
    CHECK(decision.next.has_value() == possible);
  }
}

TEST_CASE("retry: the budget in the evidence saturates") {
  const Decision decision = retry(
      sample_workload({{"state", "FAILED"}, {"retry_policy", policy(4294967295)}}), "op", 5, {});
  REQUIRE(decision.next);
  CHECK(decision.next->document()
            .at("execution_history")
            .back()
            .at("evidence")
            .at("attempt_budget") == "4294967295");
}

}  // namespace
}  // namespace workctl
