#pragma once

/// The engine seam: versioned documents, guarded transactions, and the queries that decisions need.
///
/// What is above works on a View (what is committed, and in a Session what is staged) and knows
/// neither files nor tables. The local engine replays a log; others may ask a database. Keys,
/// versions and answers are the same in all.

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "workctl/base/change_signal.h"
#include "workctl/base/clock.h"
#include "workctl/base/error.h"
#include "workctl/base/json.h"

namespace workctl {

namespace errc {
/// A document is not in the version that a write was based on: another writer was first.
inline constexpr ErrorCode kConflict{"WORKLOAD_CONFLICT"};
/// A result id that another workload of the store holds.
inline constexpr ErrorCode kResultDuplicate{"WORKLOAD_RESULT_DUPLICATE"};
/// The engine's index cannot be read or written. What is stored is as it was, and the next command
/// makes another index of it.
inline constexpr ErrorCode kIndexUnusable{"INDEX_UNUSABLE"};
}  // namespace errc

/// Collections of the store. Members of documents in `kWorkloads` are indexed; see row.h.
inline constexpr std::string_view kWorkloads = "workloads";
inline constexpr std::string_view kSettings = "settings";
inline constexpr std::string_view kTrustedKeys = "trusted_keys";
inline constexpr std::string_view kGrants = "grants";

struct StoredDocument {
  std::uint64_t version = 0;
  Json document;
};

/// Work that a worker could be given at `now`: READY, eligible, with a capability snapshot within
/// `capabilities`, and every dependency present and in its required state.
struct ReadyQuery {
  std::string tenant;
  std::string application;
  std::set<std::string> capabilities;
  Instant now = 0;
};

/// Absent members match everything.
struct ListFilter {
  std::optional<std::string> tenant{};
  std::optional<std::string> application{};
  std::optional<std::string> definition{};
  std::set<std::string> states{};  ///< empty: every state
};

/// How many workloads of a tenant and application are in a state.
struct StateCount {
  std::string tenant;
  std::string application;
  std::string state;
  std::uint64_t count = 0;
};

/// What a store holds.
struct StoredSize {
  std::uint64_t documents = 0;  ///< of all collections
  std::uint64_t bytes = 0;      ///< of their canonical texts
};

/// What a store takes of the disk.
struct StorageUse {
  std::uint64_t bytes = 0;          ///< of what holds the documents and their history
  std::uint64_t archive_bytes = 0;  ///< of what is kept beside it
  std::uint64_t generation = 1;
};

struct ListPage {
  std::vector<std::string> keys;
  /// Where the next page begins; empty when this was the last. Opaque, good for any later view.
  std::string next;
};

/// A consistent picture of a store. All its answers are as of one revision.
class View {
 public:
  virtual ~View() = default;

  virtual Result<std::optional<StoredDocument>> get(std::string_view collection,
                                                    std::string_view key) = 0;
  /// The workload that holds an idempotency scope (canonical text; contract section 3).
  virtual Result<std::optional<std::string>> find_by_scope(std::string_view scope) = 0;
  /// The workload that holds a result id.
  virtual Result<std::optional<std::string>> find_by_result(std::string_view result_id) = 0;
  /// The first at most `limit` ready workloads: by priority (high first), created_at, id.
  virtual Result<std::vector<std::string>> ready(const ReadyQuery& query, std::size_t limit) = 0;
  /// Every workload under a claim with `expires_at <= now` in a state that recovery looks at, by
  /// id.
  virtual Result<std::vector<std::string>> expired_leases(Instant now) = 0;
  /// At most `limit` workloads that match, by priority (high first), created_at, id, after `cursor`
  /// (a `next` of an earlier page, or empty). `kInvalidInput` for a cursor that is none.
  virtual Result<ListPage> list(const ListFilter& filter, std::string_view cursor,
                                std::size_t limit) = 0;
  /// Every workload that is at a timeout of its own, `timeout_at <= now`, by id.
  virtual Result<std::vector<std::string>> due_timeouts(Instant now) = 0;
  /// At most `limit` workloads that match and have been at an end since `until` or longer, the
  /// longest first, after `cursor`, as in `list`.
  virtual Result<ListPage> ended(const ListFilter& filter, Instant until, std::string_view cursor,
                                 std::size_t limit) = 0;
  /// Workloads that have not ended and depend on this one, by id.
  virtual Result<std::vector<std::string>> dependents(std::string_view id) = 0;
  /// Numbers above zero, by tenant, application and state.
  virtual Result<std::vector<StateCount>> counts() = 0;
  /// Since when the work that has been READY and eligible longest has been so. Ahead of the clock
  /// where all that is READY is early.
  virtual Result<std::optional<Instant>> oldest_ready() = 0;
  virtual Result<StoredSize> size() = 0;
  /// Keys of a collection, sorted by their bytes.
  virtual Result<std::vector<std::string>> keys(std::string_view collection) = 0;
  /// Revision of the last commit in this view.
  virtual std::uint64_t revision() const = 0;
  /// Instant of the last commit, 0 where there is none.
  virtual Instant last_commit_at() const = 0;
};

struct DocumentWrite {
  std::string collection;
  std::string key;
  /// The version that must be stored now; 0: the document must be absent.
  std::uint64_t base_version = 0;
  /// Nothing: the document is removed.
  std::optional<Json> document{};
  /// Who caused it and why: an object (contract section 9), to which the engine adds `transaction`,
  /// `base_revision`, `revision` and, unless the document is removed, `source_digest` (its hash).
  /// Null for a write that the audit of another write of the same transaction explains.
  Json audit{};
};

/// Several writes that hold together, or not at all.
struct Transaction {
  Instant at = 0;
  std::vector<DocumentWrite> writes;
};

/// A writer's turn. From its begin to its end nobody else writes; it sees what is committed and
/// what it staged itself.
class Session : public View {
 public:
  /// Checks a transaction's guards and takes it in, visible to this session at once and durable
  /// with the next `commit`. `kConflict` when a base version differs or when an idempotency scope
  /// belongs to another workload, `kResultDuplicate` when a result id does, `kTooLarge` for a
  /// document over the limit: then nothing was staged.
  virtual Result<void> stage(Transaction transaction) = 0;
  /// Transactions staged and not yet committed.
  virtual std::size_t staged() const = 0;
  /// Bytes that they will take in the log.
  virtual std::uint64_t staged_bytes() const = 0;
  /// Makes everything staged durable, at once and together. Nothing staged: nothing is done. After
  /// a failure the session is over: what was staged is gone (`kOutcomeUnknown`: perhaps not).
  virtual Result<void> commit() = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  /// A view of what is committed now. Takes no lock. The engine must outlive it, and the next
  /// `read` or `begin` ends it.
  virtual Result<View*> read() = 0;
  /// Waits for its turn to write, at most `timeout` (`kStoreBusy`). Destroying the session ends the
  /// turn; staged transactions that were not committed are dropped. One at a time.
  virtual Result<std::unique_ptr<Session>> begin(std::chrono::milliseconds timeout) = 0;
  /// A name of the store that no other store has.
  virtual const std::string& store_id() const = 0;
  virtual Result<StorageUse> storage() = 0;
  /// Tells of commits to come, whoever makes them.
  virtual std::unique_ptr<ChangeSignal> changes() = 0;
  /// A small text that belongs to this store on this machine and stays out of the log: a signing
  /// key. Nothing when there is none by that name.
  virtual Result<std::optional<std::string>> private_text(const std::string& name) = 0;
};

}  // namespace workctl
