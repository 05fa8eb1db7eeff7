#include <fmt/core.h>

#include <limits>

#include "workctl/base/text.h"
#include "workload/operation_steps.h"

namespace workctl {
namespace {

constexpr std::size_t kReasonCharacters = 256;

}  // namespace

Decision cancel(Workload workload, const std::string& actor, Instant now) {
  if (workload.state() != State::kCancellationRequested) {
    const bool held = may_be_held(workload.state());
    WORKCTL_CHECK(
        workload.transition(held ? State::kCancellationRequested : State::kCancelled, actor, now));
  }
  return {state_answer(workload), std::move(workload)};
}

Decision time_out(Workload workload, const std::string& actor, Instant now) {
  WORKCTL_CHECK(workload.transition(State::kTimedOut, actor, now));
  Json* const attempt = workload.last_attempt();
  if (attempt != nullptr && attempt->at("ended_at").is_null())
    end_attempt(*attempt, "TIMED_OUT", now);
  release_claim(workload);
  if (workload.retries_on("timeout") && !workload.exhausted()) {
    const Json& policy = workload.document().at("retry_policy");
    schedule_retry(workload, policy.at("initial_delay_ms").get<std::uint64_t>(), now);
    WORKCTL_CHECK(workload.transition(State::kReady, "workctl.retry", now));
  } else {
    WORKCTL_CHECK(workload.transition(State::kDeadLetter, "workctl.timeout", now));
  }
  return {state_answer(workload), std::move(workload)};
}

Decision retry(Workload workload, const std::string& actor, Instant now,
               const std::optional<std::string>& reason) {
  const State state = workload.state();
  if (state != State::kFailed && state != State::kDeadLetter && state != State::kTimedOut)
    return failure(errc::kTransitionDenied,
                   fmt::format("workload {} is {}: only FAILED, DEAD_LETTER and TIMED_OUT work can "
                               "be re-armed",
                               printable(workload.id()), state_name(state)));
  const std::uint64_t before = workload.operator_retries();
  if (before >= workload.max_attempts())
    return failure(errc::kRetryExhausted,
                   fmt::format("workload {} was re-armed {} times, and its policy allows {}",
                               printable(workload.id()), before, workload.max_attempts()),
                   "create it anew under another key");
  // Counted below max_attempts, so that the sum stays far below the range of u64.
  const std::uint64_t number = before + 1;
  Json evidence{{"retry", "operator"},
                {"operator_retry", std::to_string(number)},
                {"attempt_budget", std::to_string(std::min<std::uint64_t>(
                                       workload.max_attempts() + number,
                                       std::numeric_limits<std::uint32_t>::max()))}};
  if (reason && !is_blank(*reason)) evidence["reason"] = first_scalars(*reason, kReasonCharacters);
  workload.set("next_attempt_at", now);
  WORKCTL_CHECK(workload.transition(State::kReady, actor, now, std::move(evidence)));
  return {nullptr, std::move(workload)};
}

}  // namespace workctl
