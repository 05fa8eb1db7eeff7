#include "workctl/store/local_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "journal/store_files.h"
#include "store/index/index_replay.h"
#include "store/local_session.h"
#include "store/snapshot.h"
#include "store/transaction_text.h"
#include "workctl/base/random.h"
#include "workctl/store/memory_projection.h"
#include "workctl/store/replay.h"

namespace workctl {

namespace {

constexpr const char* kKeysName = "keys";
constexpr std::uint64_t kPrivateTextBytesMax = 64U << 10;
constexpr std::uint32_t kOfOthers = 0077;  ///< in a mode: what group and others may do

Result<std::unique_ptr<Directory>> open_store_directory(const std::string& path,
                                                        FileSystem& file_system) {
  auto directory = file_system.open_directory(path);
  if (directory) return std::move(*directory);
  if (directory.error().number == ENOENT) {
    return failure(errc::kStoreNotFound, fmt::format("there is no store in {}", path),
                   "make one with `workctl init`");
  }
  if (directory.error().number == ENOTDIR) {
    return failure(errc::kInvalidInput, fmt::format("{} is a file, a store is a directory", path));
  }
  return std::unexpected(describe(directory.error(), path));
}

/// Tells how far a catch-up has come, each time it has come a good deal further.
class Told final : public CommitSink {
 public:
  Told(CommitSink& sink, const Journal& journal, const IndexUse& use)
      : sink_(sink), journal_(journal), use_(use) {}
  void reset() override { sink_.reset(); }
  Result<void> apply(Commit&& commit) override {
    const std::uint64_t offset = journal_.position().offset;
    if (use_.progress && offset >= told_ + kStep) {
      told_ = offset;
      use_.progress(offset, journal_.log_status().size);
    }
    return sink_.apply(std::move(commit));
  }

 private:
  static constexpr std::uint64_t kStep = 1U << 20;
  CommitSink& sink_;
  const Journal& journal_;
  const IndexUse& use_;
  std::uint64_t told_ = 0;
};

class LocalEngine final : public LocalStore {
 public:
  LocalEngine(std::string path, const Journal::Options& options, const IndexUse& use)
      : path_(std::move(path)), options_(options), use_(use), indexing_(use.use) {}

  Result<void> open() {
    index_.reset();
    memory_.reset();
    WORKCTL_TRY(auto directory, open_store_directory(path_, file_system_of(options_)));
    WORKCTL_TRY(journal_, Journal::open(std::move(directory), options_));
    turn_ = {};
    return {};
  }

  Result<View*> read() override {
    WORKCTL_CHECK(be_usable());
    WORKCTL_TRY(Projection* const projection, bring_in(false));
    return projection;
  }

  Result<std::unique_ptr<Session>> begin(std::chrono::milliseconds timeout) override {
    if (index_ != nullptr) index_->end();
    WORKCTL_CHECK(be_usable());
    WORKCTL_CHECK(journal_->lock(timeout));
    auto projection = bring_in(true);
    if (!projection) {
      journal_->unlock();
      return std::unexpected(std::move(projection).error());
    }
    return std::make_unique<LocalSession>(*journal_, **projection, turn_);
  }

  Result<Compaction> compact(const CompactionRequest& request,
                             std::chrono::milliseconds timeout) override {
    if (index_ != nullptr) index_->end();
    WORKCTL_CHECK(be_usable());
    WORKCTL_CHECK(journal_->lock(timeout));
    Result<Compaction> compacted = compact_under_lock(request);
    if (index_ != nullptr) index_->end();
    journal_->unlock();
    return compacted;
  }

  const std::string& store_id() const override { return journal_->header().store_id; }

  Result<StorageUse> storage() override {
    StorageUse use{.bytes = journal_->log_size(), .generation = journal_->header().generation};
    const auto archive = journal_->directory().open_directory(kArchiveName);
    if (!archive) return use;
    const auto names = (*archive)->list();
    if (!names) return std::unexpected(describe(names.error(), (*archive)->path()));
    for (const std::string& name : *names)
      if (const auto status = (*archive)->status(name)) use.archive_bytes += status->size;
    return use;
  }

  std::unique_ptr<ChangeSignal> changes() override {
    return watch_files(journal_->directory().path(), {kLogName});
  }

  Result<std::optional<std::string>> private_text(const std::string& name) override {
    FileSystem& file_system = file_system_of(options_);
    auto keys = journal_->directory().open_directory(kKeysName);
    const std::string path = path_of(journal_->directory(), kKeysName);
    if (!keys) {
      const int number = keys.error().number;
      if (number == ENOENT) return std::nullopt;
      if (number == ENOTDIR || number == ELOOP)
        return failure(errc::kStoreUnsafe, fmt::format("{} is not a directory", path));
      return std::unexpected(describe(keys.error(), path));
    }
    WORKCTL_CHECK(check_directory(**keys, file_system));
    WORKCTL_TRY(const auto file, open_store_file(**keys, file_system, name, OpenMode::kRead));
    if (file == nullptr) return std::nullopt;
    return read_private(*file, path + "/" + name);
  }

 private:
  static Result<std::optional<std::string>> read_private(File& file, const std::string& path) {
    const auto status = file.status();
    if (!status) return std::unexpected(describe(status.error(), path));
    if ((status->mode & kOfOthers) != 0)
      return failure(errc::kStoreUnsafe,
                     fmt::format("{} can be read by others (mode {:04o})", path, status->mode),
                     fmt::format("chmod go= {}", path));
    const auto text = read_all(file, kPrivateTextBytesMax);
    if (!text) return std::unexpected(describe(text.error(), path));
    return *text;
  }

  Result<Compaction> compact_under_lock(const CompactionRequest& request) {
    WORKCTL_TRY(Projection* const projection, bring_in(true));
    const LogPosition before = journal_->position();
    Compaction done{.generation = journal_->header().generation + 1,
                    .revision = before.revision + 1,
                    .bytes_before = before.offset};
    if (request.dry_run) {
      WORKCTL_CHECK(measure_snapshot(*projection, done));
      return done;
    }
    WORKCTL_TRY(auto next, NextGeneration::begin(*journal_, file_system_of(options_), request.at));
    WORKCTL_CHECK(write_snapshot(*projection, request, next, done));
    WORKCTL_TRY(auto published,
                next.publish(compaction_line(request, before, done.revision), request.keep_old));
    done.bytes_after = published.end.offset;
    done.kept_as = std::move(published.kept_as);
    WORKCTL_CHECK(follow_compaction(published.end));
    return done;
  }

  /// What is in memory or in the index holds of the new log as well; it only ends elsewhere.
  Result<void> follow_compaction(const LogPosition& end) {
    turn_.lost = true;  // until both are known to agree again
    WORKCTL_CHECK(journal_->reopen());
    if (index_ == nullptr) return {};
    // Nothing is lost where this fails: the stamp is of the old log.
    const auto committed = index_->commit(end);
    if (committed && *committed) static_cast<void>(index_->publish(*journal_));
    return {};
  }

  Result<void> be_usable() { return turn_.lost ? open() : Result<void>(); }

  /// A projection of all that is in the log; for a writer, under the lock, of all that is to stay
  /// in it.
  Result<Projection*> bring_in(bool writing) {
    turn_.index = nullptr;
    Result<Projection*> projection =
        indexing_ ? from_index(writing) : failure(errc::kIndexUnusable, "");
    if (!projection && projection.error().code == errc::kIndexUnusable) {
      index_.reset();
      if (indexing_ && writing) give_up_index(projection.error());
      projection = from_memory();
    }
    // What was delivered before the trouble may be half of a line: begin again next time.
    if (!projection) turn_.lost = true;
    return projection;
  }

  void give_up_index(const Error& error) {
    indexing_ = false;
    if (options_.notice)
      options_.notice(fmt::format("{}; answers stay right and take longer", error.message));
  }

  Result<Projection*> from_memory() {
    if (memory_ == nullptr) {
      memory_ = std::make_unique<MemoryProjection>();
      journal_->rewind();
    }
    Replay replay(*memory_);
    WORKCTL_CHECK(journal_->catch_up(replay));
    return memory_.get();
  }

  Result<Projection*> from_index(bool writing) {
    memory_.reset();
    for (;;) {
      if (index_ == nullptr || !index_->is_current()) {
        WORKCTL_TRY(index_, Index::open(*journal_, file_system_of(options_)));
      }
      if (index_ != nullptr) WORKCTL_CHECK(stand_at_index(writing));
      if (index_ == nullptr) WORKCTL_CHECK(make_index(writing));
      if (!writing && tail_bytes() > kReaderTailMax)
        return failure(errc::kIndexUnusable, "index: it is far behind");
      IndexTail sink(*index_);
      const Result<void> caught_up = journal_->catch_up(sink);
      if (!sink.replaced()) {
        WORKCTL_CHECK(caught_up);
        if (writing) turn_.index = index_.get();
        return &index_->projection();
      }
      index_.reset();
    }
  }

  std::uint64_t tail_bytes() {
    const std::uint64_t end = journal_->log_size();
    return end - std::min(end, journal_->position().offset);
  }

  /// Begins with the index, and lets the journal go on where it ends. It is dropped when it is not
  /// of this log.
  Result<void> stand_at_index(bool writing) {
    WORKCTL_CHECK(writing ? index_->begin_writing() : index_->begin_reading());
    WORKCTL_TRY(const bool resumed, journal_->resume(index_->projection().saved_position()));
    if (!resumed) index_.reset();
    return {};
  }

  /// Makes an index of the whole log. A reader does where it pays and no writer is at work.
  Result<void> make_index(bool writing) {
    if (!writing) {
      const bool pays = journal_->log_size() > kReaderIndexMin;
      if (!pays || !journal_->lock(std::chrono::milliseconds(0)))
        return failure(errc::kIndexUnusable, "index: there is none");
    }
    const Result<void> made = replay_into_index();
    if (writing) return made;
    journal_->unlock();
    WORKCTL_CHECK(made);
    return stand_at_index(writing);
  }

  Result<void> replay_into_index() {
    WORKCTL_TRY(index_, Index::create(*journal_, file_system_of(options_)));
    WORKCTL_CHECK(index_->begin_writing());
    journal_->rewind();
    IndexReplay replay(*index_);
    Told sink(replay, *journal_, use_);
    WORKCTL_CHECK(journal_->catch_up(sink));
    WORKCTL_TRY(const bool committed, index_->commit(journal_->position()));
    if (!committed) return failure(errc::kIndexUnusable, "index: another hand locks it");
    if (use_.progress) use_.progress(journal_->position().offset, journal_->position().offset);
    return index_->publish(*journal_);
  }

  /// A reader keeps what the index lacks in memory up to here, and makes an index of logs from here
  /// on.
  static constexpr std::uint64_t kReaderTailMax = 64U << 20;
  static constexpr std::uint64_t kReaderIndexMin = 1U << 20;

  std::string path_;
  Journal::Options options_;
  IndexUse use_;
  bool indexing_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<Index> index_;
  std::unique_ptr<MemoryProjection> memory_;  ///< where the journal stands, when there is no index
  Turn turn_;
};

Result<void> save_private_texts(Directory& directory,
                                const std::map<std::string, std::string>& texts) {
  const std::string keys_path = directory.path() + "/" + kKeysName;
  if (const auto made = directory.create_directory(kKeysName);
      !made && made.error().number != EEXIST) {
    return std::unexpected(describe(made.error(), keys_path));
  }
  const auto keys = directory.open_directory(kKeysName);
  if (!keys) return std::unexpected(describe(keys.error(), keys_path));
  for (const auto& [name, text] : texts) {
    const auto named = [&](const SystemError& error) {
      return std::unexpected(describe(error, keys_path + "/" + name));
    };
    if ((*keys)->status(name)) {  // of an init that was killed before it made a log
      if (const auto removed = (*keys)->remove(name); !removed) return named(removed.error());
    }
    const auto file = (*keys)->open(name, OpenMode::kCreateNew);
    if (!file) return named(file.error());
    if (const auto done = write_fully(**file, 0, text); !done) return named(done.error());
    if (const auto done = (*file)->sync(); !done) return named(done.error());
  }
  if (const auto done = (*keys)->sync(); !done) {
    return std::unexpected(describe(done.error(), keys_path));
  }
  // Before the log gets its name: a store whose log survives a power cut has its keys.
  if (const auto done = directory.sync(); !done) {
    return std::unexpected(describe(done.error(), directory.path()));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<LocalStore>> open_local_engine(const std::string& path,
                                                      const Journal::Options& options,
                                                      const IndexUse& index) {
  auto engine = std::make_unique<LocalEngine>(path, options, index);
  WORKCTL_CHECK(engine->open());
  return engine;
}

Result<bool> create_local_store(const std::string& path, const NewStore& store,
                                const Journal::Options& options,
                                std::chrono::milliseconds lock_timeout) {
  FileSystem& file_system = file_system_of(options);
  if (const auto made = file_system.create_directories(path); !made) {
    if (made.error().number == ENOTDIR || made.error().number == EEXIST) {
      return failure(errc::kInvalidInput,
                     fmt::format("{} is a file, a store is a directory", path));
    }
    return std::unexpected(describe(made.error(), path));
  }
  WORKCTL_TRY(const auto directory, open_store_directory(path, file_system));

  TransactionText text(1, store.first.at);
  for (const DocumentWrite& write : store.first.writes) WORKCTL_CHECK(text.add(write, 1, nullptr));
  CommitLine line;
  text.append_to(line);
  LogHeader header;
  header.store_id = "store_" + random_hex(16);
  header.created_at = store.created_at;
  const auto prepare = [&] { return save_private_texts(*directory, store.private_texts); };
  return Journal::create(*directory, header, line, prepare, options, lock_timeout);
}

}  // namespace workctl
