#include "workload/walk_model.h"

#include <algorithm>

namespace workctl {

std::string WalkModel::claim(const std::string& worker, bool capable, Instant now,
                             Instant lease_s) {
  if (state != "READY") return "WORKLOAD_NOT_READY";
  if (spent()) {
    move("DEAD_LETTER");
    return "WORKLOAD_ATTEMPTS_EXHAUSTED";
  }
  if (eligible_at && now < *eligible_at) return "WORKLOAD_NOT_YET_ELIGIBLE";
  if (!capable) return "WORKLOAD_CAPABILITY_DENIED";
  ++token;
  ++claims;
  held = Claim{worker, token, now + lease_s};
  attempts.push_back("CLAIMED");
  move("CLAIMED");
  return kAgreed;
}

std::string WalkModel::start(const ModelFence& fence) {
  if (const auto refusal = fenced(fence); !refusal.empty()) return refusal;
  if (state != "CLAIMED") return "WORKLOAD_TRANSITION_DENIED";
  attempts.back() = "RUNNING";
  move("RUNNING");
  return kAgreed;
}

std::string WalkModel::heartbeat(const ModelFence& fence, Instant extend_s) {
  if (const auto refusal = fenced(fence); !refusal.empty()) return refusal;
  held->ends_at = fence.now + extend_s;
  return kAgreed;
}

std::string WalkModel::checkpoint(const ModelFence& fence) {
  if (const auto refusal = fenced(fence); !refusal.empty()) return refusal;
  if (state == "RUNNING")
    move("CHECKPOINTED");
  else if (state != "CHECKPOINTED")
    return "WORKLOAD_TRANSITION_DENIED";
  attempts.back() = "CHECKPOINTED";
  ++checkpoints;
  return kAgreed;
}

std::string WalkModel::complete(const ModelFence& fence, const std::string& result_id) {
  if (result == result_id) return kAgreed;
  if (const auto refusal = fenced(fence); !refusal.empty()) return refusal;
  if (state != "RUNNING" && state != "CHECKPOINTED") return "WORKLOAD_TRANSITION_DENIED";
  attempts.back() = "SUCCEEDED";
  result = result_id;
  held.reset();
  move("SUCCEEDED");
  return kAgreed;
}

std::string WalkModel::fail(const ModelFence& fence, const std::string& kind) {
  if (const auto refusal = fenced(fence); !refusal.empty()) return refusal;
  if (state != "RUNNING" && state != "CHECKPOINTED") return "WORKLOAD_TRANSITION_DENIED";
  attempts.back() = "FAILED";
  held.reset();
  move("FAILED");
  if (!retries_on(kind) || spent()) {
    move("DEAD_LETTER");
    return kAgreed;
  }
  std::uint64_t delay = policy.initial_delay_s;
  for (std::uint64_t i = 0; policy.exponential && i < retries && delay < policy.max_delay_s; ++i)
    delay *= 2;
  ++retries;
  eligible_at = fence.now + static_cast<Instant>(std::min(delay, policy.max_delay_s));
  move("READY");
  return kAgreed;
}

std::string WalkModel::confirm_cancel(const ModelFence& fence) {
  if (const auto refusal = fenced(fence); !refusal.empty()) return refusal;
  if (state != "CANCELLATION_REQUESTED") return "WORKLOAD_TRANSITION_DENIED";
  attempts.back() = "CANCELLED";
  held.reset();
  move("CANCELLED");
  return kAgreed;
}

std::string WalkModel::cancel() {
  if (state == "READY" || state == "FAILED" || state == "DEAD_LETTER")
    move("CANCELLED");
  else if (state == "CLAIMED" || state == "RUNNING" || state == "CHECKPOINTED")
    move("CANCELLATION_REQUESTED");
  else if (state != "CANCELLATION_REQUESTED")
    return "WORKLOAD_TRANSITION_DENIED";
  return kAgreed;
}

std::string WalkModel::time_out(Instant now) {
  if (state != "READY" && state != "CLAIMED" && state != "RUNNING" && state != "CHECKPOINTED")
    return "WORKLOAD_TRANSITION_DENIED";
  if (state != "READY") attempts.back() = "TIMED_OUT";
  held.reset();
  move("TIMED_OUT");
  if (!retries_on("timeout") || spent()) {
    move("DEAD_LETTER");
    return kAgreed;
  }
  ++retries;
  eligible_at = now + static_cast<Instant>(policy.initial_delay_s);
  move("READY");
  return kAgreed;
}

std::string WalkModel::retry(Instant now) {
  if (state != "FAILED" && state != "DEAD_LETTER" && state != "TIMED_OUT")
    return "WORKLOAD_TRANSITION_DENIED";
  if (rearms >= policy.max_attempts) return "WORKLOAD_RETRY_EXHAUSTED";
  ++rearms;
  eligible_at = now;
  move("READY");
  return kAgreed;
}

bool WalkModel::recover(Instant now) {
  if (!held || held->ends_at > now) return false;
  attempts.back() = "WORKER_LOST";
  held.reset();
  if (state == "CANCELLATION_REQUESTED") {
    move("CANCELLED");
    return true;
  }
  move("RECOVERING");
  move(retries_on("worker_failure") && !spent() ? "READY" : "DEAD_LETTER");
  return true;
}

bool WalkModel::ready(bool capable, Instant now) const {
  return state == "READY" && capable && (!eligible_at || *eligible_at <= now);
}

std::string WalkModel::fenced(const ModelFence& fence) const {
  if (!held) return "WORKLOAD_CLAIM_INVALID";
  if (held->worker != fence.worker || held->token != fence.token) return "WORKLOAD_STALE_FENCE";
  if (held->ends_at <= fence.now) return "WORKLOAD_LEASE_EXPIRED";
  return "";
}

bool WalkModel::retries_on(const std::string& kind) const {
  return std::ranges::find(policy.retry_on, kind) != policy.retry_on.end();
}

void WalkModel::move(const char* to) {
  state = to;
  ++events;
}

}  // namespace workctl
