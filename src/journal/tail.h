#pragma once

// What the bytes after the last line that verifies look like.

#include <cstdint>

#include "workctl/base/file_system.h"
#include "workctl/journal/journal.h"

namespace workctl {

enum class TailKind {
  kNone,     ///< the file ends there
  kTorn,     ///< its first line has no newline or holds a NUL: a write that did not finish
  kUnclear,  ///< its first line is complete, without a NUL: torn over old bytes, or damaged
  kDamaged,  ///< a line in it verifies against the one before it: there was more than one
};

struct Tail {
  TailKind kind = TailKind::kNone;
  std::uint64_t file_bytes = 0;  ///< size of the file
};

/// Looks at everything in `file` after `end`, the end of the last line that verifies.
SystemResult<Tail> examine_tail(File& file, const LogPosition& end);

}  // namespace workctl
