#include "journal/log_reader.h"

#include <algorithm>

#include "journal/line_codec.h"

namespace workctl {

namespace {
constexpr std::size_t kFirstReadBytes = 4U << 10;
constexpr std::size_t kReadBytesMax = 4U << 20;
}  // namespace

LogReader::LogReader(File& file, LogPosition from)
    : file_(file), position_(std::move(from)), buffer_offset_(position_.offset) {}

SystemResult<bool> LogReader::fill() {
  // What was given out is dropped, and each read is larger than the last: small logs cost one small
  // read, large ones few large reads.
  buffer_.erase(0, begin_);
  buffer_offset_ += begin_;
  searched_ -= begin_;
  begin_ = 0;
  const std::size_t had = buffer_.size();
  const std::size_t wanted = std::clamp(buffer_.capacity(), kFirstReadBytes, kReadBytesMax);
  buffer_.resize(had + wanted);
  const auto got = read_fully(file_, buffer_offset_ + had, std::span(buffer_.data() + had, wanted));
  buffer_.resize(had + (got ? *got : 0));
  if (!got) return std::unexpected(got.error());
  return *got > 0;
}

SystemResult<std::optional<std::string_view>> LogReader::next() {
  for (;;) {
    const std::size_t newline = buffer_.find('\n', searched_);
    if (newline != std::string::npos) {
      const std::string_view line(buffer_.data() + begin_, newline + 1 - begin_);
      LineParts parts;
      if (line.size() > kLineBytesMax || !split_line(line, parts) ||
          line_digest(parts.body, position_.digest) != parts.digest) {
        searched_ = begin_;
        return std::nullopt;
      }
      position_.offset += line.size();
      position_.line += 1;
      position_.digest = parts.digest;
      begin_ = searched_ = newline + 1;
      return parts.body;
    }
    searched_ = buffer_.size();
    if (buffer_.size() - begin_ > kLineBytesMax) return std::nullopt;
    const auto more = fill();
    if (!more) return std::unexpected(more.error());
    if (!*more) {
      searched_ = begin_;
      return std::nullopt;
    }
  }
}

}  // namespace workctl
