#include <doctest/doctest.h>

#include "workload/bench.h"

namespace workctl {
namespace {

/// Every operation that a worker does under its claim, by name.
std::vector<std::pair<const char*, Result<Json>>> attempt_all(Authority& authority,
                                                              const std::string& id,
                                                              const Fence& fence) {
  std::vector<std::pair<const char*, Result<Json>>> answers;
  answers.emplace_back("start", authority.start(id, fence));
  answers.emplace_back("heartbeat", authority.heartbeat(id, fence, 1000));
  answers.emplace_back("context", authority.execution_context(id, fence, {"plain"}));
  answers.emplace_back("checkpoint", authority.checkpoint(id, fence, 1));
  answers.emplace_back("complete", authority.complete(id, fence, {"r", 1, {}, 1}));
  answers.emplace_back("fail", authority.fail(id, fence, "kind", "error"));
  answers.emplace_back("confirm_cancel", authority.confirm_cancel(id, fence));
  return answers;
}

void check_all_refused(Bench& bench, const std::string& id, const Fence& fence, const char* code) {
  const std::uint64_t version = bench.version(id);
  for (const auto& [operation, answer] : attempt_all(bench.authority, id, fence)) {
    CAPTURE(operation);
    CHECK(code_of(answer) == code);
    if (!answer) CHECK(answer.error().workload_id == id);
  }
  CHECK(bench.version(id) == version);
}

TEST_CASE("fence: nobody acts without a claim") {
  Bench bench;
  const std::string id = bench.create();
  check_all_refused(bench, id, {"claim_x", "w", 1, 200}, "WORKLOAD_CLAIM_INVALID");
}

TEST_CASE("fence: claim, worker and token must all be the current ones") {
  Bench bench;
  const std::string id = bench.create();
  REQUIRE(bench.claim(id));
  const Fence good = bench.fence(id);
  Fence stale = good;
  stale.claim_id += "x";
  check_all_refused(bench, id, stale, "WORKLOAD_STALE_FENCE");
  stale = good;
  stale.worker_id += "x";
  check_all_refused(bench, id, stale, "WORKLOAD_STALE_FENCE");
  stale = good;
  stale.token = 0;
  check_all_refused(bench, id, stale, "WORKLOAD_STALE_FENCE");
  stale.now = 100'000;
  check_all_refused(bench, id, stale, "WORKLOAD_STALE_FENCE");
}

TEST_CASE("fence: a lease has ended at its last instant") {
  Bench bench;
  const std::string id = bench.create();
  REQUIRE(bench.claim(id, 200, 10'000));
  check_all_refused(bench, id, bench.fence(id, 210), "WORKLOAD_LEASE_EXPIRED");
  CHECK(bench.authority.heartbeat(id, bench.fence(id, 209), 1000));
}

TEST_CASE("fence: a claim without an attempt can only be kept or lost") {
  Bench bench;
  const std::string id = bench.create();
  const Fence fence = bench.run(id);
  bench.alter(id, {{"attempts", Json::array()}});
  const std::string code = "WORKLOAD_CLAIM_INVALID";
  CHECK(code_of(bench.authority.start(id, fence)) == code);
  CHECK(code_of(bench.authority.execution_context(id, fence, {})) == code);
  CHECK(code_of(bench.authority.checkpoint(id, fence, 1)) == code);
  CHECK(code_of(bench.authority.complete(id, fence, {"r", 1, {}, 1})) == code);
  CHECK(code_of(bench.authority.fail(id, fence, "again", "e")) == code);
  CHECK(bench.authority.heartbeat(id, fence, 1000));
  REQUIRE(bench.authority.cancel(id, "op", 210));
  CHECK(code_of(bench.authority.confirm_cancel(id, fence)) == code);
  const auto recovered = bench.authority.recover_expired(100'000);
  REQUIRE(recovered);
  CHECK(*recovered == Json::array({id}));
  CHECK(bench.state(id) == "CANCELLED");
}

}  // namespace
}  // namespace workctl
