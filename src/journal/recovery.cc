// What a writer does about the end of the log that it finds: the recovery table of workctl-log(5).

#include <fmt/format.h>

#include "journal/archive.h"
#include "journal/log_pieces.h"
#include "journal/mark.h"
#include "journal/store_files.h"
#include "journal/tail.h"
#include "workctl/journal/journal.h"

namespace workctl {

Result<void> Journal::settle(const std::optional<DurableMark>& mark, const Tail& tail) {
  if (tail.kind == TailKind::kUnclear) {
    return failure(
        errc::kStoreDamaged,
        fmt::format("{} line {} (byte {}, after revision {}) is complete and does not "
                    "verify: it may have been acknowledged",
                    path(kLogName), position_.line + 1, position_.offset, position_.revision),
        kRepairHint);
  }
  if (tail.kind == TailKind::kTorn) WORKCTL_CHECK(set_tail_aside(tail.file_bytes));
  if (!mark) {
    WORKCTL_CHECK(rewrite_from(position_.line_offset));
    move_mark();
  } else if (mark->size < position_.offset) {
    // In the boot that wrote it, a line beyond the mark may sit in pages that a failed sync marked
    // clean; after another boot, what is read is what the medium holds.
    if (mark->boot_id == boot_id_) WORKCTL_CHECK(rewrite_from(mark->size));
    move_mark();
  }
  settled_ = true;
  return {};
}

Result<void> Journal::rewrite_from(std::uint64_t offset) {
  const auto write_again = [&](std::uint64_t at, std::string_view piece) -> Result<void> {
    if (const auto written = write_fully(*log_, at, piece); !written)
      return std::unexpected(describe(written.error(), path(kLogName)));
    return {};
  };
  WORKCTL_CHECK(read_pieces(*log_, path(kLogName), offset, position_.offset, write_again));
  if (const auto synced = log_->sync(); !synced) {
    outcome_unknown_ = true;
    return std::unexpected(describe(synced.error(), path(kLogName)));
  }
  return {};
}

Result<void> Journal::set_tail_aside(std::uint64_t file_bytes) {
  const std::uint64_t begin = position_.offset;
  WORKCTL_TRY(const std::string kept_as,
              keep_in_archive(*directory_, file_system_, *log_, begin, file_bytes,
                              fmt::format("torn-g{}-{}-", header_.generation, begin)));
  WORKCTL_CHECK(cut_back(begin));
  notice(
      fmt::format("{} had {} bytes of a write that did not finish at byte {}; they were never "
                  "acknowledged and are now in {}",
                  path(kLogName), file_bytes - begin, begin, path(kept_as.c_str())));
  return {};
}

Result<void> Journal::cut_back(std::uint64_t size) {
  if (const auto done = log_->truncate(size); !done) {
    return std::unexpected(describe(done.error(), path(kLogName)));
  }
  if (const auto done = log_->sync(); !done) {
    return std::unexpected(describe(done.error(), path(kLogName)));
  }
  return {};
}

}  // namespace workctl
