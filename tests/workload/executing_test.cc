#include <doctest/doctest.h>

#include "workload/bench.h"

namespace workctl {
namespace {

TEST_CASE("start: claimed work runs from now on, once") {
  Bench bench;
  const std::string id = bench.create();
  REQUIRE(bench.claim(id));
  const auto started = bench.authority.start(id, bench.fence(id, 205));
  REQUIRE(started);
  CHECK(started->is_null());
  CHECK(bench.state(id) == "RUNNING");
  CHECK(bench.document(id).at("attempts").at(0).at("started_at") == 205);
  CHECK(bench.document(id).at("attempts").at(0).at("status") == "RUNNING");
  CHECK(code_of(bench.authority.start(id, bench.fence(id))) == "WORKLOAD_TRANSITION_DENIED");
}

TEST_CASE("heartbeat: it moves the lease without an event, also to an earlier end") {
  Bench bench;
  const std::string id = bench.create();
  const Fence fence = bench.run(id);
  const std::size_t events = bench.document(id).at("execution_history").size();
  const auto longer = bench.authority.heartbeat(id, fence, 500'000);
  REQUIRE(longer);
  CHECK(longer->at("expires_at") == 710);
  CHECK(longer->at("last_heartbeat") == 210);
  CHECK(bench.document(id).at("current_claim") == *longer);
  const auto shorter = bench.authority.heartbeat(id, fence, 1999);
  REQUIRE(shorter);
  CHECK(shorter->at("expires_at") == 211);
  CHECK(bench.document(id).at("execution_history").size() == events);
  CHECK(bench.document(id).at("updated_at") == 200);
}

TEST_CASE("heartbeat: a worker that is asked to stop may still hold its lease") {
  Bench bench;
  const std::string id = bench.create();
  const Fence fence = bench.run(id);
  REQUIRE(bench.authority.cancel(id, "op", 205));
  CHECK(bench.authority.heartbeat(id, fence, 1000));
  CHECK(code_of(bench.authority.checkpoint(id, fence, 1)) == "WORKLOAD_TRANSITION_DENIED");
  CHECK(code_of(bench.authority.fail(id, fence, "again", "e")) == "WORKLOAD_TRANSITION_DENIED");
}

TEST_CASE("context: it says what the worker needs, and takes references only") {
  Bench bench;
  const std::string id = bench.create({{"connection_scopes", Json::array({"smtp"})}});
  const Fence fence = bench.run(id);
  const std::uint64_t version = bench.version(id);
  const auto context = bench.authority.execution_context(id, fence, {"secret://b", "secret://a"});
  REQUIRE(context);
  CHECK(*context == Json{{"workload_id", id},
                         {"attempt_id", "attempt_" + id + "_1"},
                         {"worker_id", "w"},
                         {"capabilities", Json::array({"mail"})},
                         {"connection_scopes", Json::array({"smtp"})},
                         {"secret_references", Json::array({"secret://b", "secret://a"})},
                         {"expires_at", 260},
                         {"fencing_token", 1}});
  for (const char* reference : {"", "SECRET://a", "secret:/a", "plain"})
    CHECK(code_of(bench.authority.execution_context(id, fence, {"secret://a", reference})) ==
          "WORKLOAD_SECRET_REJECTED");
  CHECK(bench.version(id) == version);
}

TEST_CASE("checkpoint: they count over all attempts, and only the first of a run is an event") {
  Bench bench;
  const std::string id = bench.create({{"retry_policy", policy(3)}});
  Fence fence = bench.run(id);
  const auto first = bench.authority.checkpoint(id, fence, {{"at", 1}});
  REQUIRE(first);
  CHECK(*first == Json{{"checkpoint_id", "checkpoint_" + id + "_1"},
                       {"workload_id", id},
                       {"attempt_id", "attempt_" + id + "_1"},
                       {"sequence", 1},
                       {"state", {{"at", 1}}},
                       {"state_hash", hash_value({{"at", 1}})},
                       {"created_at", 210},
                       {"produced_by", "w"}});
  CHECK(bench.state(id) == "CHECKPOINTED");
  const std::size_t events = bench.document(id).at("execution_history").size();
  REQUIRE(bench.authority.checkpoint(id, fence, 2));
  CHECK(bench.document(id).at("execution_history").size() == events);
  REQUIRE(bench.authority.fail(id, fence, "again", "e"));
  REQUIRE(bench.claim(id, 220));
  CHECK(code_of(bench.authority.checkpoint(id, bench.fence(id, 220), 3)) ==
        "WORKLOAD_TRANSITION_DENIED");
  REQUIRE(bench.authority.start(id, bench.fence(id, 220)));
  const auto third = bench.authority.checkpoint(id, bench.fence(id, 220), 3);
  REQUIRE(third);
  CHECK(third->at("sequence") == 3);
  CHECK(third->at("attempt_id") == "attempt_" + id + "_2");
}

TEST_CASE("complete: the result is kept, and the claim is not") {
  Bench bench;
  const std::string id = bench.create();
  const Fence fence = bench.run(id);
  const auto result = bench.authority.complete(id, fence, {"r", {{"sent", 1}}, {"b", "a", "b"}, 7});
  REQUIRE(result);
  CHECK(*result == Json{{"result_id", "r"},
                        {"workload_id", id},
                        {"attempt_id", "attempt_" + id + "_1"},
                        {"status", "succeeded"},
                        {"output", {{"sent", 1}}},
                        {"output_hash", hash_value({{"sent", 1}})},
                        {"artifacts", Json::array({"b", "a", "b"})},
                        {"provenance", {{"claim_id", fence.claim_id}, {"fencing_token", "1"}}},
                        {"produced_by", "w"},
                        {"created_at", 210},
                        {"schema_version", 7}});
  const Json& document = bench.document(id);
  CHECK(document.at("state") == "SUCCEEDED");
  CHECK(document.at("result") == *result);
  CHECK(document.at("current_claim").is_null());
  CHECK(document.at("attempts").at(0).at("status") == "SUCCEEDED");
  CHECK(document.at("attempts").at(0).at("ended_at") == 210);
  CHECK(document.at("attempts").at(0).at("result_hash") == result->at("output_hash"));
}

TEST_CASE("complete: a known result is answered again, whoever asks and whatever the output") {
  Bench bench;
  const std::string id = bench.create();
  const Fence fence = bench.run(id);
  const auto result = bench.authority.complete(id, fence, {"r", 1, {}, 1});
  REQUIRE(result);
  const std::uint64_t version = bench.version(id);
  const auto again = bench.authority.complete(id, {"x", "y", 9, 0}, {"r", 2, {"z"}, 3});
  REQUIRE(again);
  CHECK(*again == *result);
  CHECK(bench.version(id) == version);
  CHECK(code_of(bench.authority.complete(id, {"x", "y", 9, 0}, {"r", "sk-1", {}, 1})) ==
        "WORKLOAD_SECRET_REJECTED");
}

TEST_CASE("complete: result ids are one space, looked for before the workload") {
  Bench bench;
  const std::string first = bench.create();
  REQUIRE(bench.authority.complete(first, bench.run(first), {"r", 1, {}, 1}));
  const std::string second = bench.create();
  const Fence fence = bench.run(second);
  CHECK(code_of(bench.authority.complete(second, fence, {"r", 1, {}, 1})) ==
        "WORKLOAD_RESULT_DUPLICATE");
  CHECK(code_of(bench.authority.complete("nothing", fence, {"r", 1, {}, 1})) ==
        "WORKLOAD_RESULT_DUPLICATE");
  CHECK(code_of(bench.authority.complete("nothing", fence, {"s", 1, {}, 1})) ==
        "WORKLOAD_NOT_FOUND");
  CHECK(bench.state(second) == "RUNNING");
}

TEST_CASE("fail: a kind that the policy retries makes the work ready again") {
  Bench bench;
  const std::string id = bench.create({{"retry_policy", policy(2)}});
  const Fence fence = bench.run(id);
  const auto left = bench.authority.fail(id, fence, "again", "no: \u00e9");
  REQUIRE(left);
  CHECK(*left == "READY");
  const Json& document = bench.document(id);
  CHECK(document.at("last_failure") == "again: no: \u00e9");
  CHECK(document.at("retry_count") == 1);
  CHECK(document.at("next_attempt_at") == 210);
  CHECK(document.at("current_claim").is_null());
  CHECK(document.at("attempts").at(0).at("status") == "FAILED");
  CHECK(document.at("attempts").at(0).at("error") == "no: \u00e9");
  const Json& history = document.at("execution_history");
  CHECK(history.at(3).at("evidence") == Json{{"failure_kind", "again"}});
  CHECK(history.at(4).at("actor") == "workctl.retry");
}

TEST_CASE("fail: other kinds, and a used budget, end in DEAD_LETTER") {
  Bench bench;
  for (const char* kind : {"Again", "again ", "", "fatal"}) {
    const std::string id = bench.create({{"retry_policy", policy(3)}});
    const auto left = bench.authority.fail(id, bench.run(id), kind, "e");
    REQUIRE(left);
    CHECK(*left == "DEAD_LETTER");
    CHECK(bench.document(id).at("retry_count") == 0);
  }
  const std::string id = bench.create({{"retry_policy", policy(1)}});
  CHECK(bench.authority.fail(id, bench.run(id), "again", "e").value() == "DEAD_LETTER");
  CHECK(bench.document(id).at("execution_history").back().at("actor") == "workctl.retry");
}

/// Milliseconds that the next automatic retry waits, after `retries` before it.
Instant delay_after(const char* backoff, std::uint64_t initial, std::uint64_t most,
                    std::uint32_t retries, Instant now = 0) {
  Json rules = policy(kMostU32);
  rules["backoff"] = backoff;
  rules["initial_delay_ms"] = initial;
  rules["max_delay_ms"] = most;
  Decision claimed = claim(sample_workload({{"retry_policy", rules}, {"retry_count", retries}}),
                           "w", {"mail"}, now - 1, kMostU64);
  REQUIRE(claimed.next);
  const Json& held = claimed.next->current_claim();
  const Fence fence{held.at("claim_id"), "w", held.at("fencing_token"), now};
  Decision started = start(std::move(*claimed.next), fence);
  REQUIRE(started.next);
  const Decision failed = fail(std::move(*started.next), fence, "again", "e");
  REQUIRE(failed.next);
  return failed.next->next_attempt_at().value();
}

TEST_CASE("fail: the delay doubles with each retry, up to the most, or stays") {
  CHECK(delay_after("exponential", 1500, 300'000, 0) == 1);
  CHECK(delay_after("exponential", 1500, 300'000, 1) == 3);
  CHECK(delay_after("exponential", 1500, 300'000, 3) == 12);
  CHECK(delay_after("exponential", 1500, 20'000, 5) == 20);
  CHECK(delay_after("fixed", 1500, 300'000, 5) == 1);
  CHECK(delay_after("fixed", 5000, 3500, 0) == 3);
  CHECK(delay_after("exponential", 333, 100'000, 3) == 2);
}

TEST_CASE("fail: delays saturate at the ends of every range") {
  const Instant longest = 18446744073709551;
  CHECK(delay_after("exponential", 1, kMostU64, 62) == 4611686018427387);
  CHECK(delay_after("exponential", 1, kMostU64, 63) == 9223372036854775);
  CHECK(delay_after("exponential", 1, kMostU64, 64) == longest);
  CHECK(delay_after("exponential", 2, kMostU64, 63) == longest);
  CHECK(delay_after("exponential", 3, kMostU64, 63) == longest);
  CHECK(delay_after("exponential", 1, kMostU64, kMostU32) == longest);
  CHECK(delay_after("exponential", 0, kMostU64, kMostU32) == 0);
  CHECK(delay_after("exponential", kMostU64, kMostU64, 0) == longest);
  CHECK(delay_after("fixed", kMostU64, kMostU64, kMostU32, kLast - 1) == kLast);
}

TEST_CASE("fail: the count of retries stops at the end of its range") {
  Workload workload =
      sample_workload({{"retry_policy", policy(kMostU32)}, {"retry_count", kMostU32}});
  const Decision decision = time_out(std::move(workload), "op", 5);
  REQUIRE(decision.next);
  CHECK(decision.next->retry_count() == kMostU32);
}

TEST_CASE("confirm-cancel: only work that somebody asked to cancel") {
  Bench bench;
  const std::string id = bench.create();
  const Fence fence = bench.run(id);
  CHECK(code_of(bench.authority.confirm_cancel(id, fence)) == "WORKLOAD_TRANSITION_DENIED");
  REQUIRE(bench.authority.cancel(id, "op", 205));
  const auto confirmed = bench.authority.confirm_cancel(id, fence);
  REQUIRE(confirmed);
  CHECK(confirmed->is_null());
  const Json& document = bench.document(id);
  CHECK(document.at("state") == "CANCELLED");
  CHECK(document.at("current_claim").is_null());
  CHECK(document.at("attempts").at(0).at("status") == "CANCELLED");
  CHECK(document.at("attempts").at(0).at("ended_at") == 210);
}

}  // namespace
}  // namespace workctl
