#pragma once

/// What a command works with: the store, the clock, its input and its output.

#include <chrono>
#include <memory>
#include <string>

#include "cli/input.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "workctl/base/clock.h"
#include "workctl/journal/journal.h"
#include "workctl/store/local_engine.h"

namespace workctl::cli {

class Context {
 public:
  struct Settings {
    std::string store_path;
    std::chrono::milliseconds lock_timeout;
    bool use_index = true;
  };
  /// All of them must outlive it.
  Context(Settings settings, const Clock& clock, Input& input, Output& output)
      : settings_(std::move(settings)), clock_(clock), input_(input), output_(output) {}

  /// Opens the store; whatever is in memory of it is dropped first. Where that fails, the next
  /// `begin` tries again.
  Result<void> open();

  const std::string& store_path() const { return settings_.store_path; }
  bool uses_index() const { return settings_.use_index; }
  std::chrono::milliseconds lock_timeout() const { return settings_.lock_timeout; }
  /// How the journal of this store is to be opened: with its notices printed.
  Journal::Options journal_options();

  // Of an opened store.

  Engine& engine() { return *engine_; }
  /// For what is done to its log as a whole.
  LocalStore& local_store() { return *engine_; }
  /// What is committed now.
  Result<View*> read() { return engine_->read(); }
  /// Waits for the lock, within `--lock-timeout`. Says so, once, when the clock stands more than a
  /// minute before the last commit.
  Result<std::unique_ptr<Session>> begin();

  /// To be read after `begin`: the instant of a decision is the clock's under the lock.
  Instant now() const { return clock_.now(); }

  Input& input() { return input_; }
  Output& output() { return output_; }
  void notice(std::string_view sentence) { output_.notice(sentence); }
  /// A bar on standard error, which stays invisible where nobody looks.
  Progress progress() const { return Progress(output_.shows_progress()); }

 private:
  Settings settings_;
  const Clock& clock_;
  Input& input_;
  Output& output_;
  std::unique_ptr<Progress> index_progress_{};  ///< while an index is made
  std::unique_ptr<LocalStore> engine_{};
  bool clock_checked_ = false;
};

/// The directory of the store where neither `--store` nor WORKCTL_STORE names one.
/// `kInvalidInput` when the environment names no home either.
Result<std::string> default_store_path(const char* state_home, const char* home);

}  // namespace workctl::cli
