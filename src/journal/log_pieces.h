#pragma once

// Reading stretches of a log that need not fit into memory.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "workctl/base/error.h"
#include "workctl/base/file_system.h"

namespace workctl {

/// Receives bytes and where in the log they are.
using PieceSink = std::function<Result<void>(std::uint64_t offset, std::string_view piece)>;

/// Hands the bytes from `begin` to `end` to `sink`, in order. `path` is the log's, for messages.
/// `kIoFailure`, also when the log ends before; a failure of `sink` is handed on.
Result<void> read_pieces(File& log, const std::string& path, std::uint64_t begin, std::uint64_t end,
                         const PieceSink& sink);

}  // namespace workctl
