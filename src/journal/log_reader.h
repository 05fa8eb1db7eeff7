#pragma once

// Walks over the lines of a log from a known place, verifying the chain.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workctl/base/file_system.h"
#include "workctl/journal/journal.h"

namespace workctl {

/// Between two calls of a progress function, for those who walk over a whole log.
inline constexpr std::uint64_t kProgressBytes = 8U << 20;

class LogReader {
 public:
  /// Reads on after `from`, which must be the end of a line (or the start of the file). The file
  /// must outlive the reader.
  LogReader(File& file, LogPosition from);

  /// The body of the next line, when it verifies; it stays valid until the next call. Nothing at
  /// the end of the file and before the first byte that is not part of a line that verifies:
  /// `position` says where.
  SystemResult<std::optional<std::string_view>> next();

  /// After the last line that `next` gave out: offset, line and digest. Revision and instant are
  /// the caller's to keep.
  LogPosition& position() { return position_; }

 private:
  SystemResult<bool> fill();

  File& file_;
  LogPosition position_;
  std::string buffer_;
  std::size_t begin_ = 0;            ///< of the next line in the buffer
  std::size_t searched_ = 0;         ///< the buffer holds no newline between `begin_` and here
  std::uint64_t buffer_offset_ = 0;  ///< in the file, of the buffer's first byte
};

}  // namespace workctl
