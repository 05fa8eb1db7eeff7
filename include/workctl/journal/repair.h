#pragma once

/// What a person can do about a log that its writers refuse: give up its end, or take out of it
/// what is whole. Neither changes a byte of the damaged file.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workctl/journal/journal.h"
#include "workctl/journal/verify.h"

namespace workctl {

/// What giving up the end of a log left of it.
struct DroppedTail {
  VerifyReport found;                 ///< the log as it was
  std::uint64_t bytes = 0;            ///< that were given up
  std::string kept_as{};              ///< where the damaged log is kept, relative to the store
  std::uint64_t repair_revision = 0;  ///< of the commit that records the repair
};

/// Who repairs, for the record.
struct RepairCause {
  std::string_view actor;
  Instant at = 0;
};

/// Gives up everything after the last line of the log that verifies and that `sink` accepts, in a
/// new file that takes the log's place. The log as it was is kept in `archive/`, and a commit
/// without writes, whose audit says what was given up, follows the lines that were kept. Nothing
/// when the log needs no repair: an unfinished end is the next writer's to set aside.
///
/// What was given up may have been acknowledged. Versions and fencing tokens that it held may
/// appear again.
///
/// `kStoreDamaged` when not even the header verifies, `kStoreTooNew` for a log that this program
/// must not judge, `kStoreBusy`, `kIoFailure` (nothing was changed), `kOutcomeUnknown`.
Result<std::optional<DroppedTail>> drop_tail(Directory& directory, const RepairCause& cause,
                                             CommitSink& sink, const Journal::Options& options,
                                             std::chrono::milliseconds lock_timeout);

/// What a salvage took out.
struct Salvage {
  std::uint64_t lines = 0;  ///< that verify, copied as they are
  std::uint64_t bytes = 0;
  std::uint64_t gaps = 0;           ///< stretches of the file that do not verify
  std::uint64_t missing_bytes = 0;  ///< in them
};

inline constexpr const char* kSalvagedLinesName = "lines.jsonl";
inline constexpr const char* kSalvageGapsName = "missing.jsonl";

/// Copies every line of the log that verifies after the line before it, taken as that line claims
/// to be or as its bytes are, to `lines.jsonl` in `target`, and says in `missing.jsonl` what lies
/// between them: one object a gap, `{"line", "offset", "bytes", "after_revision",
/// "before_revision"}`, where `line` counts from 1, the revisions are those of the commits around
/// the gap (0 at the start of the log, null at its end), and `bytes` is 0 where lines were taken
/// out. Takes no lock. Neither file may be there before.
///
/// `kStoreTooNew` for a log that this program must not judge; `kIoFailure`.
Result<Salvage> salvage(Directory& directory, Directory& target, const Journal::Options& options,
                        const std::function<void(std::uint64_t, std::uint64_t)>& progress);

}  // namespace workctl
