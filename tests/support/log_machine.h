#pragma once

/// One log on a simulated machine, in verbs short enough that a test reads as a story.

#include <memory>
#include <string>
#include <vector>

#include "support/simulated_file_system.h"
#include "workctl/journal/journal.h"

namespace workctl {

/// What a process learns from a log: the notes in it, in order.
class Notes final : public CommitSink {
 public:
  void reset() override {
    texts.clear();
    ++resets;
  }
  Result<void> apply(Commit&& commit) override;

  std::vector<std::string> texts;
  int resets = 0;
};

class LogMachine {
 public:
  /// A machine with a new store in `/store`, whose first note is "first".
  LogMachine();
  explicit LogMachine(SimulatedFileSystem machine) : machine_(std::move(machine)) {}

  /// A process opens the log. Notices go to `notices`.
  Result<std::unique_ptr<Journal>> open();
  /// A process of its own locks, catches up, appends one note and ends.
  Result<void> append(const std::string& note);
  /// The same for a process that goes on living.
  static Result<void> append(Journal& journal, const std::string& note);
  /// A process takes the lock, catches up and ends: the notes it found.
  Result<std::vector<std::string>> settle();
  /// A process reads without the lock.
  Result<std::vector<std::string>> read();

  SimulatedFileSystem& machine() { return machine_; }
  std::string log() const { return machine_.contents("/store/work.jsonl"); }
  std::string mark() const { return machine_.contents("/store/work.mark"); }
  void set_log(std::string_view bytes) { machine_.put("/store/work.jsonl", bytes); }
  void set_mark(std::string_view bytes) { machine_.put("/store/work.mark", bytes); }
  /// Names in `archive/`, without a call that counts.
  std::vector<std::string> archived() const;

  std::vector<std::string> notices;

 private:
  SimulatedFileSystem machine_;
};

/// A line with one note, to be appended.
CommitLine note_line(std::uint64_t revision, const std::string& note);

}  // namespace workctl
