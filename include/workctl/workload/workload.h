#pragma once

/// A workload document, checked once, then read and changed without further checks.
///
/// The document stays the JSON value that was stored: members that this version does not know, at
/// any depth, survive every change.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "workctl/base/clock.h"
#include "workctl/base/error.h"
#include "workctl/base/json.h"
#include "workctl/workload/state.h"

namespace workctl {

namespace errc {
inline constexpr ErrorCode kWorkloadInvalid{"WORKLOAD_INVALID"};
inline constexpr ErrorCode kWorkloadNotFound{"WORKLOAD_NOT_FOUND"};
inline constexpr ErrorCode kTransitionDenied{"WORKLOAD_TRANSITION_DENIED"};
inline constexpr ErrorCode kNotReady{"WORKLOAD_NOT_READY"};
inline constexpr ErrorCode kNotYetEligible{"WORKLOAD_NOT_YET_ELIGIBLE"};
inline constexpr ErrorCode kAttemptsExhausted{"WORKLOAD_ATTEMPTS_EXHAUSTED"};
inline constexpr ErrorCode kRetryExhausted{"WORKLOAD_RETRY_EXHAUSTED"};
inline constexpr ErrorCode kCapabilityDenied{"WORKLOAD_CAPABILITY_DENIED"};
inline constexpr ErrorCode kClaimInvalid{"WORKLOAD_CLAIM_INVALID"};
inline constexpr ErrorCode kStaleFence{"WORKLOAD_STALE_FENCE"};
inline constexpr ErrorCode kLeaseExpired{"WORKLOAD_LEASE_EXPIRED"};
inline constexpr ErrorCode kSecretRejected{"WORKLOAD_SECRET_REJECTED"};
inline constexpr ErrorCode kUnauthorized{"WORKLOAD_UNAUTHORIZED"};
inline constexpr ErrorCode kIdempotencyKeyReused{"IDEMPOTENCY_KEY_REUSED"};
inline constexpr ErrorCode kMigrationConflict{"WORKLOAD_MIGRATION_CONFLICT"};
/// A document or legacy file that cannot be read as what it should be.
inline constexpr ErrorCode kDocumentUnreadable{"DOCUMENT_UNREADABLE"};
}  // namespace errc

class CreateRequest;

class Workload {
 public:
  /// Takes a document whose known members are all present and of their type. `kDocumentUnreadable`,
  /// naming the workload and the member, otherwise.
  static Result<Workload> from_document(Json document);

  /// Fills in what an older release may have left out (contract section 1: the defaults), sorts
  /// sets, drops `__version`, then checks as `from_document` does.
  static Result<Workload> from_legacy(Json document);

  const Json& document() const { return document_; }
  Json take() && { return std::move(document_); }

  const std::string& id() const { return text("workload_id"); }
  const std::string& tenant() const { return text("tenant_id"); }
  const std::string& application() const { return text("application_id"); }
  const std::string& idempotency_key() const { return text("idempotency_key"); }
  State state() const;
  std::uint64_t fencing_token() const;
  std::uint32_t attempt_count() const;
  std::uint32_t retry_count() const;
  std::uint32_t max_attempts() const;
  std::optional<Instant> next_attempt_at() const;
  /// Null when nobody holds it.
  const Json& current_claim() const { return document_.at("current_claim"); }
  /// The result's id, where there is a result.
  std::optional<std::string> result_id() const;
  /// What a worker must be able to do: an array of strings.
  const Json& capabilities() const { return document_.at("capability_snapshot"); }
  /// The last attempt, or null when there is none.
  const Json* last_attempt() const;
  bool retries_on(std::string_view failure_kind) const;
  /// Times an operator re-armed it: events whose evidence has `retry` = `operator`.
  std::uint64_t operator_retries() const;
  /// max_attempts + operator re-arms, saturating at the range of u32.
  std::uint32_t attempt_budget() const;
  bool exhausted() const { return attempt_count() >= attempt_budget(); }
  /// Sequence of the last event, 0 where there is none.
  std::uint64_t last_event_sequence() const;
  /// Canonical text of its idempotency scope.
  std::string scope() const;

  // Changes. Each keeps the document whole; none looks at whether it is allowed.
  void set(std::string_view member, Json value);
  Json& member(std::string_view name) { return document_.at(name); }
  Json* last_attempt();
  /// Moves to `to`, appends the event that belongs to the move and sets `updated_at`.
  /// `kTransitionDenied`, with nothing changed, when the table does not hold the move.
  Result<void> transition(State to, std::string_view actor, Instant at,
                          Json evidence = Json::object());

 private:
  friend Workload admit(CreateRequest request);

  explicit Workload(Json document) : document_(std::move(document)) {}
  const std::string& text(std::string_view member) const;

  Json document_;
};

}  // namespace workctl
