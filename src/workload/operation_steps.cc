#include "workload/operation_steps.h"

#include <fmt/core.h>

#include <limits>

#include "workctl/base/text.h"
#include "workctl/base/time_text.h"

namespace workctl {

Result<void> check_fence(const Workload& workload, const Fence& fence) {
  const Json& claim = workload.current_claim();
  if (claim.is_null())
    return failure(errc::kClaimInvalid,
                   fmt::format("workload {} is {}, and nobody holds a claim on it",
                               printable(workload.id()), state_name(workload.state())));
  if (claim.at("claim_id") != fence.claim_id || claim.at("worker_id") != fence.worker_id ||
      claim.at("fencing_token") != fence.token)
    return failure(
        errc::kStaleFence,
        fmt::format("claim {} of worker {} with token {} is not the current one of workload {}: "
                    "token {} is",
                    printable(fence.claim_id), printable(fence.worker_id), fence.token,
                    printable(workload.id()), claim.at("fencing_token").get<std::uint64_t>()),
        "stop this work: it belongs to another attempt");
  const auto expires_at = claim.at("expires_at").get<Instant>();
  if (expires_at <= fence.now)
    return failure(
        errc::kLeaseExpired,
        fmt::format("the lease of claim {} on workload {} ended at {}", printable(fence.claim_id),
                    printable(workload.id()), format_instant(expires_at)),
        "stop this work: it may be given to another worker at any time");
  return {};
}

Result<Json*> fenced_attempt(Workload& workload, const Fence& fence) {
  WORKCTL_CHECK(check_fence(workload, fence));
  Json* const attempt = workload.last_attempt();
  if (attempt == nullptr)
    return failure(errc::kClaimInvalid,
                   fmt::format("workload {} is claimed, but holds no attempt that the claim could "
                               "belong to",
                               printable(workload.id())),
                   "let the lease end and recover it");
  return attempt;
}

void end_attempt(Json& attempt, std::string_view status, Instant at) {
  attempt["status"] = status;
  attempt["ended_at"] = at;
}

void release_claim(Workload& workload) { workload.set("current_claim", nullptr); }

void schedule_retry(Workload& workload, std::uint64_t delay_ms, Instant now) {
  const std::uint32_t retries = workload.retry_count();
  if (retries < std::numeric_limits<std::uint32_t>::max()) workload.set("retry_count", retries + 1);
  workload.set("next_attempt_at", add_milliseconds(now, delay_ms));
}

Json state_answer(const Workload& workload) { return state_name(workload.state()); }

}  // namespace workctl
