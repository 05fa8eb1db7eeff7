#include "journal/store_lock.h"

#include <fmt/format.h>
#include <unistd.h>

#include "journal/store_files.h"
#include "workctl/base/text.h"

namespace workctl {

namespace {

constexpr std::size_t kHolderBytes = 64;

std::string holder_text() {
  std::string text = fmt::format("process {}", ::getpid());
  text.resize(kHolderBytes - 1, ' ');
  return text + '\n';
}

/// Who the lock file says holds it, for people; empty when it does not say.
std::string read_holder(File& lock) {
  std::string text(kHolderBytes, '\0');
  const auto got = read_fully(lock, 0, text);
  text.resize(got ? *got : 0);
  text.resize(text.find_last_not_of(" \n") + 1);
  return printable(text);
}

}  // namespace

Result<std::unique_ptr<File>> take_lock(Directory& directory, FileSystem& file_system,
                                        std::chrono::milliseconds timeout) {
  const std::string path = path_of(directory, kLockName);
  for (;;) {
    WORKCTL_TRY(auto lock, open_store_file(directory, file_system, kLockName, OpenMode::kCreate));
    const auto held = lock->lock(LockKind::kExclusive, timeout);
    if (!held) return std::unexpected(describe(held.error(), path));
    if (!*held) {
      const std::string holder = read_holder(*lock);
      return failure(errc::kStoreBusy,
                     fmt::format("{} is held by {}, waited {} ms", path,
                                 holder.empty() ? "another process" : holder, timeout.count()),
                     "try again, or wait longer with --lock-timeout");
    }
    const auto named = directory.status(kLockName);
    const auto opened = lock->status();
    if (!opened) return std::unexpected(describe(opened.error(), path));
    if (!named || named->inode != opened->inode) continue;
    // For people only; nothing depends on it.
    static_cast<void>(write_fully(*lock, 0, holder_text()));
    return lock;
  }
}

}  // namespace workctl
