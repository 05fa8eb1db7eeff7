#pragma once

// A log made anew from the documents as they stand, to take the place of one that is mostly
// history.

#include <memory>
#include <optional>
#include <string>

#include "journal/new_log.h"
#include "workctl/journal/journal.h"

namespace workctl {

/// The next generation of a journal's log, written beside it. Until `publish` nothing of the store
/// has changed; a crash at any moment leaves one of the two logs in its place, whole.
class NextGeneration {
 public:
  /// The journal must hold the lock and have caught up, and outlive it.
  static Result<NextGeneration> begin(Journal& journal, FileSystem& file_system, Instant now);

  /// Adds a document as it stands; `null` for one that is removed and keeps its version.
  Result<void> add(const WriteText& write);

  /// What came of it.
  struct Published {
    LogPosition end{};                   ///< of the new log
    std::optional<std::string> kept_as;  ///< where the old log is, relative to the store
  };
  /// Ends it with `closing`, the commit that says what was done, makes it durable and puts it into
  /// the place of the old log, which is copied to `archive/` first where `keep` says so. The
  /// journal is to be opened again afterwards.
  Result<Published> publish(const CommitLine& closing, bool keep);

 private:
  NextGeneration(Journal& journal, FileSystem& file_system, NewLog log)
      : journal_(journal), file_system_(file_system), log_(std::move(log)) {}

  Result<void> append_line(const std::string& line);
  Result<void> flush();

  Journal& journal_;
  FileSystem& file_system_;
  NewLog log_;
  LogPosition position_;
  SnapshotLine line_;
};

}  // namespace workctl
