#pragma once

/// A workload on a workbench: a store in memory, an authority on it, and verbs with the arguments
/// that a test does not care about filled in.

#include <cstdint>
#include <limits>
#include <set>
#include <string>

#include "support/memory_session.h"
#include "workctl/workload/authority.h"

namespace workctl {

inline constexpr std::uint32_t kMostU32 = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t kMostU64 = std::numeric_limits<std::uint64_t>::max();
inline constexpr Instant kLast = std::numeric_limits<Instant>::max();

/// A grant that binds `human:ada` in tenant `t` and application `app`, unsigned.
Json sample_grant();
/// A create request for it, created at 100, with the default retry policy.
Json sample_request(const std::string& key = "k");
/// A policy that retries timeouts, lost workers and `again` without delay.
Json policy(std::uint64_t max_attempts);
/// A workload as it is after admission.
Workload sample_workload(Json changes = Json::object());

class Bench {
 public:
  /// Makes a workload from `sample_request` with `changes` merged into it; its id.
  std::string create(const Json& changes = Json::object());
  /// Puts a stored workload into another form, past every rule.
  void alter(const std::string& id, const Json& changes);

  Result<Json> claim(const std::string& id, Instant now = 200, std::uint64_t lease_ms = 60'000);
  /// The fence of the current claim.
  Fence fence(const std::string& id, Instant now = 210) const;
  /// Claims and starts at `now`; the fence ten seconds later.
  Fence run(const std::string& id, Instant now = 200);

  const Json& document(const std::string& id) const;
  std::uint64_t version(const std::string& id) const;
  std::string state(const std::string& id) const { return document(id).at("state"); }
  /// The last event, without its sequence.
  Json last_event(const std::string& id) const;

  MemorySession session{};
  Authority authority{session};
};

/// The code that something was refused with, or what says that it was not.
template <class T>
std::string code_of(const Result<T>& result) {
  return result ? "not refused" : std::string(result.error().code.name);
}

}  // namespace workctl
