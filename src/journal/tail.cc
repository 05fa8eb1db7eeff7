#include "journal/tail.h"

#include <string>
#include <utility>

#include "journal/line_codec.h"

namespace workctl {

namespace {

/// Takes the bytes of a tail as they are read and judges them line by line.
class TailScan {
 public:
  explicit TailScan(std::string digest) : computed_(std::move(digest)) {}

  void take(std::string_view bytes) {
    while (!bytes.empty() && !chained_) {
      const std::size_t newline = bytes.find('\n');
      const std::size_t taken = newline == std::string_view::npos ? bytes.size() : newline + 1;
      if (first_ && bytes.substr(0, taken).find('\0') != std::string_view::npos) torn_ = true;
      if (pending_.size() <= kLineBytesMax) pending_ += bytes.substr(0, taken);
      bytes.remove_prefix(taken);
      if (newline != std::string_view::npos) {
        judge_line();
        pending_.clear();
      }
    }
  }

  TailKind verdict() const {
    if (chained_) return TailKind::kDamaged;
    return torn_ || first_ ? TailKind::kTorn : TailKind::kUnclear;
  }

 private:
  void judge_line() {
    const bool first = std::exchange(first_, false);
    LineParts parts;
    if (!split_line(pending_, parts)) {
      claimed_.clear();
      computed_.clear();
      return;
    }
    // A line may follow a bad one in either way: the bad one's digest is intact and its body is
    // not, or the other way round.
    const bool follows_claimed =
        !claimed_.empty() && line_digest(parts.body, claimed_) == parts.digest;
    const std::string computed = computed_.empty() ? "" : line_digest(parts.body, computed_);
    chained_ = follows_claimed || (!first && computed == parts.digest);
    claimed_ = parts.digest;
    computed_ = computed;
  }

  std::string pending_;
  std::string claimed_;   ///< the digest that the line before claims
  std::string computed_;  ///< the digest that the line before would have with its body as it is
  bool first_ = true;     ///< no newline was seen yet
  bool torn_ = false;     ///< the first line holds a NUL
  bool chained_ = false;
};

}  // namespace

SystemResult<Tail> examine_tail(File& file, const LogPosition& end) {
  Tail tail;
  const auto status = file.status();
  if (!status) return std::unexpected(status.error());
  tail.file_bytes = status->size;
  if (status->size <= end.offset) return tail;

  TailScan scan(end.digest);
  std::string chunk(1U << 20, '\0');
  for (std::uint64_t offset = end.offset; offset < tail.file_bytes;) {
    const auto got = read_fully(file, offset, chunk);
    if (!got) return std::unexpected(got.error());
    if (*got == 0) break;
    scan.take(std::string_view(chunk.data(), *got));
    offset += *got;
  }
  tail.kind = scan.verdict();
  return tail;
}

}  // namespace workctl
