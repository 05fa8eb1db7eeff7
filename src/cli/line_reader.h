#pragma once

/// Lines of an input, one at a time, without waiting longer than its writer lets one.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workctl/base/error.h"
#include "workctl/base/json.h"

namespace workctl::cli {

class LineReader {
 public:
  /// Reads from `descriptor`; a line of more than `line_bytes_max` bytes is not kept.
  LineReader(int descriptor, std::uint64_t line_bytes_max)
      : descriptor_(descriptor), line_bytes_max_(line_bytes_max) {}

  struct Line {
    std::uint64_t number = 0;  ///< from 1
    std::string text{};        ///< without its newline; empty when it was too long
    std::uint64_t bytes = 0;   ///< of the line, also when it was too long
  };

  /// The next line that is not blank, waiting for it; nothing at the end. A last line needs no
  /// newline. `kIoFailure` when the input cannot be read.
  Result<std::optional<Line>> next();

  /// Whether `next` would answer at once.
  bool ready();

 private:
  bool has_line() const;
  Result<void> fill();
  Line take();

  int descriptor_;
  std::uint64_t line_bytes_max_;
  std::string buffer_{};
  std::size_t begin_ = 0;     ///< of what was not yet given out
  std::size_t searched_ = 0;  ///< up to where no newline is
  std::uint64_t number_ = 0;
  std::uint64_t dropped_ = 0;  ///< bytes of the current line that were not kept
  bool ended_ = false;
};

/// Reads a line as JSON. The message begins with the column; which line it was is the caller's to
/// say. `kTooLarge` for one beyond `line_bytes_max`.
Result<Json> parse_line(const LineReader::Line& line, std::uint64_t line_bytes_max);

}  // namespace workctl::cli
