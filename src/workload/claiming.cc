#include <fmt/core.h>

#include <limits>

#include "workctl/base/digest.h"
#include "workctl/base/text.h"
#include "workctl/base/time_text.h"
#include "workload/operation_steps.h"

namespace workctl {
namespace {

constexpr std::size_t kClaimIdDigits = 20;

Decision bury(Workload workload, Instant now) {
  const std::uint32_t used = workload.attempt_count();
  const std::uint32_t budget = workload.attempt_budget();
  WORKCTL_CHECK(workload.transition(State::kDeadLetter, "workctl.claim", now,
                                    {{"reason", "attempt_budget_exhausted"},
                                     {"attempts_used", std::to_string(used)},
                                     {"attempt_budget", std::to_string(budget)}}));
  auto refusal =
      failure(errc::kAttemptsExhausted,
              fmt::format("workload {} has used {} of {} attempts and is now DEAD_LETTER",
                          printable(workload.id()), used, budget),
              "`workctl retry` grants one more attempt");
  return {std::move(refusal), std::move(workload)};
}

Result<void> check_claimable(const Workload& workload, const std::string& worker,
                             const std::set<std::string>& capabilities, Instant now) {
  const auto eligible_at = workload.next_attempt_at();
  if (eligible_at && *eligible_at > now)
    return failure(errc::kNotYetEligible,
                   fmt::format("workload {} is not eligible before {}", printable(workload.id()),
                               format_instant(*eligible_at)));
  for (const Json& needed : workload.capabilities()) {
    const auto& capability = needed.get_ref<const std::string&>();
    if (!capabilities.contains(capability))
      return failure(
          errc::kCapabilityDenied,
          fmt::format("worker {} lacks capability {}, which workload {} requires",
                      printable(worker), printable(capability), printable(workload.id())));
  }
  if (workload.fencing_token() == std::numeric_limits<std::uint64_t>::max())
    return failure(errc::kClaimInvalid, fmt::format("workload {} has used up its fencing tokens",
                                                    printable(workload.id())));
  return {};
}

}  // namespace

Decision claim(Workload workload, const std::string& worker,
               const std::set<std::string>& capabilities, Instant now, std::uint64_t lease_ms) {
  if (workload.state() != State::kReady)
    return failure(errc::kNotReady,
                   fmt::format("workload {} is {}, not READY", printable(workload.id()),
                               state_name(workload.state())));
  if (workload.exhausted()) return bury(std::move(workload), now);
  WORKCTL_CHECK(check_claimable(workload, worker, capabilities, now));

  const std::string& id = workload.id();
  const std::uint64_t token = workload.fencing_token() + 1;
  // Below the budget, so there is room for one more.
  const std::uint32_t attempt_number = workload.attempt_count() + 1;
  const std::string claim_id =
      "claim_" + sha256_hex(fmt::format("{}:{}:{}", id, token, worker)).substr(0, kClaimIdDigits);
  Json claim{{"claim_id", claim_id},   {"workload_id", id},
             {"worker_id", worker},    {"lease_id", fmt::format("lease_{}", token)},
             {"fencing_token", token}, {"capability_snapshot", workload.capabilities()},
             {"claimed_at", now},      {"expires_at", add_milliseconds(now, lease_ms)},
             {"last_heartbeat", now}};
  workload.member("attempts")
      .push_back({{"attempt_id", fmt::format("attempt_{}_{}", id, attempt_number)},
                  {"workload_id", id},
                  {"worker_id", worker},
                  {"claim_id", claim_id},
                  {"fencing_token", token},
                  {"started_at", nullptr},
                  {"ended_at", nullptr},
                  {"input_hash", workload.document().at("input_hash")},
                  {"result_hash", nullptr},
                  {"error", nullptr},
                  {"resource_usage", Json::object()},
                  {"status", "CLAIMED"}});
  workload.set("fencing_token", token);
  workload.set("attempt_count", attempt_number);
  workload.set("current_claim", claim);
  WORKCTL_CHECK(workload.transition(State::kClaimed, worker, now,
                                    {{"fencing_token", std::to_string(token)}}));
  return {std::move(claim), std::move(workload)};
}

}  // namespace workctl
