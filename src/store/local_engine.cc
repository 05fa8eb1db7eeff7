#include "workctl/store/local_engine.h"

#include <fmt/format.h>

#include <cerrno>

#include "journal/store_files.h"
#include "store/local_session.h"
#include "store/transaction_text.h"
#include "workctl/base/random.h"
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

class LocalEngine final : public Engine {
 public:
  LocalEngine(std::string path, const Journal::Options& options)
      : path_(std::move(path)), options_(options) {}

  Result<void> open() {
    WORKCTL_TRY(auto directory, open_store_directory(path_, file_system_of(options_)));
    WORKCTL_TRY(journal_, Journal::open(std::move(directory), options_));
    projection_.clear();
    lost_ = false;
    return {};
  }

  Result<View*> read() override {
    WORKCTL_CHECK(be_usable());
    WORKCTL_CHECK(catch_up());
    return &projection_;
  }

  Result<std::unique_ptr<Session>> begin(std::chrono::milliseconds timeout) override {
    WORKCTL_CHECK(be_usable());
    WORKCTL_CHECK(journal_->lock(timeout));
    if (auto caught_up = catch_up(); !caught_up) {
      journal_->unlock();
      return std::unexpected(std::move(caught_up).error());
    }
    return std::make_unique<LocalSession>(*journal_, projection_, lost_);
  }

  const std::string& store_id() const override { return journal_->header().store_id; }

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

  Result<void> be_usable() { return lost_ ? open() : Result<void>(); }

  Result<void> catch_up() {
    auto caught_up = journal_->catch_up(replay_);
    // What was delivered before the trouble may be half of a line: begin again next time.
    if (!caught_up) lost_ = true;
    return caught_up;
  }

  std::string path_;
  Journal::Options options_;
  std::unique_ptr<Journal> journal_;
  MemoryProjection projection_;
  Replay replay_{projection_};
  bool lost_ =
      false;  ///< journal and projection may not agree: both are made anew before the next use
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

Result<std::unique_ptr<Engine>> open_local_engine(const std::string& path,
                                                  const Journal::Options& options) {
  auto engine = std::make_unique<LocalEngine>(path, options);
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
