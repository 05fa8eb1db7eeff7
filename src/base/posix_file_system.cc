#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/timed_flock.h"
#include "workctl/base/file_system.h"

namespace workctl {
namespace {

constexpr mode_t kFileMode = 0600;
constexpr mode_t kDirectoryMode = 0700;

std::unexpected<SystemError> system_failure(const char* call) {
  return std::unexpected(SystemError{errno, call});
}

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

FileStatus to_status(const struct stat& from) {
  using Kind = FileStatus::Kind;
  return {.kind = S_ISREG(from.st_mode)   ? Kind::kRegular
                  : S_ISDIR(from.st_mode) ? Kind::kDirectory
                  : S_ISLNK(from.st_mode) ? Kind::kSymbolicLink
                                          : Kind::kOther,
          .size = static_cast<std::uint64_t>(from.st_size),
          .inode = from.st_ino,
          .device = from.st_dev,
          .links = from.st_nlink,
          .mode = from.st_mode & 01777U,
          .owner = from.st_uid};
}

SystemResult<FileStatus> status_of(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return system_failure("fstat");
  return to_status(status);
}

SystemResult<void> sync_directory(int descriptor) {
  if (fsync(descriptor) != 0) return system_failure("fsync");
  return {};
}

class PosixFile final : public File {
 public:
  explicit PosixFile(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  SystemResult<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) override {
    const ssize_t count = pread(number(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (count < 0) return system_failure("pread");
    return static_cast<std::size_t>(count);
  }

  SystemResult<std::size_t> write_at(std::uint64_t offset, std::string_view bytes) override {
    const ssize_t count = pwrite(number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0) return system_failure("pwrite");
    return static_cast<std::size_t>(count);
  }

  SystemResult<void> truncate(std::uint64_t size) override {
    if (ftruncate(number(), static_cast<off_t>(size)) != 0) return system_failure("ftruncate");
    return {};
  }

  SystemResult<void> sync() override {
    if (fdatasync(number()) != 0) return system_failure("fdatasync");
    return {};
  }

  SystemResult<FileStatus> status() override { return status_of(number()); }

  SystemResult<bool> lock(LockKind kind, std::chrono::milliseconds timeout) override {
    return timed_flock(number(), kind == LockKind::kShared ? LOCK_SH : LOCK_EX, timeout);
  }

  SystemResult<void> unlock() override {
    if (flock(number(), LOCK_UN) != 0) return system_failure("flock");
    return {};
  }

 private:
  int number() const { return descriptor_.number(); }

  Descriptor descriptor_;
};

/// What root makes in somebody's directory is to be that somebody's: it would lock him out
/// otherwise.
SystemResult<void> give_to_owner(int directory, int made) {
  if (geteuid() != 0) return {};
  struct stat status {};
  if (fstat(directory, &status) != 0) return system_failure("fstat");
  if (status.st_uid == 0) return {};
  if (fchown(made, status.st_uid, status.st_gid) != 0) return system_failure("fchown");
  return {};
}

SystemResult<Descriptor> open_file(int directory, const char* name, OpenMode mode) {
  // Non-blocking only so that a FIFO in the file's place cannot hold the caller up.
  constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  // Whether the file is new must be known. So kCreate tries to open and to make in turn, as another
  // process may make or remove it in between.
  while (true) {
    if (mode != OpenMode::kCreateNew) {
      Descriptor file(
          openat(directory, name, kFlags | (mode == OpenMode::kRead ? O_RDONLY : O_RDWR)));
      if (file.is_open()) return file;
      if (mode != OpenMode::kCreate || errno != ENOENT) return system_failure("openat");
    }
    Descriptor made(openat(directory, name, kFlags | O_RDWR | O_CREAT | O_EXCL, kFileMode));
    if (made.is_open()) {
      if (fchmod(made.number(), kFileMode) != 0) return system_failure("fchmod");
      if (const auto given = give_to_owner(directory, made.number()); !given)
        return std::unexpected(given.error());
      return made;
    }
    if (mode == OpenMode::kCreateNew || errno != EEXIST) return system_failure("openat");
  }
}

SystemResult<void> make_directory(int parent, const char* name) {
  if (mkdirat(parent, name, kDirectoryMode) != 0) return system_failure("mkdirat");
  struct stat status {};
  if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return system_failure("fstatat");
  const bool narrowed_by_umask = (status.st_mode & 07777U) != kDirectoryMode;
  if (narrowed_by_umask && fchmodat(parent, name, kDirectoryMode, AT_SYMLINK_NOFOLLOW) != 0) {
    return system_failure("fchmodat");
  }
  return {};
}

SystemResult<Descriptor> open_directory_in(int parent, const char* name) {
  Descriptor directory(openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!directory.is_open()) return system_failure("openat");
  return directory;
}

class PosixDirectory final : public Directory {
 public:
  PosixDirectory(Descriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  SystemResult<std::unique_ptr<File>> open(const std::string& name, OpenMode mode) override {
    auto file = open_file(number(), name.c_str(), mode);
    if (!file) return std::unexpected(file.error());
    return std::make_unique<PosixFile>(*std::move(file));
  }

  SystemResult<std::unique_ptr<Directory>> open_directory(const std::string& name) override {
    auto directory = open_directory_in(number(), name.c_str());
    if (!directory) return std::unexpected(directory.error());
    return std::make_unique<PosixDirectory>(*std::move(directory), path_ + "/" + name);
  }

  SystemResult<void> create_directory(const std::string& name) override {
    if (auto made = make_directory(number(), name.c_str()); !made) return made;
    const auto made = open_directory_in(number(), name.c_str());
    if (!made) return std::unexpected(made.error());
    return give_to_owner(number(), made->number());
  }

  SystemResult<FileStatus> status(const std::string& name) override {
    struct stat status {};
    if (fstatat(number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return system_failure("fstatat");
    }
    return to_status(status);
  }

  SystemResult<FileStatus> status() override { return status_of(number()); }

  SystemResult<void> rename(const std::string& from, const std::string& to) override {
    if (renameat(number(), from.c_str(), number(), to.c_str()) != 0) {
      return system_failure("renameat");
    }
    return {};
  }

  SystemResult<void> remove(const std::string& name) override {
    if (unlinkat(number(), name.c_str(), 0) != 0) return system_failure("unlinkat");
    return {};
  }

  SystemResult<void> sync() override { return sync_directory(number()); }

  SystemResult<std::vector<std::string>> list() override {
    // A descriptor of its own, so that every listing begins at the first entry.
    Descriptor copy(openat(number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!copy.is_open()) return system_failure("openat");
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(copy.number()), closedir);
    if (stream == nullptr) return system_failure("fdopendir");
    copy.release();
    std::vector<std::string> names;
    while (true) {
      errno = 0;
      const dirent* const entry = readdir(stream.get());
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    if (errno != 0) return system_failure("readdir");
    std::ranges::sort(names);
    return names;
  }

  const std::string& path() const override { return path_; }

 private:
  int number() const { return descriptor_.number(); }

  Descriptor descriptor_;
  std::string path_;
};

SystemResult<Descriptor> open_path(const std::string& path) {
  Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open()) return system_failure("open");
  return directory;
}

/// The directory that `path` is an entry of.
std::string parent_of(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const auto slash = path.rfind('/');
  if (slash == path.npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

class PosixFileSystem final : public FileSystem {
 public:
  SystemResult<std::unique_ptr<Directory>> open_directory(const std::string& path) override {
    auto directory = open_path(path);
    if (!directory) return std::unexpected(directory.error());
    return std::make_unique<PosixDirectory>(*std::move(directory), path);
  }

  SystemResult<void> create_directories(const std::string& path) override {
    auto made = make_directory(AT_FDCWD, path.c_str());
    if (!made && made.error().number == ENOENT && parent_of(path) != path) {
      made = create_directories(parent_of(path));
      if (made) made = make_directory(AT_FDCWD, path.c_str());
    }
    const bool existed = !made && made.error().number == EEXIST;
    if (existed) {
      // Fine if it is a directory; opening it as one tells.
      if (const auto there = open_path(path); !there) return std::unexpected(there.error());
    } else if (!made) {
      return made;
    }
    const auto parent = open_path(parent_of(path));
    // Whoever made what existed may have died before this, or not have come to it yet. Where one
    // may not look at the parent it was made by another hand, long ago.
    if (!parent) return existed ? SystemResult<void>{} : std::unexpected(parent.error());
    return sync_directory(parent->number());
  }

  SystemResult<std::string> boot_id() override {
    Descriptor file(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
    if (!file.is_open()) return system_failure("open");
    std::array<char, 64> text;
    const ssize_t count = read(file.number(), text.data(), text.size());
    if (count < 0) return system_failure("read");
    const std::string_view line(text.data(), static_cast<std::size_t>(count));
    return std::string(line.substr(0, line.find('\n')));
  }

  std::uint32_t user_id() override { return geteuid(); }
};

}  // namespace

FileSystem& posix_file_system() {
  static PosixFileSystem file_system;
  return file_system;
}

}  // namespace workctl
