#pragma once

/// The operations of the contract (section 6), as pure functions over one committed document and an
/// explicit instant. None knows where documents live; what makes a change guarded and durable is
/// the caller's business (authority.h). So is looking for secrets in what a caller brings in
/// (secrets.h): that comes before the workload is even looked for.
///
/// Each takes the workload over and hands the changed one on, so that nothing in it is copied.
/// Arithmetic on instants and counters saturates.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "workctl/base/error.h"
#include "workctl/workload/workload.h"

namespace workctl {

/// What an operation decided. `next` is to be committed before `answer` is given; an operation that
/// refuses may still have something to commit, and one that agrees may have nothing.
struct Decision {
  /// A refusal that changes nothing.
  Decision(std::unexpected<Error> refusal) : answer(std::move(refusal)) {}
  /// An answer that changes nothing.
  explicit Decision(Json value) : answer(std::move(value)) {}
  Decision(Result<Json> given, Workload changed)
      : answer(std::move(given)), next(std::move(changed)) {}

  Result<Json> answer;
  std::optional<Workload> next{};
};

/// A worker's proof that the work is still its own. Every operation that takes one first refuses
/// with `kClaimInvalid` (nobody holds a claim, or one that no attempt belongs to), `kStaleFence`
/// (the claim, worker or token is not the current one) or `kLeaseExpired` (the lease ends at or
/// before `now`).
struct Fence {
  std::string claim_id;
  std::string worker_id;
  std::uint64_t token = 0;
  Instant now = 0;
};

/// Gives READY work to a worker and answers the claim. Work without attempts left goes to
/// DEAD_LETTER and is refused with `kAttemptsExhausted`, whoever asks. Otherwise `kNotReady`,
/// `kNotYetEligible`, `kCapabilityDenied`, or `kClaimInvalid` when no fencing token is left that
/// was never used (only a document from elsewhere can be there): a token that saturated would fence
/// nobody.
Decision claim(Workload workload, const std::string& worker,
               const std::set<std::string>& capabilities, Instant now, std::uint64_t lease_ms);

/// CLAIMED to RUNNING. Answers null.
Decision start(Workload workload, const Fence& fence);
/// Moves the end of the lease to `extend_ms` after now, which may be earlier than it was. Answers
/// the claim.
Decision heartbeat(Workload workload, const Fence& fence, std::uint64_t extend_ms);
/// Answers what the worker needs to run. Changes nothing. `kSecretRejected` for a reference that
/// does not begin with `secret://`.
Decision execution_context(const Workload& workload, const Fence& fence,
                           const std::vector<std::string>& secret_references);
/// Keeps `state` for a successor, in RUNNING or CHECKPOINTED. Answers the checkpoint.
Decision checkpoint(Workload workload, const Fence& fence, Json state);

struct Completion {
  std::string result_id;
  Json output;
  std::vector<std::string> artifacts;
  std::uint64_t schema_version = 1;
};
/// To SUCCEEDED. Answers the result. For a result id that nobody recorded yet; whether it was is
/// looked up before (authority.h).
Decision complete(Workload workload, const Fence& fence, Completion completion);
/// To FAILED, and on to READY (after the policy's delay) or DEAD_LETTER. Answers the state it is
/// left in.
Decision fail(Workload workload, const Fence& fence, const std::string& kind,
              const std::string& error);
/// CANCELLATION_REQUESTED to CANCELLED. Answers null.
Decision confirm_cancel(Workload workload, const Fence& fence);

/// To CANCELLED, or to CANCELLATION_REQUESTED while a worker holds it. Asked again, it writes the
/// document unchanged. Answers the state it is left in.
Decision cancel(Workload workload, const std::string& actor, Instant now);
/// To TIMED_OUT, and on to READY (after the policy's first delay) or DEAD_LETTER. Answers the state
/// it is left in.
Decision time_out(Workload workload, const std::string& actor, Instant now);
/// An operator's re-arm: to READY with one more attempt. `kRetryExhausted` after max_attempts of
/// them. `reason` goes into the evidence, its first 256 characters, unless it is blank. Answers
/// null.
Decision retry(Workload workload, const std::string& actor, Instant now,
               const std::optional<std::string>& reason);

/// Takes the work back from a worker whose lease ended at or before `now`, and decides what becomes
/// of it. Answers the state it is left in, or null without a change for any other workload.
Decision recover(Workload workload, Instant now);

}  // namespace workctl
