// What a writer does about the end of the log that it finds: the recovery table of workctl-log(5).

#include <fmt/format.h>

#include <algorithm>

#include "journal/mark.h"
#include "journal/store_files.h"
#include "journal/tail.h"
#include "workctl/base/digest.h"
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
    WORKCTL_CHECK(rewrite_from(last_line_offset_));
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
  constexpr std::uint64_t kPieceBytes = 4U << 20;
  std::string piece;
  while (offset < position_.offset) {
    piece.resize(std::min(kPieceBytes, position_.offset - offset));
    const auto got = read_fully(*log_, offset, piece);
    if (!got) return std::unexpected(describe(got.error(), path(kLogName)));
    const auto written = write_fully(*log_, offset, std::string_view(piece).substr(0, *got));
    if (!written) return std::unexpected(describe(written.error(), path(kLogName)));
    offset += piece.size();
  }
  if (const auto synced = log_->sync(); !synced) {
    outcome_unknown_ = true;
    return std::unexpected(describe(synced.error(), path(kLogName)));
  }
  return {};
}

Result<void> Journal::set_tail_aside(std::uint64_t file_bytes) {
  const std::uint64_t begin = position_.offset;
  std::string bytes(std::min<std::uint64_t>(file_bytes - begin, kLineBytesMax), '\0');
  const auto got = read_fully(*log_, begin, bytes);
  if (!got) return std::unexpected(describe(got.error(), path(kLogName)));
  bytes.resize(*got);

  WORKCTL_TRY(const auto archive, open_archive(*directory_));
  // The name comes from the content, so that doing this again after a crash changes nothing.
  const std::string name =
      fmt::format("torn-g{}-{}-{}", header_.generation, begin, sha256_hex(bytes).substr(0, 12));
  WORKCTL_TRY(const auto file, open_store_file(*archive, file_system_, name, OpenMode::kCreate));
  const auto named = [&](const SystemError& error) {
    return std::unexpected(describe(error, path_of(*archive, name)));
  };
  if (const auto done = write_fully(*file, 0, bytes); !done) return named(done.error());
  if (const auto done = file->sync(); !done) return named(done.error());
  if (const auto done = archive->sync(); !done) return named(done.error());

  WORKCTL_CHECK(cut_back(begin));
  notice(
      fmt::format("{} had {} bytes of a write that did not finish at byte {}; they were never "
                  "acknowledged and are now in {}",
                  path(kLogName), bytes.size(), begin, path_of(*archive, name)));
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
