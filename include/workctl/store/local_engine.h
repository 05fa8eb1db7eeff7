#pragma once

/// The engine that needs nothing but a directory: documents are the replay of its log.

#include <functional>
#include <map>
#include <memory>
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

/// Opens the store in the directory at `path`. `kStoreNotFound` where there is none, `kStoreUnsafe`
/// when others could write to it.
Result<std::unique_ptr<Engine>> open_local_engine(const std::string& path,
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
