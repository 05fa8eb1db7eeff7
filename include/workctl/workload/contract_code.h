#pragma once

/// The names that failures have for callers of the contract.

#include <string_view>

#include "workctl/base/error.h"

namespace workctl {

/// The contract's name for `code`: storage trouble of any kind is `WORKLOAD_STORAGE_FAILURE`, every
/// other code is called what it is.
std::string_view contract_code(ErrorCode code);

}  // namespace workctl
