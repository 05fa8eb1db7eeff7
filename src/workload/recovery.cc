#include "workload/operation_steps.h"

namespace workctl {
namespace {

constexpr std::string_view kRecoverer = "workctl.recovery";

/// What happened, as the events of a recovery tell it.
Json evidence_of(const Workload& workload) {
  const Json& claim = workload.current_claim();
  Json evidence{{"recovery_reason", "lease_expired"},
                {"attempts_used", std::to_string(workload.attempt_count())},
                {"attempt_budget", std::to_string(workload.attempt_budget())},
                {"claim_id", claim.at("claim_id")},
                {"worker_id", claim.at("worker_id")},
                {"lease_expired_at", std::to_string(claim.at("expires_at").get<Instant>())}};
  if (const Json* attempt = workload.last_attempt())
    evidence["attempt_id"] = attempt->at("attempt_id");
  return evidence;
}

/// Where RECOVERING work goes, and why.
Result<void> dispose(Workload& workload, Instant now) {
  if (!workload.retries_on("worker_failure"))
    return workload.transition(State::kDeadLetter, kRecoverer, now,
                               {{"decision", "worker_failure_not_retryable"}});
  if (workload.exhausted())
    return workload.transition(State::kDeadLetter, kRecoverer, now,
                               {{"decision", "attempt_budget_exhausted"}});
  return workload.transition(State::kReady, kRecoverer, now, {{"decision", "retry"}});
}

}  // namespace

Decision recover(Workload workload, Instant now) {
  const Json& claim = workload.current_claim();
  if (!may_be_held(workload.state()) || claim.is_null() ||
      claim.at("expires_at").get<Instant>() > now)
    return Decision(Json());
  Json evidence = evidence_of(workload);
  if (Json* attempt = workload.last_attempt()) {
    end_attempt(*attempt, "WORKER_LOST", now);
    (*attempt)["error"] = "worker_lost: claim lease expired";
  }
  release_claim(workload);
  if (workload.state() == State::kCancellationRequested) {
    WORKCTL_CHECK(workload.transition(State::kCancelled, kRecoverer, now, std::move(evidence)));
  } else {
    WORKCTL_CHECK(workload.transition(State::kRecovering, kRecoverer, now, std::move(evidence)));
    WORKCTL_CHECK(dispose(workload, now));
  }
  return {state_answer(workload), std::move(workload)};
}

}  // namespace workctl
