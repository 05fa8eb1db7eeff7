#include "cli/line_reader.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "workctl/journal/journal.h"

namespace workctl::cli {

namespace {

constexpr std::size_t kChunkBytes = 64U << 10;

bool is_blank_line(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

bool LineReader::has_line() const { return searched_ < buffer_.size() || ended_; }

Result<std::optional<LineReader::Line>> LineReader::next() {
  for (;;) {
    while (!has_line()) WORKCTL_CHECK(fill());
    if (ended_ && begin_ == buffer_.size() && dropped_ == 0) return std::nullopt;
    Line line = take();
    if (line.bytes > line.text.size() || !is_blank_line(line.text)) return line;
  }
}

bool LineReader::ready() {
  while (!has_line()) {
    pollfd input{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, 0) <= 0) return false;
    if (!fill()) return true;  // `next` meets the same error and reports it
  }
  return true;
}

/// Reads once, then looks for the end of the current line in what came.
Result<void> LineReader::fill() {
  buffer_.erase(0, std::exchange(begin_, 0));
  if (buffer_.size() > line_bytes_max_) {
    dropped_ += buffer_.size();
    buffer_.clear();
  }
  const std::size_t used = buffer_.size();
  buffer_.resize(used + kChunkBytes);
  ssize_t count = 0;
  do {
    count = ::read(descriptor_, buffer_.data() + used, kChunkBytes);
  } while (count < 0 && errno == EINTR);
  buffer_.resize(used + static_cast<std::size_t>(count > 0 ? count : 0));
  if (count < 0)
    return failure(errc::kIoFailure,
                   fmt::format("cannot read the input: {}", std::strerror(errno)));
  if (count == 0) ended_ = true;
  const std::size_t newline = buffer_.find('\n', used);
  searched_ = newline == std::string::npos ? buffer_.size() : newline;
  return {};
}

/// Gives out the current line, whose newline is at `searched_`, and looks for the end of the next.
LineReader::Line LineReader::take() {
  Line line{.number = ++number_};
  const std::size_t length = searched_ - begin_;
  line.bytes = std::exchange(dropped_, 0) + length;
  if (line.bytes <= line_bytes_max_) line.text = buffer_.substr(begin_, length);
  begin_ = std::min(searched_ + 1, buffer_.size());
  const std::size_t newline = buffer_.find('\n', begin_);
  searched_ = newline == std::string::npos ? buffer_.size() : newline;
  return line;
}

Result<Json> parse_line(const LineReader::Line& line, std::uint64_t line_bytes_max) {
  if (line.bytes > line_bytes_max)
    return failure(errc::kTooLarge,
                   fmt::format("it holds {} bytes, the limit is {}", line.bytes, line_bytes_max));
  Result<Json> json = parse_json(line.text, "");
  // A line has but one line: only the column is worth telling.
  constexpr std::string_view kOnlyLine = ": line 1, ";
  if (!json && json.error().message.starts_with(kOnlyLine))
    json.error().message.erase(0, kOnlyLine.size());
  return json;
}

}  // namespace workctl::cli
