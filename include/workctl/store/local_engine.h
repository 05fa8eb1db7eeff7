#pragma once

/// The engine that needs nothing but a directory: documents are the replay of its log.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "workctl/journal/journal.h"
#include "workctl/store/engine.h"

namespace workctl {

/// Whether the engine keeps its answers in the store's `index/`, so that they cost the same however
/// long the log is, or replays the log in memory.
struct IndexUse {
  bool use = false;
  /// Told how much of the log was read while an index is made; may be empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

/// A new generation of the log, made of the documents as they stand.
struct CompactionRequest {
  std::string actor;     ///< who wants it
  Instant at = 0;        ///< of the commit that records it
  bool keep_old = true;  ///< a copy of the old log goes to `archive/`
  bool dry_run = false;  ///< only say what would come of it
  /// Told how many documents are written, of how many; may be empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

struct Compaction {
  std::uint64_t generation = 0;  ///< of the new log
  std::uint64_t revision = 0;    ///< of the commit that records it
  std::uint64_t documents = 0;
  std::uint64_t removed = 0;  ///< documents of which only the version is kept
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;         ///< nearly, in a dry run
  std::optional<std::string> kept_as{};  ///< the old log, relative to the store
};

/// An engine on a directory of its own.
class LocalStore : public Engine {
 public:
  /// Makes the log anew. Versions, revisions and fences go on; readers keep what they look at.
  /// Waits for the lock as `begin` does, and ends whatever view there was.
  virtual Result<Compaction> compact(const CompactionRequest& request,
                                     std::chrono::milliseconds timeout) = 0;
};

/// Opens the store in the directory at `path`. `kStoreNotFound` where there is none, `kStoreUnsafe`
/// when others could write to it.
Result<std::unique_ptr<LocalStore>> open_local_engine(const std::string& path,
                                                      const Journal::Options& options,
                                                      const IndexUse& index = {});

/// Makes a store in the directory at `path`, which is made too when missing: its private texts,
/// then a log whose first commit is `first`, all durable when it returns. False when there is a
/// store already: then nothing was changed. `kStoreUnsafe` when the directory is not fit to hold
/// one.
struct NewStore {
  Instant created_at = 0;
  std::map<std::string, std::string> private_texts{};
  Transaction first{};
};
Result<bool> create_local_store(const std::string& path, const NewStore& store,
                                const Journal::Options& options,
                                std::chrono::milliseconds lock_timeout);

}  // namespace workctl
