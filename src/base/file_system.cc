#include "workctl/base/file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "workctl/base/text.h"

namespace workctl {

Error describe(const SystemError& error, std::string_view path) {
  std::string reason = std::generic_category().message(error.number);
  if (!reason.empty()) reason.front() = ascii_lower(reason.substr(0, 1)).front();
  return {errc::kIoFailure, fmt::format("{}: {} failed: {}", printable(path), error.call, reason)};
}

SystemResult<std::size_t> read_fully(File& file, std::uint64_t offset, std::span<char> buffer) {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const auto count = file.read_at(offset + done, buffer.subspan(done));
    if (count && *count == 0) break;
    if (count) {
      done += *count;
    } else if (count.error().number != EINTR) {
      return std::unexpected(count.error());
    }
  }
  return done;
}

SystemResult<void> write_fully(File& file, std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = file.write_at(offset, bytes);
    if (count && *count == 0) return std::unexpected(SystemError{EIO, "write"});
    if (count) {
      offset += *count;
      bytes.remove_prefix(*count);
    } else if (count.error().number != EINTR) {
      return std::unexpected(count.error());
    }
  }
  return {};
}

SystemResult<std::string> read_all(File& file, std::uint64_t size_max) {
  const auto status = file.status();
  if (!status) return std::unexpected(status.error());
  const SystemError too_large{EFBIG, "read"};
  if (status->size > size_max) return std::unexpected(too_large);
  // One byte more than there seems to be, so that reading it all also finds the end.
  std::string bytes(status->size + 1, '\0');
  std::size_t size = 0;
  while (true) {
    const auto count = read_fully(file, size, std::span(bytes).subspan(size));
    if (!count) return std::unexpected(count.error());
    size += *count;
    if (size > size_max) return std::unexpected(too_large);
    if (size < bytes.size()) break;
    bytes.resize(std::min(bytes.size() * 2, size_max + 1));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace workctl
