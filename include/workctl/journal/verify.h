#pragma once

/// Reads a whole log and says what is in it and what is wrong, changing nothing.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "workctl/journal/journal.h"

namespace workctl {

struct VerifyReport {
  LogHeader header;              ///< without a store's id where it does not verify
  std::uint64_t lines = 0;       ///< that verify, the header included
  std::uint64_t bytes = 0;       ///< of those lines
  std::uint64_t file_bytes = 0;  ///< of the file
  std::uint64_t revisions = 0;
  std::string head;                 ///< digest of the last line that verifies
  std::uint64_t durable_bytes = 0;  ///< that the mark vouches for; 0 without a mark of this file

  enum class End {
    kClean,       ///< every byte belongs to a line that verifies
    kUnfinished,  ///< a torn last line, never acknowledged: the next writer sets it aside
    kDamaged,     ///< bytes that do not verify and may have been acknowledged
    kLost,        ///< the log ends before the mark, or differs from it there
    kTooNew,      ///< a line or feature of a newer format
  };
  End end = End::kClean;
  std::uint64_t bad_line = 0;    ///< number of the first line that does not verify, from 1
  std::uint64_t bad_offset = 0;  ///< where it begins
  std::string problem;           ///< a sentence; empty when clean
};

/// `progress` is called now and then with bytes done and bytes in all; may be empty.
Result<VerifyReport> verify_log(Directory& directory, const Journal::Options& options,
                                CommitSink& sink,
                                const std::function<void(std::uint64_t, std::uint64_t)>& progress);

}  // namespace workctl
