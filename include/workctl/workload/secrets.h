#pragma once

/// Values that must not enter the log (contract section 8).

#include <string_view>

#include "workctl/base/error.h"
#include "workctl/base/json.h"

namespace workctl {

/// `kSecretRejected`, naming `what` and the path of the first member or string that looks secret.
Result<void> reject_secrets(const Json& value, std::string_view what);
/// The same for one text.
Result<void> reject_secret_text(std::string_view text, std::string_view what);

}  // namespace workctl
