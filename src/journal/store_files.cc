#include "journal/store_files.h"

#include <fmt/format.h>

#include <cerrno>

namespace workctl {

namespace {

constexpr std::uint32_t kWritableByOthers = 0022;
constexpr std::uint32_t kSticky = 01000;
constexpr std::string_view kIsDirectory = "is a directory, where a file should be";

bool belongs_to(const FileStatus& status, FileSystem& file_system) {
  const std::uint32_t user = file_system.user_id();
  return status.owner == user || user == 0;
}

std::unexpected<Error> unsafe(const std::string& path, std::string_view why,
                              std::string hint = {}) {
  return failure(errc::kStoreUnsafe, fmt::format("{} {}", path, why), std::move(hint));
}

}  // namespace

FileSystem& file_system_of(const Journal::Options& options) {
  return options.file_system != nullptr ? *options.file_system : posix_file_system();
}

std::string path_of(const Directory& directory, const std::string& name) {
  return directory.path() + "/" + name;
}

Result<void> check_directory(Directory& directory, FileSystem& file_system) {
  const auto status = directory.status();
  if (!status) return std::unexpected(describe(status.error(), directory.path()));
  if (!belongs_to(*status, file_system)) {
    return unsafe(directory.path(), fmt::format("belongs to user {}, not to you", status->owner),
                  "use a store of your own");
  }
  if ((status->mode & kWritableByOthers) != 0 && (status->mode & kSticky) == 0) {
    return unsafe(directory.path(),
                  fmt::format("can be written by others (mode {:04o})", status->mode & 07777U),
                  fmt::format("chmod go-w {}", directory.path()));
  }
  return {};
}

Result<std::unique_ptr<File>> open_store_file(Directory& directory, FileSystem& file_system,
                                              const std::string& name, OpenMode mode) {
  const std::string path = path_of(directory, name);
  auto file = directory.open(name, mode);
  if (!file) {
    const int number = file.error().number;
    if (number == ENOENT && (mode == OpenMode::kRead || mode == OpenMode::kReadWrite)) {
      return std::unique_ptr<File>();
    }
    if (number == ELOOP) return unsafe(path, "is a symbolic link, where a file should be");
    if (number == EISDIR) return unsafe(path, kIsDirectory);
    if (number == ENXIO) return unsafe(path, "is a socket or device, where a file should be");
    return std::unexpected(describe(file.error(), path));
  }
  const auto status = (*file)->status();
  if (!status) return std::unexpected(describe(status.error(), path));
  if (status->kind == FileStatus::Kind::kDirectory) return unsafe(path, kIsDirectory);
  if (status->kind != FileStatus::Kind::kRegular) return unsafe(path, "is not a regular file");
  if (status->links != 1) {
    return unsafe(path,
                  fmt::format("has {} names (hard links), it should have one", status->links));
  }
  if (!belongs_to(*status, file_system)) {
    return unsafe(path, fmt::format("belongs to user {}, not to you", status->owner));
  }
  if ((status->mode & kWritableByOthers) != 0) {
    return unsafe(path,
                  fmt::format("can be written by others (mode {:04o})", status->mode & 07777U),
                  fmt::format("chmod go-w {}", path));
  }
  return std::move(*file);
}

}  // namespace workctl
