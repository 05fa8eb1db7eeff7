#include "workctl/journal/journal.h"

#include <fmt/format.h>

#include <cerrno>

#include "journal/line_codec.h"
#include "journal/log_format.h"
#include "journal/log_reader.h"
#include "journal/mark.h"
#include "journal/new_log.h"
#include "journal/signal_hold.h"
#include "journal/store_files.h"
#include "journal/store_lock.h"
#include "journal/tail.h"

namespace workctl {

namespace {

/// A reader looks again this often at an end that looks damaged, since a writer may just be healing
/// it.
constexpr int kReaderTries = 3;

std::string line_end(std::string_view digest) {
  return fmt::format("{}{}{}", log_format::kDigestMember, digest, log_format::kLineEnd);
}

}  // namespace

Journal::Journal(std::unique_ptr<Directory> directory, const Options& options)
    : directory_(std::move(directory)),
      file_system_(file_system_of(options)),
      notice_(options.notice) {
  // Without a boot id every boot counts as this one, which heals more than is needed, never less.
  boot_id_ = file_system_.boot_id().value_or("");
}

Journal::~Journal() { unlock(); }

std::string Journal::path(const char* name) const { return path_of(*directory_, name); }

void Journal::notice(const std::string& text) const {
  if (notice_) notice_(text);
}

Result<bool> Journal::create(Directory& directory, const LogHeader& header, const CommitLine& first,
                             const std::function<Result<void>()>& prepare, const Options& options,
                             std::chrono::milliseconds lock_timeout) {
  FileSystem& file_system = file_system_of(options);
  WORKCTL_CHECK(check_directory(directory, file_system));
  WORKCTL_TRY(const auto lock, take_lock(directory, file_system, lock_timeout));
  {
    // On some network and virtual file systems a lock excludes nobody.
    WORKCTL_TRY(auto second, open_store_file(directory, file_system, kLockName, OpenMode::kCreate));
    const auto held = second->lock(LockKind::kExclusive, std::chrono::milliseconds(0));
    if (!held || *held) {
      return failure(errc::kStoreUnsafe,
                     fmt::format("locks do not exclude in {}: two processes could both write",
                                 directory.path()),
                     "use a directory on a local file system");
    }
  }
  if (const auto existing = directory.status(kLogName); existing) return false;
  WORKCTL_CHECK(prepare());

  std::string text = finish_line(encode_header(header), log_format::no_digest());
  LineParts parts;
  split_line(text, parts);
  text += first.finish(parts.digest);
  WORKCTL_TRY(NewLog log, NewLog::begin(directory, file_system));
  WORKCTL_CHECK(log.append(text));
  WORKCTL_CHECK(log.publish());
  return true;
}

Result<std::unique_ptr<Journal>> Journal::open(std::unique_ptr<Directory> directory,
                                               const Options& options) {
  std::unique_ptr<Journal> journal(new Journal(std::move(directory), options));
  WORKCTL_CHECK(check_directory(*journal->directory_, journal->file_system_));
  WORKCTL_CHECK(journal->open_log());
  return journal;
}

Result<void> Journal::open_log() {
  auto file = open_store_file(*directory_, file_system_, kLogName, OpenMode::kReadWrite);
  read_only_ = false;
  if (!file && file.error().code == errc::kIoFailure) {
    read_only_ = true;
    file = open_store_file(*directory_, file_system_, kLogName, OpenMode::kRead);
  }
  if (!file) return std::unexpected(std::move(file).error());
  if (*file == nullptr) {
    return failure(errc::kStoreNotFound, fmt::format("there is no store in {}", directory_->path()),
                   "make one with `workctl init`");
  }
  const auto status = (*file)->status();
  if (!status) return std::unexpected(describe(status.error(), path(kLogName)));

  LogPosition start;
  start.digest = log_format::no_digest();
  LogReader reader(**file, start);
  const auto body = reader.next();
  if (!body) return std::unexpected(describe(body.error(), path(kLogName)));
  if (!*body) {
    std::string beginning(64, '\0');
    const auto got = read_fully(**file, 0, beginning);
    beginning.resize(got ? *got : 0);
    if (header_version(beginning) > kLogFormatVersion) {
      return std::unexpected(decode_header(beginning).error());
    }
    return failure(errc::kStoreDamaged,
                   fmt::format("{} line 1 (byte 0) does not verify: it should be the log's header",
                               path(kLogName)),
                   kRepairHint);
  }
  WORKCTL_TRY(header_, decode_header(**body));
  start_ = reader.position();
  start_.revision = header_.revision;
  start_.at = header_.at;
  position_ = start_;
  log_ = std::move(*file);
  log_status_ = *status;
  return {};
}

Result<void> Journal::lock(std::chrono::milliseconds timeout) {
  if (locked_) return failure(errc::kBug, "the lock is taken twice");
  if (read_only_) {
    return failure(errc::kIoFailure, fmt::format("{} can be read but not written", path(kLogName)));
  }
  WORKCTL_CHECK(check_writable(header_));
  WORKCTL_TRY(lock_, take_lock(*directory_, file_system_, timeout));
  locked_ = true;
  return {};
}

void Journal::unlock() {
  lock_.reset();
  locked_ = settled_ = false;
}

Result<std::optional<DurableMark>> Journal::load_mark() {
  if (mark_ == nullptr) {
    WORKCTL_TRY(mark_, open_store_file(*directory_, file_system_, kMarkName,
                                       locked_ ? OpenMode::kCreate : OpenMode::kRead));
    if (mark_ == nullptr) return std::nullopt;
  }
  std::string text(kMarkBytes, '\0');
  const auto got = read_fully(*mark_, 0, text);
  if (!got) return std::unexpected(describe(got.error(), path(kMarkName)));
  text.resize(*got);
  if (!locked_) mark_.reset();  // a writer needs it open for writing
  auto mark = decode_mark(text);
  if (mark && (mark->store_id != header_.store_id || mark->generation != header_.generation ||
               mark->inode != log_status_.inode)) {
    mark.reset();
  }
  return mark;
}

void Journal::move_mark() {
  const DurableMark mark{.store_id = header_.store_id,
                         .generation = header_.generation,
                         .inode = log_status_.inode,
                         .boot_id = boot_id_,
                         .size = position_.offset,
                         .digest = position_.digest};
  if (const auto done = write_fully(*mark_, 0, encode_mark(mark)); !done) {
    // What it says stays true; the next writer verifies and heals a little more.
    notice(describe(done.error(), path(kMarkName)).message);
  }
}

Result<void> Journal::follow_replacement(CommitSink& sink) {
  const auto named = directory_->status(kLogName);
  if (!named) {
    return failure(errc::kStoreDamaged, fmt::format("{} is gone", path(kLogName)),
                   "put it back from a copy");
  }
  if (named->inode == log_status_.inode) return {};
  WORKCTL_CHECK(open_log());
  sink.reset();
  return {};
}

std::uint64_t Journal::log_size() const {
  const auto status = log_->status();
  return status ? status->size : 0;
}

Result<bool> Journal::resume(const LogPosition& position) {
  if (position.offset < start_.offset) return false;
  std::string end(log_format::kSuffixLength, '\0');
  const auto got = read_fully(*log_, position.offset - end.size(), end);
  if (!got) return std::unexpected(describe(got.error(), path(kLogName)));
  if (*got < end.size() || end != line_end(position.digest)) return false;
  position_ = position;
  return true;
}

Result<void> Journal::replay(const std::optional<DurableMark>& mark, CommitSink& sink) {
  MarkCheck mark_check(mark, position_.offset);
  LogReader reader(*log_, position_);
  for (;;) {
    if (mark_check.differs_at(position_)) {
      return failure(errc::kStoreDamaged,
                     fmt::format("{} differs before byte {} from what was known durable: it was "
                                 "replaced or changed (line {}, revision {})",
                                 path(kLogName), mark->size, position_.line, position_.revision),
                     kRepairHint);
    }
    const auto body = reader.next();
    if (!body) return std::unexpected(describe(body.error(), path(kLogName)));
    if (!*body) return {};
    WORKCTL_CHECK(deliver_line(**body, header_, position_, sink));
    position_.line_offset = position_.offset;
    position_.offset = reader.position().offset;
    position_.line = reader.position().line;
    position_.digest = reader.position().digest;
  }
}

Result<void> Journal::catch_up(CommitSink& sink) {
  if (outcome_unknown_)
    return failure(errc::kOutcomeUnknown, "a sync of this handle failed before");
  for (int tries = 1;; ++tries) {
    WORKCTL_CHECK(follow_replacement(sink));
    WORKCTL_TRY(const auto mark, load_mark());
    WORKCTL_CHECK(replay(mark, sink));
    const auto tail = examine_tail(*log_, position_);
    if (!tail) return std::unexpected(describe(tail.error(), path(kLogName)));

    const std::string place = fmt::format("line {} (byte {}, after revision {})",
                                          position_.line + 1, position_.offset, position_.revision);
    if (!snapshot_is_whole(header_, position_)) {
      return failure(
          errc::kStoreDamaged,
          fmt::format("{} ends in the snapshot that it begins with, at {}", path(kLogName), place),
          kRepairHint);
    }
    if (mark && position_.offset < mark->size) {
      return failure(errc::kStoreDamaged,
                     tail->kind == TailKind::kNone
                         ? fmt::format("{} ends at {}, though {} bytes of it were known durable",
                                       path(kLogName), place, mark->size)
                         : fmt::format("{} {} does not verify, though {} bytes were known durable",
                                       path(kLogName), place, mark->size),
                     kRepairHint);
    }
    if (tail->kind == TailKind::kDamaged) {
      if (!locked_ && tries < kReaderTries) continue;
      return failure(
          errc::kStoreDamaged,
          fmt::format("{} {} does not verify, and lines after it do", path(kLogName), place),
          kRepairHint);
    }
    if (locked_) return settle(mark, *tail);
    if (tail->kind != TailKind::kNone && mark && mark->boot_id != boot_id_) {
      notice(fmt::format("{} has an unfinished end at byte {}; the next writer sets it aside",
                         path(kLogName), position_.offset));
    }
    return {};
  }
}

Result<void> Journal::append(const CommitLine& line) {
  if (!locked_ || !settled_) return failure(errc::kBug, "append without the lock or a catch_up");
  if (line.count() == 0) return failure(errc::kBug, "append of an empty line");
  if (line.bytes() > kLineBytesMax) {
    return failure(errc::kTooLarge, fmt::format("a line of {} bytes is over the limit of {} bytes",
                                                line.bytes(), kLineBytesMax));
  }
  const std::string text = line.finish(position_.digest);

  const SignalHold hold;
  const auto unknown = [&](const Error& error) {
    outcome_unknown_ = true;
    settled_ = false;
    return failure(
        errc::kOutcomeUnknown,
        error.message + "; whether the change is stored will show when the store is next used");
  };
  if (const auto written = write_fully(*log_, position_.offset, text); !written) {
    Error error = describe(written.error(), path(kLogName));
    if (const auto cut = cut_back(position_.offset); !cut) return unknown(cut.error());
    error.message += "; nothing was changed";
    return std::unexpected(std::move(error));
  }
  if (const auto synced = log_->sync(); !synced) {
    return unknown(describe(synced.error(), path(kLogName)));
  }
  LineParts parts;
  split_line(text, parts);
  position_.line_offset = position_.offset;
  position_.offset += text.size();
  position_.line += 1;
  position_.digest = parts.digest;
  position_.revision = line.last_revision();
  position_.at = line.last_at();
  move_mark();
  return {};
}

}  // namespace workctl
