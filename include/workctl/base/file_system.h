#pragma once

/// The one seam between workctl and the operating system's files.
///
/// Each function is one system call, with its short counts and its errors left as they are: what to
/// do about them is the business of the journal, and tests put a file system behind the seam that
/// fails, tears and forgets at any call. Names are relative to an open directory and are never
/// followed when they are symbolic links.
///
/// Not for use from several threads at once.

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workctl/base/error.h"

namespace workctl {

/// A system call that failed: `number` is its errno, `call` its name.
struct SystemError {
  int number;
  const char* call;
};

template <class T>
using SystemResult = std::expected<T, SystemError>;

struct FileStatus {
  enum class Kind { kRegular, kDirectory, kSymbolicLink, kOther };
  Kind kind;
  std::uint64_t size;
  std::uint64_t inode;
  std::uint64_t device;
  std::uint64_t links;
  std::uint32_t mode;  ///< permission bits, with the sticky bit
  std::uint32_t owner;
};

enum class LockKind { kShared, kExclusive };

class File {
 public:
  virtual ~File() = default;
  /// pread(2): up to `buffer.size()` bytes; 0 only at the end of the file.
  virtual SystemResult<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) = 0;
  /// pwrite(2): may write fewer bytes than asked.
  virtual SystemResult<std::size_t> write_at(std::uint64_t offset, std::string_view bytes) = 0;
  /// ftruncate(2).
  virtual SystemResult<void> truncate(std::uint64_t size) = 0;
  /// fdatasync(2). After a failure the state on the medium is unknown, and a second call proves
  /// nothing.
  virtual SystemResult<void> sync() = 0;
  /// fstat(2).
  virtual SystemResult<FileStatus> status() = 0;
  /// flock(2): true once held, false when `timeout` passed first. Zero only tries. A wait borrows
  /// SIGALRM and the process's interval timer.
  virtual SystemResult<bool> lock(LockKind kind, std::chrono::milliseconds timeout) = 0;
  virtual SystemResult<void> unlock() = 0;
};

enum class OpenMode {
  kRead,       ///< must exist
  kReadWrite,  ///< must exist
  kCreate,     ///< read and write, made 0600 when absent
  kCreateNew,  ///< read and write, made 0600, must be absent
};

class Directory {
 public:
  virtual ~Directory() = default;
  /// openat(2), without following links and without waiting: what is not a regular file may open,
  /// and `status` tells.
  virtual SystemResult<std::unique_ptr<File>> open(const std::string& name, OpenMode mode) = 0;
  /// openat(2) of a directory, without following links.
  virtual SystemResult<std::unique_ptr<Directory>> open_directory(const std::string& name) = 0;
  /// mkdirat(2), 0700.
  virtual SystemResult<void> create_directory(const std::string& name) = 0;
  /// fstatat(2), of a link itself.
  virtual SystemResult<FileStatus> status(const std::string& name) = 0;
  /// fstat(2) of this directory.
  virtual SystemResult<FileStatus> status() = 0;
  /// renameat(2).
  virtual SystemResult<void> rename(const std::string& from, const std::string& to) = 0;
  /// unlinkat(2).
  virtual SystemResult<void> remove(const std::string& name) = 0;
  /// fsync(2) of the directory: names made, moved and removed before it are durable after it.
  virtual SystemResult<void> sync() = 0;
  /// Names in it, sorted, without `.` and `..`.
  virtual SystemResult<std::vector<std::string>> list() = 0;
  /// For messages.
  virtual const std::string& path() const = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  /// Opens the directory that `path` names; here links are followed, as the user chose the path.
  virtual SystemResult<std::unique_ptr<Directory>> open_directory(const std::string& path) = 0;
  /// mkdir(2) 0700 of `path` and of its missing parents, each made durable in its parent.
  virtual SystemResult<void> create_directories(const std::string& path) = 0;
  /// Changes with every start of the operating system.
  virtual SystemResult<std::string> boot_id() = 0;
  /// The effective user of this process.
  virtual std::uint32_t user_id() = 0;
};

/// The operating system's own. Lives for ever.
FileSystem& posix_file_system();

/// An `kIoFailure` that says what failed on which file and why.
Error describe(const SystemError& error, std::string_view path);

/// Reads until `buffer` is full or the file ends, over short counts and EINTR; the number read.
SystemResult<std::size_t> read_fully(File& file, std::uint64_t offset, std::span<char> buffer);

/// Writes everything, over short counts and EINTR. On failure some of it may have been written.
SystemResult<void> write_fully(File& file, std::uint64_t offset, std::string_view bytes);

/// All bytes of a file of at most `size_max` bytes; a longer one fails with EFBIG.
SystemResult<std::string> read_all(File& file, std::uint64_t size_max);

}  // namespace workctl
