#pragma once

/// What a commit records beside its documents (contract section 9).

#include <nlohmann/json.hpp>
#include <string_view>

#include "workctl/workload/workload.h"

namespace workctl {

inline constexpr std::string_view kWorkloadCreated = "workload.created";
inline constexpr std::string_view kWorkloadMutated = "workload.mutated";
inline constexpr std::string_view kWorkloadMigration = "workload_migration";

/// The audit of a write of `workload`, as it is after it, by `operation` (as `workload.claim`). The
/// engine adds what only it knows.
Json make_audit(std::string_view kind, std::string_view operation, const Workload& workload);

}  // namespace workctl
