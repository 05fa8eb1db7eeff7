#include "journal/log_pieces.h"

#include <fmt/format.h>

#include <algorithm>

namespace workctl {

namespace {
constexpr std::uint64_t kPieceBytes = 4U << 20;
}  // namespace

Result<void> read_pieces(File& log, const std::string& path, std::uint64_t begin, std::uint64_t end,
                         const PieceSink& sink) {
  std::string piece;
  for (std::uint64_t offset = begin; offset < end; offset += piece.size()) {
    piece.resize(std::min(kPieceBytes, end - offset));
    const auto got = read_fully(log, offset, piece);
    if (!got) return std::unexpected(describe(got.error(), path));
    if (*got < piece.size())
      return failure(errc::kIoFailure, fmt::format("{} became shorter while it was read", path));
    WORKCTL_CHECK(sink(offset, piece));
  }
  return {};
}

}  // namespace workctl
