#pragma once

/// From the options of `workctl create`, and a document if there is one, to an authorised request.

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "cli/arguments.h"
#include "cli/context.h"
#include "workctl/workload/admission.h"

namespace workctl::cli::create {

/// Options that were given replace members of a document; variables and defaults only fill in what
/// it lacks. One session long.
class RequestMaker {
 public:
  /// `now` is the session's instant; all must outlive this.
  RequestMaker(const Arguments& arguments, Context& context, Session& session, Instant now)
      : arguments_(arguments), context_(context), session_(session), now_(now) {}

  /// The request that `document` (an empty object where there is none) and the options make.
  /// `kWorkloadInvalid` for members that are unknown, missing or of another type and for a policy
  /// that can never run, `kUnauthorized` for a grant that the store does not accept.
  Result<CreateRequest> make(Json document);

 private:
  Result<void> authorize(Json& request);
  Result<Json> own_grant(const std::string& tenant, const std::string& application);
  Result<bool> trust_is_needed();
  const std::string& login();

  const Arguments& arguments_;
  Context& context_;
  Session& session_;
  Instant now_;
  std::string login_{};
  std::optional<bool> trust_is_needed_{};
  std::map<std::pair<std::string, std::string>, Json> own_grants_{};
};

}  // namespace workctl::cli::create
