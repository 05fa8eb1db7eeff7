#pragma once

/// From a create request to a workload, or to the one that the request already made.

#include <string>

#include "workctl/workload/workload.h"

namespace workctl {

/// A create request whose members are present and of their types, with defaults filled in.
class CreateRequest {
 public:
  /// `kWorkloadInvalid`, naming the member, when one is missing or of another type. Unknown members are
  /// ignored.
  static Result<CreateRequest> from_json(const Json& request);
  /// Members that `from_json` would ignore, for callers that hold them to be typing errors.
  static std::vector<std::string> unknown_members(const Json& request);

  /// Canonical text of its idempotency scope.
  const std::string& scope() const { return scope_; }
  /// `workload_` + 24 hex digits, from the scope.
  std::string workload_id() const;
  const Json& members() const { return members_; }

 private:
  Json members_;
  std::string scope_;
};

/// What can be said of a request alone: no secret in the input, a key that is not blank, a grant that
/// binds its subject, tenant and application. In this order.
Result<void> check_request(const CreateRequest& request);

/// The new workload, already READY.
Workload admit(const CreateRequest& request);

/// Whether `request` is the request that made `workload`: `kIdempotencyKeyReused` when not.
Result<void> check_same_request(const CreateRequest& request, const Workload& workload);

}  // namespace workctl
