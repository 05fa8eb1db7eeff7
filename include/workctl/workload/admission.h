#pragma once

/// From a create request to a workload, or to the one that the request already made.

#include <string>
#include <vector>

#include "workctl/workload/workload.h"

namespace workctl {

/// What two requests under one idempotency key must have in common to be the same request.
struct RequestIdentity {
  Json requester;
  std::string definition_id;
  std::string definition_revision;
  std::string environment;
  std::string input_hash;
  Json capabilities;
};

/// A create request whose members are present and of their types, with defaults filled in.
class CreateRequest {
 public:
  /// `kWorkloadInvalid`, naming the member, when one is missing or of another type. Unknown members
  /// are ignored.
  static Result<CreateRequest> from_json(Json request);
  /// Paths of the members that `from_json` would ignore, for callers that hold them to be typing
  /// errors.
  static std::vector<std::string> unknown_members(const Json& request);

  /// Canonical text of its idempotency scope.
  const std::string& scope() const { return scope_; }
  /// `workload_` + 24 hex digits, from the scope.
  std::string workload_id() const;
  /// Of the input: the contract's hash.
  const std::string& input_hash() const { return input_hash_; }
  RequestIdentity identity() const;
  Instant created_at() const;
  /// The grant that it brings along, signed or not.
  const Json& authorization() const { return members_.at("authorization_snapshot"); }
  const Json& members() const { return members_; }
  Json take() && { return std::move(members_); }

 private:
  CreateRequest(Json members, std::string scope);

  Json members_;
  std::string scope_;
  std::string input_hash_;
};

/// What can be said of a request alone: no secret in the input, a key that is not blank, a grant
/// that binds its subject, tenant and application. In this order.
Result<void> check_request(const CreateRequest& request);

/// The new workload, already READY.
Workload admit(CreateRequest request);

/// Whether a request of this identity is the one that made `workload`: `kIdempotencyKeyReused`,
/// naming what differs, when not.
Result<void> check_same_request(const RequestIdentity& identity, const Workload& workload);

}  // namespace workctl
