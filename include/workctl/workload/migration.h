#pragma once

/// Takes over the work of the reference implementation's state file (contract section 6, migrate).

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "workctl/store/engine.h"

namespace workctl {

struct MigrationReport {
  std::vector<std::string> imported;  ///< ids, in order
  std::uint64_t skipped = 0;          ///< already stored and equal
};

/// Called now and then with the stage of the work ("read", "check", "write"), how much of it is
/// done and how much there is.
using MigrationProgress = std::function<void(std::string_view, std::uint64_t, std::uint64_t)>;

/// Checks the whole of a legacy file against itself and against `session`, then stages each new
/// workload, committing whenever `line_bytes` are staged; what is staged at the end is left to the
/// caller's `commit`. `kDocumentUnreadable` (line and column, or the workload) for what is no
/// legacy file, `kTooLarge` for a workload over the limit, `kMigrationConflict` otherwise; what is
/// refused by any of them leaves nothing stored or staged. An end in the middle of several commits
/// leaves a part, which the same call completes.
Result<MigrationReport> migrate(Session& session, std::string_view legacy_text, Instant now,
                                std::uint64_t line_bytes, const MigrationProgress& progress);

/// The same for a file that is read already.
Result<MigrationReport> migrate_document(Session& session, Json legacy, Instant now,
                                         std::uint64_t line_bytes,
                                         const MigrationProgress& progress);

}  // namespace workctl
