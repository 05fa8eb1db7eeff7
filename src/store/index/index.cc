#include "store/index/index.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

#include "journal/store_files.h"
#include "workctl/base/random.h"

namespace workctl {

namespace {

constexpr const char* kStampName = "stamp";
constexpr const char* kNewStampName = "stamp.new";
constexpr std::string_view kFilePrefix = "data-";
constexpr std::uint64_t kStampBytesMax = 1024;

/// How much larger than the log an index can be, and what it may grow to on top while it is open.
/// Addresses only: memory and space are taken by what is used.
constexpr std::uint64_t kLogShare = 8;
constexpr std::uint64_t kRoomBytes = 64ULL << 30;

/// A reader's patience with a commit, and a writer's with readers.
constexpr std::chrono::milliseconds kReaderPatience{1000};
constexpr std::chrono::milliseconds kWriterPatience{20};

/// What an index in this file would have to say of itself to be trusted.
std::string stamp_text(const std::string& name, const FileStatus& file, Journal& journal) {
  const LogHeader& header = journal.header();
  const FileStatus& log = journal.log_status();
  return fmt::format("{}\nformat {} boot {} store {} generation {} log {}:{} file {}:{}\n", name,
                     index_tree::kIndexFormat, journal.boot_id(), header.store_id,
                     header.generation, log.device, log.inode, file.device, file.inode);
}

bool take_lock(File& file, LockKind kind, std::chrono::milliseconds patience) {
  const auto at_once = file.lock(kind, std::chrono::milliseconds(0));
  if (at_once && *at_once) return true;
  const auto later = at_once ? file.lock(kind, patience) : at_once;
  return later && *later;
}

/// Whoever still looks at what is removed keeps it until the end. What cannot be removed is in
/// nobody's way.
void remove_all(Directory& directory) {
  static_cast<void>(directory.remove(kStampName));
  const auto names = directory.list();
  if (!names) return;
  for (const std::string& name : *names)
    if (name.starts_with(kFilePrefix)) static_cast<void>(directory.remove(name));
}

std::unexpected<Error> unusable(const std::string& what) {
  return failure(errc::kIndexUnusable, "index: " + what);
}

std::unexpected<Error> unusable(const Directory& directory, const std::string& name,
                                const SystemError& error) {
  return unusable(describe(error, path_of(directory, name)).message);
}

}  // namespace

Index::Index(std::unique_ptr<Directory> directory, FileSystem& file_system, std::string name,
             std::unique_ptr<File> file, std::unique_ptr<lmdb::Environment> environment)
    : directory_(std::move(directory)),
      file_system_(file_system),
      name_(std::move(name)),
      file_(std::move(file)),
      environment_(std::move(environment)),
      projection_([this]() -> Result<void> {
        transaction_.reset();
        WORKCTL_TRY(transaction_, lmdb::Transaction::begin(*environment_, lmdb::Access::kWrite));
        projection_.move_to(*transaction_);
        return {};
      }) {
  // Whoever comes next makes another one.
  environment_->on_trouble([this] { static_cast<void>(directory_->remove(kStampName)); });
}

Index::~Index() {
  end();
  // What nobody will find is in nobody's way.
  if (unpublished_) static_cast<void>(directory_->remove(name_));
}

Result<std::unique_ptr<Index>> Index::open_file(std::unique_ptr<Directory> directory,
                                                FileSystem& file_system, const std::string& name,
                                                std::unique_ptr<File> file,
                                                std::uint64_t log_bytes) {
  WORKCTL_TRY(auto environment, lmdb::Environment::open(path_of(*directory, name),
                                                        log_bytes * kLogShare + kRoomBytes));
  // LMDB opens by path: what it opened must be what was looked at.
  struct stat opened {};
  const auto status = file->status();
  if (!status || fstat(environment->descriptor(), &opened) != 0 || opened.st_ino != status->inode ||
      opened.st_dev != status->device)
    return unusable("its file was replaced while it was opened");
  if (static_cast<std::uint64_t>(opened.st_size) < environment->bytes_used() && opened.st_size > 0)
    return unusable("its file was cut off");
  return std::unique_ptr<Index>(
      new Index(std::move(directory), file_system, name, std::move(file), std::move(environment)));
}

Result<std::unique_ptr<Index>> Index::open(Journal& journal, FileSystem& file_system) {
  if (journal.boot_id().empty()) return nullptr;
  auto directory = journal.directory().open_directory(kIndexName);
  if (!directory || !check_directory(**directory, file_system)) return nullptr;
  const auto stamp = open_store_file(**directory, file_system, kStampName, OpenMode::kRead);
  if (!stamp || *stamp == nullptr) return nullptr;
  const auto text = read_all(**stamp, kStampBytesMax);
  if (!text) return nullptr;
  const std::string name = text->substr(0, text->find('\n'));
  if (!name.starts_with(kFilePrefix) || name.find('/') != name.npos) return nullptr;
  auto file = open_store_file(**directory, file_system, name, OpenMode::kReadWrite);
  if (!file || *file == nullptr) return nullptr;
  const auto status = (*file)->status();
  if (!status || *text != stamp_text(name, *status, journal)) return nullptr;
  auto index = open_file(std::move(*directory), file_system, name, std::move(*file),
                         journal.log_status().size);
  if (!index) return nullptr;
  return index;
}

Result<std::unique_ptr<Index>> Index::create(Journal& journal, FileSystem& file_system) {
  if (journal.boot_id().empty()) return unusable("this machine does not say when it was started");
  Directory& store = journal.directory();
  if (const auto made = store.create_directory(kIndexName); !made && made.error().number != EEXIST)
    return unusable(store, kIndexName, made.error());
  auto directory = store.open_directory(kIndexName);
  if (!directory) return unusable(store, kIndexName, directory.error());
  if (const auto safe = check_directory(**directory, file_system); !safe)
    return unusable(safe.error().message);
  remove_all(**directory);
  const std::string name = std::string(kFilePrefix) + random_hex(8);
  auto file = open_store_file(**directory, file_system, name, OpenMode::kCreateNew);
  if (!file) return unusable(file.error().message);
  WORKCTL_TRY(auto index, open_file(std::move(*directory), file_system, name, std::move(*file),
                                    journal.log_status().size));
  index->unpublished_ = true;
  return index;
}

Result<std::unique_ptr<Index>> Index::create_beside(Journal& journal, FileSystem& file_system) {
  auto directory = journal.directory().open_directory(kIndexName);
  if (!directory) return unusable(journal.directory(), kIndexName, directory.error());
  Directory& place = **directory;
  // With the beginning of the others' names, should it be left behind.
  const std::string name = std::string(kFilePrefix) + random_hex(8);
  auto file = open_store_file(place, file_system, name, OpenMode::kCreateNew);
  if (!file) return unusable(file.error().message);
  auto index = open_file(std::move(*directory), file_system, name, std::move(*file),
                         journal.log_status().size);
  static_cast<void>(place.remove(name));
  return index;
}

Result<void> Index::publish(Journal& journal) {
  const auto status = file_->status();
  if (!status) return unusable(*directory_, name_, status.error());
  static_cast<void>(directory_->remove(kNewStampName));
  const auto stamp =
      open_store_file(*directory_, file_system_, kNewStampName, OpenMode::kCreateNew);
  if (!stamp) return unusable(stamp.error().message);
  if (const auto done = write_fully(**stamp, 0, stamp_text(name_, *status, journal)); !done)
    return unusable(*directory_, kNewStampName, done.error());
  if (const auto done = directory_->rename(kNewStampName, kStampName); !done)
    return unusable(*directory_, kStampName, done.error());
  unpublished_ = false;
  return {};
}

bool Index::is_current() const {
  const auto status = file_->status();
  return status && status->links == 1;
}

Result<void> Index::begin(lmdb::Access access) {
  WORKCTL_TRY(transaction_, lmdb::Transaction::begin(*environment_, access));
  return projection_.attach(transaction_.get());
}

Result<void> Index::begin_reading() {
  end();
  if (!take_lock(*file_, LockKind::kShared, kReaderPatience))
    return unusable("a writer holds it for long");
  shared_ = true;
  return begin(lmdb::Access::kRead);
}

Result<void> Index::begin_writing() {
  end();
  return begin(lmdb::Access::kWrite);
}

Result<bool> Index::commit(const LogPosition& position) {
  if (!projection_.changed() && projection_.saved_position().offset == position.offset) return true;
  if (!take_lock(*file_, LockKind::kExclusive, kWriterPatience)) return false;
  Result<void> done = projection_.save(position);
  if (done) done = transaction_->commit();
  end();
  static_cast<void>(file_->unlock());
  WORKCTL_CHECK(done);
  WORKCTL_CHECK(begin_writing());
  return true;
}

void Index::end() {
  static_cast<void>(projection_.attach(nullptr));
  transaction_.reset();
  if (shared_) static_cast<void>(file_->unlock());
  shared_ = false;
}

}  // namespace workctl
