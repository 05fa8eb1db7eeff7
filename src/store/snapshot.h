#pragma once

// The documents of a projection as the snapshot that a compacted log begins with.

#include "journal/next_generation.h"
#include "workctl/store/local_engine.h"
#include "workctl/store/projection.h"

namespace workctl {

/// Counts what a snapshot would hold, and about how long it would be.
Result<void> measure_snapshot(Projection& projection, Compaction& done);

/// Writes it, and counts what it holds.
Result<void> write_snapshot(Projection& projection, const CompactionRequest& request,
                            NextGeneration& next, Compaction& done);

/// The commit without writes that says who made the log anew, of what ended at `before`.
CommitLine compaction_line(const CompactionRequest& request, const LogPosition& before,
                           std::uint64_t revision);

}  // namespace workctl
