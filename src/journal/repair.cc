#include "workctl/journal/repair.h"

#include <fmt/format.h>

#include "journal/archive.h"
#include "journal/line_codec.h"
#include "journal/log_pieces.h"
#include "journal/new_log.h"
#include "journal/store_files.h"
#include "journal/store_lock.h"
#include "workctl/base/random.h"

namespace workctl {

namespace {

constexpr std::string_view kRepairAudit = "store.repaired";

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
  FileSystem& file_system = file_system_of(options);
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
  WORKCTL_TRY(dropped.kept_as,
              keep_in_archive(directory, file_system, *log, 0, dropped.found.file_bytes,
                              fmt::format("damaged-g{}-{}-", dropped.found.header.generation,
                                          dropped.found.file_bytes)));
  WORKCTL_TRY(NewLog repaired, NewLog::begin(directory, file_system));
  WORKCTL_CHECK(
      read_pieces(*log, path, 0, dropped.found.bytes,
                  [&](std::uint64_t, std::string_view piece) { return repaired.append(piece); }));
  WORKCTL_CHECK(repaired.append(repair_line(dropped, cause)));
  // The mark is of the file that was replaced and counts as none: the next writer makes a new one.
  WORKCTL_CHECK(repaired.publish());
  return dropped;
}

}  // namespace workctl
