#pragma once

/// What the store indexes of a workload document: the members its queries look at, and nothing of
/// what they mean.

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "workctl/base/clock.h"
#include "workctl/base/json.h"

namespace workctl {

using QueueKey = std::pair<std::string, std::string>;  ///< tenant, application

/// The order of work: priority (high first), created_at, id.
struct OrderKey {
  std::int64_t priority;
  Instant created_at;
  std::string id;
  friend bool operator<(const OrderKey& a, const OrderKey& b) {
    if (a.priority != b.priority) return a.priority > b.priority;
    if (a.created_at != b.created_at) return a.created_at < b.created_at;
    return a.id < b.id;
  }
};

struct WorkloadRow {
  QueueKey queue;
  OrderKey order;
  std::string definition;
  std::string state;
  std::string scope;  ///< canonical text of the idempotency scope
  std::optional<std::string> result_id{};
  std::optional<Instant> eligible_at{};  ///< next_attempt_at
  std::optional<Instant>
      lease_expires_at{};               ///< of the current claim, in states that recovery looks at
  std::optional<Instant> timeout_at{};  ///< the first of its timeouts to come, in its state
  std::optional<Instant> ended_at{};    ///< since when it has been in a state of rest
  Instant updated_at = 0;
  std::vector<std::string> capabilities{};
  std::vector<std::pair<std::string, std::string>> dependencies{};  ///< workload id, required state

  bool is_ready() const { return state == "READY"; }
  /// Since when it has been READY and eligible.
  Instant ready_since() const { return std::max(updated_at, eligible_at.value_or(updated_at)); }
  bool depends_on(std::string_view other_id) const;
};

/// The canonical text of `[tenant, application, requester kind, requester id, key]`.
std::string scope_text(std::string_view tenant, std::string_view application,
                       std::string_view requester_kind, std::string_view requester_id,
                       std::string_view key);

/// One limit of a workload's `timeouts`, and when it is reached while the workload stays as it is.
struct Deadline {
  std::string_view limit;  ///< the member's name without its unit: `queue`, `claim`, ...
  Instant at;
};

/// The limits that count in the document's state.
std::vector<Deadline> deadlines(const Json& document);

/// Reads a row from a workload document. Members that are absent or of another type count as empty:
/// what a document must hold is not the store's business.
WorkloadRow make_row(std::string_view key, const Json& document);

}  // namespace workctl
