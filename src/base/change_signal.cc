#include "workctl/base/change_signal.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cstring>

namespace workctl {
namespace {

class NothingTells final : public ChangeSignal {
 public:
  int descriptor() const override { return -1; }
  void clear() override {}
};

/// Watches the files that exist and, so that their successors are seen, the directory for names
/// that are taken. A watch of each file rather than of the directory: what happens to its
/// neighbours wakes nobody.
class WatchedFiles final : public ChangeSignal {
 public:
  WatchedFiles(int descriptor, std::string path, std::vector<std::string> names)
      : descriptor_(descriptor), path_(std::move(path)), names_(std::move(names)) {}
  ~WatchedFiles() override { close(descriptor_); }
  WatchedFiles(const WatchedFiles&) = delete;
  WatchedFiles& operator=(const WatchedFiles&) = delete;

  bool begin() {
    directory_ = inotify_add_watch(descriptor_, path_.c_str(), IN_CREATE | IN_MOVED_TO);
    watch_each();
    return directory_ >= 0;
  }

  int descriptor() const override { return descriptor_; }

  void clear() override {
    alignas(inotify_event) char events[4096];
    bool taken = false;
    for (;;) {
      const ssize_t size = read(descriptor_, events, sizeof events);
      if (size <= 0) break;  // EAGAIN: no more
      for (const char* at = events; at < events + size;) {
        inotify_event event;
        std::memcpy(&event, at, sizeof event);
        taken = taken || event.wd == directory_ || (event.mask & IN_Q_OVERFLOW) != 0;
        at += sizeof event + event.len;
      }
    }
    if (taken) watch_each();
  }

 private:
  /// A file that is watched already stays so, under the same number.
  void watch_each() {
    for (const std::string& name : names_)
      inotify_add_watch(descriptor_, (path_ + "/" + name).c_str(), IN_MODIFY | IN_DONT_FOLLOW);
  }

  int descriptor_;
  int directory_ = -1;
  std::string path_;
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<ChangeSignal> watch_files(const std::string& path, std::vector<std::string> names) {
  const int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor < 0) return std::make_unique<NothingTells>();
  auto watched = std::make_unique<WatchedFiles>(descriptor, path, std::move(names));
  if (watched->begin()) return watched;
  return std::make_unique<NothingTells>();
}

}  // namespace workctl
