#include "workctl/journal/verify.h"

#include <fmt/format.h>

#include <cerrno>

#include "journal/line_codec.h"
#include "journal/log_format.h"
#include "journal/log_reader.h"
#include "journal/mark.h"
#include "journal/store_files.h"
#include "journal/tail.h"

namespace workctl {

namespace {

Result<std::optional<DurableMark>> find_mark(Directory& directory, FileSystem& file_system) {
  WORKCTL_TRY(const auto file, open_store_file(directory, file_system, kMarkName, OpenMode::kRead));
  if (file == nullptr) return std::nullopt;
  std::string text(kMarkBytes, '\0');
  const auto got = read_fully(*file, 0, text);
  if (!got) return std::unexpected(describe(got.error(), path_of(directory, kMarkName)));
  return decode_mark(text.substr(0, *got));
}

/// Sets what the report says of the bytes from the end of the last good line on.
void judge_end(VerifyReport& report, const Tail& tail) {
  const std::string place = fmt::format("line {} (byte {}, after revision {})", report.lines + 1,
                                        report.bytes, report.revisions);
  report.bad_line = report.lines + 1;
  report.bad_offset = report.bytes;
  if (report.bytes < report.durable_bytes) {
    report.end = VerifyReport::End::kLost;
    report.problem = tail.kind == TailKind::kNone
                         ? fmt::format("the log ends at {}, though {} bytes were known durable",
                                       place, report.durable_bytes)
                         : fmt::format("{} does not verify, though {} bytes were known durable",
                                       place, report.durable_bytes);
    return;
  }
  switch (tail.kind) {
    case TailKind::kNone:
      report.bad_line = report.bad_offset = 0;
      return;
    case TailKind::kTorn:
      report.end = VerifyReport::End::kUnfinished;
      report.problem = fmt::format(
          "{} is a write that did not finish and was never acknowledged; the next writer sets it "
          "aside",
          place);
      return;
    case TailKind::kUnclear:
      report.end = VerifyReport::End::kDamaged;
      report.problem =
          fmt::format("{} is complete and does not verify: it may have been acknowledged", place);
      return;
    case TailKind::kDamaged:
      report.end = VerifyReport::End::kDamaged;
      report.problem = fmt::format("{} does not verify, and lines after it do", place);
      return;
  }
}

}  // namespace

Result<VerifyReport> verify_log(Directory& directory, const Journal::Options& options,
                                CommitSink& sink,
                                const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  FileSystem& file_system = file_system_of(options);
  const std::string path = path_of(directory, kLogName);
  WORKCTL_CHECK(check_directory(directory, file_system));
  WORKCTL_TRY(const auto mark, find_mark(directory, file_system));
  WORKCTL_TRY(const auto file, open_store_file(directory, file_system, kLogName, OpenMode::kRead));
  if (file == nullptr) {
    return failure(errc::kStoreNotFound, fmt::format("there is no store in {}", directory.path()),
                   "make one with `workctl init`");
  }
  const auto status = file->status();
  if (!status) return std::unexpected(describe(status.error(), path));

  VerifyReport report;
  report.file_bytes = status->size;
  LogPosition start;
  start.digest = log_format::no_digest();
  report.head = start.digest;
  LogReader reader(*file, start);
  LogPosition position = start;
  std::optional<MarkCheck> mark_check;  // of a mark that is this log's
  std::uint64_t told = 0;
  for (;;) {
    const auto body = reader.next();
    if (!body) return std::unexpected(describe(body.error(), path));
    if (!*body) break;
    Result<void> understood;
    if (position.line == 0) {
      if (const auto header = decode_header(**body); header) {
        report.header = *header;
        position.revision = header->revision;
        position.at = header->at;
        if (mark && mark->store_id == header->store_id && mark->generation == header->generation &&
            mark->inode == status->inode) {
          report.durable_bytes = mark->size;
          mark_check.emplace(mark, 0);
        }
      } else {
        understood = std::unexpected(header.error());
      }
    } else {
      understood = deliver_line(**body, report.header, position, sink);
    }
    if (!understood) {
      report.end = understood.error().code == errc::kStoreTooNew ? VerifyReport::End::kTooNew
                                                                 : VerifyReport::End::kDamaged;
      report.problem = understood.error().message;
      report.bad_line = position.line + 1;
      report.bad_offset = position.offset;
      return report;
    }
    position.offset = reader.position().offset;
    position.line = reader.position().line;
    position.digest = reader.position().digest;
    report.lines = position.line;
    report.bytes = position.offset;
    report.revisions = position.revision;
    report.head = position.digest;
    if (mark_check && mark_check->differs_at(position)) {
      report.end = VerifyReport::End::kLost;
      report.problem = fmt::format(
          "the log differs before byte {} from what was known durable: it was replaced or changed",
          mark->size);
      report.bad_line = position.line;
      report.bad_offset = position.offset;
    }
    if (progress && position.offset - told >= kProgressBytes) {
      told = position.offset;
      progress(told, report.file_bytes);
    }
  }
  const auto tail = examine_tail(*file, position);
  if (!tail) return std::unexpected(describe(tail.error(), path));
  if (report.end != VerifyReport::End::kLost) judge_end(report, *tail);
  if (report.lines > 0 && !snapshot_is_whole(report.header, position)) {
    report.end = VerifyReport::End::kLost;
    report.problem = "the log ends in the snapshot that it begins with";
    report.bad_line = position.line + 1;
    report.bad_offset = position.offset;
  }
  if (progress) progress(report.file_bytes, report.file_bytes);
  return report;
}

}  // namespace workctl
