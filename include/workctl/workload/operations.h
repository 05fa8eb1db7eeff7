#pragma once

/// The operations of the contract (section 6), as pure functions over one committed document and an
/// explicit instant. None knows where documents live; what makes a change guarded and durable is the
/// caller's business (authority.h).

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "workctl/base/error.h"
#include "workctl/workload/workload.h"

namespace workctl {

/// What an operation decided. `next` is to be committed before `answer` is given; an operation that
/// refuses may still have something to commit, and one that agrees may have nothing.
struct Decision {
  Result<Json> answer;
  std::optional<Workload> next{};
};

/// A worker's proof that the work is still its own.
struct Fence {
  std::string claim_id;
  std::string worker_id;
  std::uint64_t token = 0;
  Instant now = 0;
};

Decision claim(const Workload& workload, const std::string& worker,
               const std::set<std::string>& capabilities, Instant now, std::uint64_t lease_ms);
Decision start(const Workload& workload, const Fence& fence);
Decision heartbeat(const Workload& workload, const Fence& fence, std::uint64_t extend_ms);
Decision execution_context(const Workload& workload, const Fence& fence,
                           const std::vector<std::string>& secret_references);
Decision checkpoint(const Workload& workload, const Fence& fence, const Json& state);

struct Completion {
  std::string result_id;
  Json output;
  std::vector<std::string> artifacts;
  std::uint64_t schema_version = 1;
};
/// For a result id that nobody recorded yet; whether it was is looked up before (authority.h).
Decision complete(const Workload& workload, const Fence& fence, const Completion& completion);
Decision fail(const Workload& workload, const Fence& fence, const std::string& kind,
              const std::string& error);
Decision confirm_cancel(const Workload& workload, const Fence& fence);

Decision cancel(const Workload& workload, const std::string& actor, Instant now);
Decision time_out(const Workload& workload, const std::string& actor, Instant now);
/// An operator's re-arm.
Decision retry(const Workload& workload, const std::string& actor, Instant now,
               const std::optional<std::string>& reason);
/// For a workload whose claim's lease ended at or before `now`; an answer of null without a change for
/// any other.
Decision recover(const Workload& workload, Instant now);

}  // namespace workctl
