#pragma once

/// Files and standard input that arguments name.

#include <cstdint>
#include <string>
#include <string_view>

#include "workctl/base/error.h"

namespace workctl::cli {

/// An input document: what a value, a request or an operation may hold.
inline constexpr std::uint64_t kInputBytesMax = 16U << 20;

class Input {
 public:
  /// All bytes of the file at `path`, or of standard input for `-`, which is given out once.
  /// `what` (the option) begins the message. `kTooLarge`, naming both numbers, beyond `bytes_max`;
  /// `kInvalidInput` for a file that cannot be read.
  Result<std::string> read(const std::string& path, std::uint64_t bytes_max, std::string_view what);

  /// Opens the same for reading piece by piece; the descriptor stays open until the process ends.
  Result<int> open(const std::string& path, std::string_view what);

 private:
  std::string standard_input_taken_by_{};
};

}  // namespace workctl::cli
