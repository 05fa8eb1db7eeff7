#pragma once

/// A function run in a process of its own, with its standard streams at our end of pipes.

#include <functional>
#include <string>

namespace workctl::cli {

class CapturedProcess {
 public:
  /// Forks and runs `body` in `directory`; its value is the exit status.
  CapturedProcess(const std::string& directory, const std::function<int()>& body);
  ~CapturedProcess();
  CapturedProcess(const CapturedProcess&) = delete;
  CapturedProcess& operator=(const CapturedProcess&) = delete;

  void write(const std::string& text);
  void close_input();
  /// Waits for a line on its standard output; without the newline.
  std::string read_line();
  /// Waits for its end: the exit status, or 128 + the signal that ended it. `output` then has what
  /// it printed and nobody read, `error` what it printed on standard error.
  int wait();

  std::string output;
  std::string error;

 private:
  int process_;
  int input_;
  int output_;
  std::string error_file_;
};

/// Runs `workctl WORDS` (split at spaces) in `directory` on a store there, with nothing to read and
/// without variables of its own in the environment.
CapturedProcess run_workctl(const std::string& directory, const std::string& words);

}  // namespace workctl::cli
