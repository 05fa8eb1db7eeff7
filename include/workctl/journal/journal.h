#pragma once

/// The log of one store: an append-only file of checksummed, chained JSON lines, the only truth.
///
/// Its life: `create` writes the header; each writer locks, catches up with what others appended
/// (which verifies it and heals or refuses its end by the recovery table), appends one line, syncs
/// it, moves the durable mark and unlocks. Readers catch up without the lock and ignore an
/// unfinished end.
///
/// Promises: a line is there whole or not at all; after `append` returned success it is on stable
/// storage; at most one line that is not is ever in the file; nothing that was synced is ever
/// changed; anything that does not verify and could have been acknowledged stops the caller with
/// the place named, and no byte is changed.
///
/// One process's handle; not for several threads.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "workctl/base/error.h"
#include "workctl/base/file_system.h"
#include "workctl/journal/record.h"

namespace workctl {

struct DurableMark;
struct Tail;

namespace errc {
/// There is no store here.
inline constexpr ErrorCode kStoreNotFound{"STORE_NOT_FOUND"};
/// Another process holds the lock and did not let go in time.
inline constexpr ErrorCode kStoreBusy{"STORE_BUSY"};
/// The log does not verify at a place that may have been acknowledged.
inline constexpr ErrorCode kStoreDamaged{"STORE_DAMAGED"};
/// The log was written by a newer workctl, or needs a feature that this one does not know.
inline constexpr ErrorCode kStoreTooNew{"STORE_TOO_NEW"};
/// Not safe here: others can write the directory, a link where a file should be, locks that do not
/// lock.
inline constexpr ErrorCode kStoreUnsafe{"STORE_UNSAFE"};
/// A sync failed: the change may or may not be durable. Nothing says it is not there.
inline constexpr ErrorCode kOutcomeUnknown{"OUTCOME_UNKNOWN"};
/// A limit of the format; the message names it and what was asked.
inline constexpr ErrorCode kTooLarge{"TOO_LARGE"};
}  // namespace errc

inline constexpr std::uint64_t kLogFormatVersion = 1;
/// A line, its newline included.
inline constexpr std::uint64_t kLineBytesMax = 128U << 20;
/// One document's canonical text.
inline constexpr std::uint64_t kDocumentBytesMax = 64U << 20;

inline constexpr const char* kLogName = "work.jsonl";
inline constexpr const char* kLockName = "work.lock";
inline constexpr const char* kMarkName = "work.mark";
inline constexpr const char* kArchiveName = "archive";

/// A place in a log: after `line` lines, `offset` bytes and `revision` commits.
struct LogPosition {
  std::uint64_t offset = 0;
  std::uint64_t line_offset = 0;  ///< where the last line begins
  std::uint64_t line = 0;
  std::uint64_t revision = 0;
  Instant at = 0;      ///< of the last commit, 0 where there is none
  std::string digest;  ///< of the last line; 64 zeros before the first
};

/// Receives commits in order while a journal catches up.
class CommitSink {
 public:
  virtual ~CommitSink() = default;
  /// Forget everything: the log was replaced by a new generation, which is delivered from its
  /// start.
  virtual void reset() = 0;
  /// A failure stops the catching up and is handed on.
  virtual Result<void> apply(Commit&& commit) = 0;
};

/// For who looks at the chain alone.
class NothingSink final : public CommitSink {
 public:
  void reset() override {}
  Result<void> apply(Commit&&) override { return {}; }
};

/// Called with one sentence about something that went well in the end but that a person should
/// know: a torn tail set aside, a mark that could not be written.
using NoticeSink = std::function<void(const std::string& notice)>;

class Journal {
 public:
  struct Options {
    FileSystem* file_system = nullptr;  ///< null: the operating system's
    NoticeSink notice{};
  };

  /// Makes the log of a new store in `directory`, header and first line together, durable when it
  /// returns. False when there is one already: then nothing was changed. Takes the lock meanwhile,
  /// and calls `prepare` under it once it is certain that there is no log yet.
  static Result<bool> create(Directory& directory, const LogHeader& header, const CommitLine& first,
                             const std::function<Result<void>()>& prepare, const Options& options,
                             std::chrono::milliseconds lock_timeout);

  /// Opens the log in `directory` and reads its header. `kStoreNotFound` where there is none.
  static Result<std::unique_ptr<Journal>> open(std::unique_ptr<Directory> directory,
                                               const Options& options);

  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  /// Lets go of the lock.
  ~Journal();

  /// Takes the exclusive lock. `kStoreBusy`, naming the last holder, when it was not to be had in
  /// time.
  Result<void> lock(std::chrono::milliseconds timeout);
  void unlock();

  /// Stands this handle behind a line that was read before, so that `catch_up` goes on after it:
  /// true, unless no line of this log that ends there has that digest; then nothing was changed.
  /// The lines before it are not read again.
  Result<bool> resume(const LogPosition& position);
  /// Opens the log anew, where another took its place; the lock stays.
  Result<void> reopen() { return open_log(); }
  /// Stands it behind the header: `catch_up` delivers everything.
  void rewind() { position_ = start_; }

  /// Delivers to `sink` every commit between this handle's position and the end of the log. With
  /// the lock held the end is judged by the recovery table and healed; without, an unfinished end
  /// is left alone. `kStoreDamaged`, `kStoreTooNew` or `kIoFailure` on trouble; this handle's
  /// position then stays behind the last line that was delivered whole.
  Result<void> catch_up(CommitSink& sink);

  /// Appends `line`, whose revisions must follow on, and makes it durable. Needs the lock and a
  /// `catch_up` under it. On `kIoFailure` and `kTooLarge` nothing is in the log; on
  /// `kOutcomeUnknown` it may be, and this handle can only be closed. Signals that end a process
  /// are held back meanwhile.
  Result<void> append(const CommitLine& line);

  const LogHeader& header() const { return header_; }
  const LogPosition& position() const { return position_; }
  Directory& directory() { return *directory_; }
  /// The open log, for who copies it.
  File& log_file() { return *log_; }
  /// Of the open log, as it was when it was opened.
  const FileStatus& log_status() const { return log_status_; }
  /// Bytes in it now; 0 where it does not say.
  std::uint64_t log_size() const;
  /// Empty where the system does not say.
  const std::string& boot_id() const { return boot_id_; }

 private:
  Journal(std::unique_ptr<Directory> directory, const Options& options);

  Result<void> open_log();
  Result<void> follow_replacement(CommitSink& sink);
  Result<std::optional<DurableMark>> load_mark();
  Result<void> replay(const std::optional<DurableMark>& mark, CommitSink& sink);
  Result<void> settle(const std::optional<DurableMark>& mark, const Tail& tail);
  Result<void> rewrite_from(std::uint64_t offset);
  Result<void> set_tail_aside(std::uint64_t file_bytes);
  Result<void> cut_back(std::uint64_t size);
  void move_mark();
  void notice(const std::string& text) const;
  std::string path(const char* name) const;

  std::unique_ptr<Directory> directory_;
  FileSystem& file_system_;
  NoticeSink notice_;
  std::unique_ptr<File> log_;
  std::unique_ptr<File> lock_;
  std::unique_ptr<File> mark_;
  FileStatus log_status_{};
  std::string boot_id_;
  LogHeader header_;
  LogPosition start_;  ///< after the header
  LogPosition position_;
  bool read_only_ = false;  ///< the log could be opened for reading only
  bool locked_ = false;
  bool settled_ = false;  ///< the end was judged and is durable, under the lock held now
  bool outcome_unknown_ =
      false;  ///< a sync failed: this handle knows nothing about the end any more
};

}  // namespace workctl
