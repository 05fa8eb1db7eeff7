#pragma once

/// The real program on a store of its own: run to its end, or killed on the way.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace workctl {

using Words = std::vector<std::string>;

/// A process that ended.
struct Ended {
  int status = 0;       ///< exit status; 128 + the signal that ended it
  bool killed = false;  ///< by us
  std::string output{};
  std::string error{};
};

/// A process that is under way. Its standard streams are files that are read when it has ended, so
/// that it never waits for its reader.
class Running {
 public:
  /// Starts `words[0]`. With `traced` it stops before its first instruction and waits to be traced
  /// by the calling thread.
  Running(const Words& words, const std::vector<std::string>& environment, bool traced = false);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  pid_t process() const { return process_; }
  void kill();
  /// Whether it ended within `time`.
  bool ends_within(std::chrono::microseconds time) const;
  /// Waits for its end.
  Ended wait();
  /// For whoever waited for the process himself.
  Ended ended(int wait_status);

 private:
  pid_t process_ = -1;
  int output_;
  int error_;
  bool killed_ = false;
};

/// `workctl` on one store. May be used by several threads.
class Program {
 public:
  explicit Program(const std::string& store);

  const std::string& store() const { return store_; }
  std::string log_path() const { return store_ + "/work.jsonl"; }
  const std::vector<std::string>& environment() const { return environment_; }
  /// The whole command line of `workctl WORDS`.
  static Words command(const Words& words);

  /// Runs `workctl WORDS`, and kills it when it did not end within `life`.
  Ended run(const Words& words, std::optional<std::chrono::microseconds> life = {}) const;

 private:
  std::string store_;
  std::vector<std::string> environment_;
};

}  // namespace workctl
