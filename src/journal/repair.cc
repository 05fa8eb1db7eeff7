#include "workctl/journal/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "journal/line_codec.h"
#include "journal/new_log.h"
#include "journal/store_files.h"
#include "journal/store_lock.h"
#include "workctl/base/digest.h"
#include "workctl/base/random.h"

namespace workctl {

namespace {

constexpr std::uint64_t kPieceBytes = 4U << 20;
constexpr std::string_view kRepairAudit = "store.repaired";

using Taker = std::function<Result<void>(std::uint64_t offset, std::string_view piece)>;

/// Hands the first `bytes` of the log to `take`, piece by piece.
Result<void> read_pieces(File& log, const std::string& path, std::uint64_t bytes,
                         const Taker& take) {
  std::string piece;
  for (std::uint64_t offset = 0; offset < bytes; offset += piece.size()) {
    piece.resize(std::min(kPieceBytes, bytes - offset));
    const auto got = read_fully(log, offset, piece);
    if (!got) return std::unexpected(describe(got.error(), path));
    if (*got < piece.size())
      return failure(errc::kIoFailure, fmt::format("{} became shorter while it was read", path));
    WORKCTL_CHECK(take(offset, piece));
  }
  return {};
}

/// Puts a copy of the whole log into `archive/`, durable; its name there. The name comes from the
/// content, so that doing this again after a crash changes nothing.
Result<std::string> keep_copy(Directory& directory, FileSystem& file_system, File& log,
                              const VerifyReport& found) {
  const std::string log_path = path_of(directory, kLogName);
  Sha256 digest;
  WORKCTL_CHECK(read_pieces(log, log_path, found.file_bytes,
                            [&](std::uint64_t, std::string_view piece) -> Result<void> {
                              digest.update(piece);
                              return {};
                            }));
  const std::string name = fmt::format("damaged-g{}-{}-{}", found.header.generation,
                                       found.file_bytes, digest.finish().substr(0, 12));
  WORKCTL_TRY(const auto archive, open_archive(directory));
  WORKCTL_TRY(const auto copy, open_store_file(*archive, file_system, name, OpenMode::kCreate));
  const auto named = [&](const SystemError& error) {
    return std::unexpected(describe(error, path_of(*archive, name)));
  };
  WORKCTL_CHECK(read_pieces(log, log_path, found.file_bytes,
                            [&](std::uint64_t offset, std::string_view piece) -> Result<void> {
                              const auto done = write_fully(*copy, offset, piece);
                              if (!done) return named(done.error());
                              return {};
                            }));
  if (const auto done = copy->sync(); !done) return named(done.error());
  if (const auto done = archive->sync(); !done) return named(done.error());
  return fmt::format("{}/{}", kArchiveName, name);
}

/// The line that records a repair, to follow the lines that were kept.
std::string repair_line(const DroppedTail& dropped, const RepairCause& cause) {
  const Json audit = Json::array({{{"kind", kRepairAudit},
                                   {"subject", cause.actor},
                                   {"dropped_bytes", dropped.bytes},
                                   {"dropped_from_line", dropped.found.lines + 1},
                                   {"problem", dropped.found.problem},
                                   {"kept_as", dropped.kept_as}}});
  CommitLine line;
  line.add(dropped.repair_revision, "tx_" + random_hex(16), cause.at, {}, canonical_text(audit));
  return line.finish(dropped.found.head);
}

Result<void> check_repairable(const VerifyReport& found, const std::string& path) {
  if (found.end == VerifyReport::End::kTooNew)
    return failure(errc::kStoreTooNew, found.problem, "use a newer workctl; nothing was changed");
  if (found.lines == 0)
    return failure(errc::kStoreDamaged,
                   fmt::format("{} has no header that verifies: nothing would be left", path),
                   "--salvage takes out the lines that are whole");
  return check_writable(found.header);
}

}  // namespace

Result<std::optional<DroppedTail>> drop_tail(Directory& directory, const RepairCause& cause,
                                             CommitSink& sink, const Journal::Options& options,
                                             std::chrono::milliseconds lock_timeout) {
  FileSystem& file_system =
      options.file_system != nullptr ? *options.file_system : posix_file_system();
  WORKCTL_CHECK(check_directory(directory, file_system));
  WORKCTL_TRY(const auto lock, take_lock(directory, file_system, lock_timeout));
  WORKCTL_TRY(VerifyReport found, verify_log(directory, options, sink, {}));
  if (found.end == VerifyReport::End::kClean || found.end == VerifyReport::End::kUnfinished)
    return std::nullopt;

  const std::string path = path_of(directory, kLogName);
  WORKCTL_TRY(const auto log, open_store_file(directory, file_system, kLogName, OpenMode::kRead));
  if (log == nullptr) return failure(errc::kStoreDamaged, fmt::format("{} is gone", path));
  WORKCTL_CHECK(check_repairable(found, path));

  DroppedTail dropped{.found = std::move(found)};
  dropped.bytes = dropped.found.file_bytes - dropped.found.bytes;
  dropped.repair_revision = dropped.found.revisions + 1;
  WORKCTL_TRY(dropped.kept_as, keep_copy(directory, file_system, *log, dropped.found));
  WORKCTL_TRY(NewLog repaired, NewLog::begin(directory, file_system));
  WORKCTL_CHECK(
      read_pieces(*log, path, dropped.found.bytes,
                  [&](std::uint64_t, std::string_view piece) { return repaired.append(piece); }));
  WORKCTL_CHECK(repaired.append(repair_line(dropped, cause)));
  // The mark is of the file that was replaced and counts as none: the next writer makes a new one.
  WORKCTL_CHECK(repaired.publish());
  return dropped;
}

}  // namespace workctl
