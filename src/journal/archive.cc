#include "journal/archive.h"

#include <fmt/format.h>

#include <cerrno>

#include "journal/log_pieces.h"
#include "journal/store_files.h"
#include "workctl/base/digest.h"

namespace workctl {

namespace {

constexpr std::size_t kNameDigits = 12;

Result<std::unique_ptr<Directory>> open_archive(Directory& directory) {
  const std::string path = path_of(directory, kArchiveName);
  if (const auto made = directory.create_directory(kArchiveName);
      !made && made.error().number != EEXIST) {
    return std::unexpected(describe(made.error(), path));
  }
  auto archive = directory.open_directory(kArchiveName);
  if (!archive) {
    const int number = archive.error().number;
    if (number == ENOTDIR || number == ELOOP)
      return failure(errc::kStoreUnsafe, fmt::format("{} is not a directory", path));
    return std::unexpected(describe(archive.error(), path));
  }
  // Also where it was there: whoever made it may have died before this.
  if (const auto synced = directory.sync(); !synced)
    return std::unexpected(describe(synced.error(), directory.path()));
  return std::move(*archive);
}

}  // namespace

Result<std::string> keep_in_archive(Directory& directory, FileSystem& file_system, File& log,
                                    std::uint64_t begin, std::uint64_t end,
                                    const std::string& prefix) {
  const std::string log_path = path_of(directory, kLogName);
  Sha256 digest;
  const auto add = [&](std::uint64_t, std::string_view piece) -> Result<void> {
    digest.update(piece);
    return {};
  };
  WORKCTL_CHECK(read_pieces(log, log_path, begin, end, add));
  const std::string name = prefix + digest.finish().substr(0, kNameDigits);

  WORKCTL_TRY(const auto archive, open_archive(directory));
  WORKCTL_TRY(const auto file, open_store_file(*archive, file_system, name, OpenMode::kCreate));
  const auto named = [&](const SystemError& error) {
    return std::unexpected(describe(error, path_of(*archive, name)));
  };
  const auto copy = [&](std::uint64_t offset, std::string_view piece) -> Result<void> {
    if (const auto done = write_fully(*file, offset - begin, piece); !done)
      return named(done.error());
    return {};
  };
  WORKCTL_CHECK(read_pieces(log, log_path, begin, end, copy));
  if (const auto done = file->sync(); !done) return named(done.error());
  if (const auto done = archive->sync(); !done) return named(done.error());
  return fmt::format("{}/{}", kArchiveName, name);
}

}  // namespace workctl
