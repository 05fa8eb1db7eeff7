#include "cli/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "workctl/journal/journal.h"

namespace workctl::cli {

namespace {

std::string_view source_name(const std::string& path) {
  return path == "-" ? std::string_view("standard input") : std::string_view(path);
}

std::unexpected<Error> unreadable(std::string_view what, const std::string& path, int number) {
  return failure(errc::kInvalidInput, fmt::format("{}: cannot read {}: {}", what, source_name(path),
                                                  std::strerror(number)));
}

}  // namespace

Result<int> Input::open(const std::string& path, std::string_view what) {
  if (path == "-") {
    if (!standard_input_taken_by_.empty())
      return failure(errc::kInvalidInput, fmt::format("{}: standard input is already read for {}",
                                                      what, standard_input_taken_by_));
    standard_input_taken_by_ = what;
    return STDIN_FILENO;
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return unreadable(what, path, errno);
  return descriptor;
}

Result<std::string> Input::read(const std::string& path, std::uint64_t bytes_max,
                                std::string_view what) {
  WORKCTL_TRY(const int descriptor, open(path, what));
  std::string text;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > bytes_max)
      return failure(errc::kTooLarge, fmt::format("{}: {} holds {} bytes, the limit is {}", what,
                                                  source_name(path), size, bytes_max));
    text.reserve(size + 1);
  }
  constexpr std::size_t kChunk = 64U << 10;
  std::size_t used = 0;
  for (;;) {
    text.resize(std::max(text.capacity(), used + kChunk));
    const ssize_t count = ::read(descriptor, text.data() + used, text.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(what, path, errno);
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
    if (used > bytes_max)
      return failure(errc::kTooLarge, fmt::format("{}: {} holds at least {} bytes, the limit is {}",
                                                  what, source_name(path), used, bytes_max));
  }
  text.resize(used);
  if (descriptor != STDIN_FILENO) ::close(descriptor);
  return text;
}

}  // namespace workctl::cli
