#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "workctl/base/text.h"
#include "workload/operation_steps.h"

namespace workctl {
namespace {

constexpr std::string_view kSecretReferencePrefix = "secret://";

std::unexpected<Error> denied(const Workload& workload, std::string_view what) {
  return failure(errc::kTransitionDenied,
                 fmt::format("workload {} is {}: {}", printable(workload.id()),
                             state_name(workload.state()), what));
}

/// `initial_delay_ms`, doubled for each automatic retry before this one where the policy says so,
/// and capped.
std::uint64_t backoff_ms(const Workload& workload) {
  const Json& policy = workload.document().at("retry_policy");
  const auto largest = policy.at("max_delay_ms").get<std::uint64_t>();
  auto delay = policy.at("initial_delay_ms").get<std::uint64_t>();
  if (policy.at("backoff") == "exponential" && delay != 0) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    const std::uint32_t doublings = workload.retry_count();
    const bool overflows = doublings >= 64 || delay > (kMost >> doublings);
    delay = overflows ? kMost : delay << doublings;
  }
  return std::min(delay, largest);
}

}  // namespace

Decision start(Workload workload, const Fence& fence) {
  WORKCTL_TRY(Json * attempt, fenced_attempt(workload, fence));
  WORKCTL_CHECK(workload.transition(State::kRunning, fence.worker_id, fence.now));
  (*attempt)["status"] = "RUNNING";
  (*attempt)["started_at"] = fence.now;
  return {nullptr, std::move(workload)};
}

Decision heartbeat(Workload workload, const Fence& fence, std::uint64_t extend_ms) {
  WORKCTL_CHECK(check_fence(workload, fence));
  Json& claim = workload.member("current_claim");
  claim["last_heartbeat"] = fence.now;
  claim["expires_at"] = add_milliseconds(fence.now, extend_ms);
  Json answer = claim;
  return {std::move(answer), std::move(workload)};
}

Decision execution_context(const Workload& workload, const Fence& fence,
                           const std::vector<std::string>& secret_references) {
  WORKCTL_CHECK(check_fence(workload, fence));
  const Json* const attempt = workload.last_attempt();
  if (attempt == nullptr)
    return failure(errc::kClaimInvalid, fmt::format("workload {} is claimed, but holds no attempt",
                                                    printable(workload.id())));
  for (const std::string& reference : secret_references)
    if (!reference.starts_with(kSecretReferencePrefix))
      return failure(errc::kSecretRejected,
                     fmt::format("a secret reference must begin with {}", kSecretReferencePrefix));
  return Decision(Json{{"workload_id", workload.id()},
                       {"attempt_id", attempt->at("attempt_id")},
                       {"worker_id", fence.worker_id},
                       {"capabilities", workload.capabilities()},
                       {"connection_scopes", workload.document().at("connection_scopes")},
                       {"secret_references", secret_references},
                       {"expires_at", workload.current_claim().at("expires_at")},
                       {"fencing_token", fence.token}});
}

Decision checkpoint(Workload workload, const Fence& fence, Json state) {
  WORKCTL_TRY(Json * attempt, fenced_attempt(workload, fence));
  if (workload.state() == State::kRunning)
    WORKCTL_CHECK(workload.transition(State::kCheckpointed, fence.worker_id, fence.now));
  else if (workload.state() != State::kCheckpointed)
    return denied(workload, "only running work can be checkpointed");
  const std::size_t sequence = workload.document().at("checkpoints").size() + 1;
  std::string state_hash = hash_value(state);
  Json checkpoint{{"checkpoint_id", fmt::format("checkpoint_{}_{}", workload.id(), sequence)},
                  {"workload_id", workload.id()},
                  {"attempt_id", attempt->at("attempt_id")},
                  {"sequence", sequence},
                  {"state", std::move(state)},
                  {"state_hash", std::move(state_hash)},
                  {"created_at", fence.now},
                  {"produced_by", fence.worker_id}};
  (*attempt)["status"] = "CHECKPOINTED";
  workload.member("checkpoints").push_back(checkpoint);
  return {std::move(checkpoint), std::move(workload)};
}

Decision complete(Workload workload, const Fence& fence, Completion completion) {
  WORKCTL_TRY(Json * attempt, fenced_attempt(workload, fence));
  WORKCTL_CHECK(workload.transition(State::kSucceeded, fence.worker_id, fence.now));
  const std::string output_hash = hash_value(completion.output);
  end_attempt(*attempt, "SUCCEEDED", fence.now);
  (*attempt)["result_hash"] = output_hash;
  Json result{{"result_id", std::move(completion.result_id)},
              {"workload_id", workload.id()},
              {"attempt_id", attempt->at("attempt_id")},
              {"status", "succeeded"},
              {"output", std::move(completion.output)},
              {"output_hash", output_hash},
              {"artifacts", std::move(completion.artifacts)},
              {"provenance",
               {{"claim_id", fence.claim_id}, {"fencing_token", std::to_string(fence.token)}}},
              {"produced_by", fence.worker_id},
              {"created_at", fence.now},
              {"schema_version", completion.schema_version}};
  workload.set("result", result);
  release_claim(workload);
  return {std::move(result), std::move(workload)};
}

Decision fail(Workload workload, const Fence& fence, const std::string& kind,
              const std::string& error) {
  WORKCTL_TRY(Json * attempt, fenced_attempt(workload, fence));
  WORKCTL_CHECK(
      workload.transition(State::kFailed, fence.worker_id, fence.now, {{"failure_kind", kind}}));
  end_attempt(*attempt, "FAILED", fence.now);
  (*attempt)["error"] = error;
  workload.set("last_failure", fmt::format("{}: {}", kind, error));
  release_claim(workload);
  const bool again = workload.retries_on(kind) && !workload.exhausted();
  if (again) schedule_retry(workload, backoff_ms(workload), fence.now);
  WORKCTL_CHECK(
      workload.transition(again ? State::kReady : State::kDeadLetter, "workctl.retry", fence.now));
  return {state_answer(workload), std::move(workload)};
}

Decision confirm_cancel(Workload workload, const Fence& fence) {
  WORKCTL_TRY(Json * attempt, fenced_attempt(workload, fence));
  if (workload.state() != State::kCancellationRequested)
    return denied(workload, "nobody asked to cancel it");
  WORKCTL_CHECK(workload.transition(State::kCancelled, fence.worker_id, fence.now));
  end_attempt(*attempt, "CANCELLED", fence.now);
  release_claim(workload);
  return {nullptr, std::move(workload)};
}

}  // namespace workctl
