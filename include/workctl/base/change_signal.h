#pragma once

/// Notice that something may have changed, for those who wait for it: no more than a hint, so that
/// they need not ask again and again. Whoever is woken looks for itself.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace workctl {

class ChangeSignal {
 public:
  virtual ~ChangeSignal() = default;

  /// A descriptor that poll(2) finds readable once something may have changed since the last
  /// `clear`; -1 where nothing tells, and asking once in `kAskInterval` is all there is.
  virtual int descriptor() const = 0;
  /// Forgets what was told so far. To be called before looking, so that a change that comes while
  /// one looks is told again.
  virtual void clear() = 0;

  /// Even a signal may be lost (a log on another machine's disk): ask this often all the same.
  static constexpr std::chrono::milliseconds kAskInterval{1000};
};

/// Tells of writes to any of the files `names` in the directory at `path`, and of files that take
/// these names. Uses inotify(7); answers one without a descriptor where the system gives none.
std::unique_ptr<ChangeSignal> watch_files(const std::string& path, std::vector<std::string> names);

}  // namespace workctl
