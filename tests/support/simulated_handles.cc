#include "support/simulated_handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace workctl {
namespace {

std::unexpected<SystemError> refused(int error_number, const char* call) {
  return std::unexpected(SystemError{error_number, call});
}

std::string join(const std::string& directory, const std::string& name) {
  return directory.ends_with('/') ? directory + name : directory + "/" + name;
}

class SimulatedFile final : public File {
 public:
  SimulatedFile(std::shared_ptr<SimulatedMachine> machine, InodeNumber inode, std::string path,
                bool writable)
      : machine_(std::move(machine)),
        inode_(inode),
        path_(std::move(path)),
        writable_(writable),
        handle_(++machine_->handles) {}
  ~SimulatedFile() override { inode().locks.erase(handle_); }

  SystemResult<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) override {
    const std::string what = fmt::format("{} {} bytes at {}", path_, buffer.size(), offset);
    return machine_->call("pread", what, [&]() -> SystemResult<std::size_t> {
      if (inode().status.kind == FileStatus::Kind::kDirectory) return refused(EISDIR, "pread");
      if (inode().status.kind != FileStatus::Kind::kRegular) return refused(ESPIPE, "pread");
      const std::string& bytes = inode().contents.cached();
      if (offset >= bytes.size()) return 0;
      const std::size_t there = std::min<std::size_t>(buffer.size(), bytes.size() - offset);
      const std::size_t count = machine_->moved(there);
      bytes.copy(buffer.data(), count, offset);
      return count;
    });
  }

  SystemResult<std::size_t> write_at(std::uint64_t offset, std::string_view bytes) override {
    const std::string what = fmt::format("{} {} bytes at {}", path_, bytes.size(), offset);
    return machine_->call("pwrite", what, [&]() -> SystemResult<std::size_t> {
      if (!writable_) return refused(EBADF, "pwrite");
      const std::size_t count = machine_->moved(bytes.size());
      inode().contents.write(offset, bytes.substr(0, count));
      return count;
    });
  }

  SystemResult<void> truncate(std::uint64_t size) override {
    return machine_->call("ftruncate", fmt::format("{} to {}", path_, size),
                          [&]() -> SystemResult<void> {
                            if (!writable_) return refused(EINVAL, "ftruncate");
                            inode().contents.truncate(size);
                            return {};
                          });
  }

  SystemResult<void> sync() override {
    return machine_->call(
        "fdatasync", path_,
        [&]() -> SystemResult<void> {
          inode().contents.sync();
          return {};
        },
        [&] { inode().contents.fail_sync(); });
  }

  SystemResult<FileStatus> status() override {
    return machine_->call("fstat", path_, [&]() -> SystemResult<FileStatus> {
      return machine_->disk.status(inode_);
    });
  }

  SystemResult<bool> lock(LockKind kind, std::chrono::milliseconds) override {
    const char* const what = kind == LockKind::kShared ? "shared" : "exclusive";
    return machine_->call("flock", fmt::format("{} {}", path_, what), [&]() -> SystemResult<bool> {
      const bool excluded = std::ranges::any_of(inode().locks, [&](const auto& held) {
        const bool both_shared = kind == LockKind::kShared && held.second == LockKind::kShared;
        return held.first != handle_ && !both_shared;
      });
      if (excluded) return false;
      inode().locks[handle_] = kind;
      return true;
    });
  }

  SystemResult<void> unlock() override {
    return machine_->call("flock", path_ + " unlock", [&]() -> SystemResult<void> {
      inode().locks.erase(handle_);
      return {};
    });
  }

 private:
  Inode& inode() { return machine_->disk.inode(inode_); }

  std::shared_ptr<SimulatedMachine> machine_;
  InodeNumber inode_;
  std::string path_;
  bool writable_;
  std::uint64_t handle_;
};

class SimulatedDirectory final : public Directory {
 public:
  SimulatedDirectory(std::shared_ptr<SimulatedMachine> machine, InodeNumber inode, std::string path)
      : machine_(std::move(machine)), inode_(inode), path_(std::move(path)) {}

  SystemResult<std::unique_ptr<File>> open(const std::string& name, OpenMode mode) override {
    using Opened = SystemResult<std::unique_ptr<File>>;
    return machine_->call("openat", join(path_, name), [&]() -> Opened {
      auto inode = find(name);
      const bool may_make = mode == OpenMode::kCreate || mode == OpenMode::kCreateNew;
      if (!inode && !may_make) return refused(ENOENT, "openat");
      if (inode && mode == OpenMode::kCreateNew) return refused(EEXIST, "openat");
      if (!inode) {
        inode = machine_->disk.make(FileStatus::Kind::kRegular);
        entries().add(name, *inode);
      }
      const FileStatus::Kind kind = machine_->disk.inode(*inode).status.kind;
      if (kind == FileStatus::Kind::kSymbolicLink) return refused(ELOOP, "openat");
      const bool writable = mode != OpenMode::kRead;
      if (kind == FileStatus::Kind::kDirectory && writable) return refused(EISDIR, "openat");
      return std::make_unique<SimulatedFile>(machine_, *inode, join(path_, name), writable);
    });
  }

  SystemResult<std::unique_ptr<Directory>> open_directory(const std::string& name) override {
    using Opened = SystemResult<std::unique_ptr<Directory>>;
    return machine_->call("openat", join(path_, name), [&]() -> Opened {
      const auto inode = find(name);
      if (!inode) return refused(ENOENT, "openat");
      if (machine_->disk.inode(*inode).status.kind != FileStatus::Kind::kDirectory) {
        return refused(ENOTDIR, "openat");
      }
      return std::make_unique<SimulatedDirectory>(machine_, *inode, join(path_, name));
    });
  }

  SystemResult<void> create_directory(const std::string& name) override {
    return machine_->call("mkdirat", join(path_, name), [&]() -> SystemResult<void> {
      if (find(name)) return refused(EEXIST, "mkdirat");
      entries().add(name, machine_->disk.make(FileStatus::Kind::kDirectory));
      return {};
    });
  }

  SystemResult<FileStatus> status(const std::string& name) override {
    return machine_->call("fstatat", join(path_, name), [&]() -> SystemResult<FileStatus> {
      const auto inode = find(name);
      if (!inode) return refused(ENOENT, "fstatat");
      return machine_->disk.status(*inode);
    });
  }

  SystemResult<FileStatus> status() override {
    return machine_->call("fstat", path_, [&]() -> SystemResult<FileStatus> {
      return machine_->disk.status(inode_);
    });
  }

  SystemResult<void> rename(const std::string& from, const std::string& to) override {
    const std::string what = fmt::format("{} to {}", join(path_, from), join(path_, to));
    return machine_->call("renameat", what, [&]() -> SystemResult<void> {
      const auto source = find(from);
      const auto target = find(to);
      if (!source) return refused(ENOENT, "renameat");
      if (source == target) return {};
      if (target) --machine_->disk.inode(*target).status.links;
      entries().rename(from, to);
      return {};
    });
  }

  SystemResult<void> remove(const std::string& name) override {
    return machine_->call("unlinkat", join(path_, name), [&]() -> SystemResult<void> {
      const auto inode = find(name);
      if (!inode) return refused(ENOENT, "unlinkat");
      FileStatus& status = machine_->disk.inode(*inode).status;
      if (status.kind == FileStatus::Kind::kDirectory) return refused(EISDIR, "unlinkat");
      --status.links;
      entries().remove(name);
      return {};
    });
  }

  SystemResult<void> sync() override {
    return machine_->call("fsync", path_, [&]() -> SystemResult<void> {
      entries().sync();
      return {};
    });
  }

  SystemResult<std::vector<std::string>> list() override {
    using Names = std::vector<std::string>;
    return machine_->call("getdents", path_, [&]() -> SystemResult<Names> {
      Names names;
      for (const auto& [name, inode] : entries().cached()) names.push_back(name);
      return names;
    });
  }

  const std::string& path() const override { return path_; }

 private:
  SimulatedEntries& entries() { return machine_->disk.inode(inode_).entries; }

  std::optional<InodeNumber> find(const std::string& name) {
    const auto& names = entries().cached();
    const auto found = names.find(name);
    return found == names.end() ? std::nullopt : std::optional(found->second);
  }

  std::shared_ptr<SimulatedMachine> machine_;
  InodeNumber inode_;
  std::string path_;
};

}  // namespace

std::unique_ptr<Directory> open_simulated_directory(std::shared_ptr<SimulatedMachine> machine,
                                                    InodeNumber inode, const std::string& path) {
  return std::make_unique<SimulatedDirectory>(std::move(machine), inode, path);
}

}  // namespace workctl
