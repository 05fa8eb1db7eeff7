#include "journal/next_generation.h"

#include <fmt/format.h>

#include "journal/archive.h"
#include "journal/line_codec.h"
#include "journal/log_format.h"
#include "journal/store_files.h"

namespace workctl {

namespace {

/// What shares a line of the snapshot, unless a single document is larger.
constexpr std::uint64_t kSnapshotLineBytes = 1U << 20;

}  // namespace

Result<NextGeneration> NextGeneration::begin(Journal& journal, FileSystem& file_system,
                                             Instant now) {
  WORKCTL_TRY(NewLog log, NewLog::begin(journal.directory(), file_system));
  NextGeneration next(journal, file_system, std::move(log));
  const LogPosition& end = journal.position();
  next.position_.digest = log_format::no_digest();
  const LogHeader header{.store_id = journal.header().store_id,
                         .generation = journal.header().generation + 1,
                         .created_at = now,
                         .previous_generation = end.digest,
                         .revision = end.revision,
                         .at = end.at,
                         .read_features = {std::string(log_format::kSnapshotFeature)},
                         .write_features = journal.header().write_features};
  WORKCTL_CHECK(next.append_line(finish_line(encode_header(header), next.position_.digest)));
  return next;
}

Result<void> NextGeneration::append_line(const std::string& line) {
  WORKCTL_CHECK(log_.append(line));
  LineParts parts;
  split_line(line, parts);
  position_.line_offset = position_.offset;
  position_.offset += line.size();
  position_.line += 1;
  position_.digest = parts.digest;
  return {};
}

Result<void> NextGeneration::flush() {
  if (line_.empty()) return {};
  const std::string line = line_.finish(position_.digest);
  line_.clear();
  return append_line(line);
}

Result<void> NextGeneration::add(const WriteText& write) {
  line_.add(write);
  return line_.bytes() < kSnapshotLineBytes ? Result<void>() : flush();
}

Result<NextGeneration::Published> NextGeneration::publish(const CommitLine& closing, bool keep) {
  WORKCTL_CHECK(flush());
  WORKCTL_CHECK(append_line(closing.finish(position_.digest)));
  position_.revision = closing.last_revision();
  position_.at = closing.last_at();
  Published published{.end = position_, .kept_as = std::nullopt};
  if (keep) {
    WORKCTL_TRY(published.kept_as,
                keep_in_archive(journal_.directory(), file_system_, journal_.log_file(), 0,
                                journal_.position().offset,
                                fmt::format("sealed-g{}-", journal_.header().generation)));
  }
  WORKCTL_CHECK(log_.publish());
  return published;
}

}  // namespace workctl
