#pragma once

/// Decides, and makes the decision part of a store: every operation of the contract against a view
/// of the documents and a session that commits.
///
/// Each call reads the documents it needs, lets the pure operation decide, and stages one guarded
/// transaction with its audit. Nothing is durable, and no answer may be given, before the session's
/// `commit`. Answers have the shape that the conformance README gives (`ok`), and every refusal
/// about one workload names it in `Error::workload_id`.
///
/// Secrets are looked for before anything else in what a caller brings in.

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workctl/store/engine.h"
#include "workctl/workload/admission.h"
#include "workctl/workload/operations.h"

namespace workctl {

/// Takes in a guarded transaction: Session::stage, or what a test puts in its place.
using Stage = std::function<Result<void>(Transaction transaction)>;

class Authority {
 public:
  /// Works on `session`, for reading and for writing. The session must outlive it.
  explicit Authority(Session& session);
  /// Reads from one and stages to another: a writer that knows only what it has read.
  Authority(View& view, Stage stage);

  /// From now on the operations on one workload answer `kConflict` when it is not in this version
  /// (the commands' --if-version).
  void require_version(std::optional<std::uint64_t> version) { required_version_ = version; }

  /// Ids of the workloads of which a write was staged since the last call of this.
  std::vector<std::string> take_staged() { return std::exchange(staged_, {}); }

  /// Answers `{"workload_id", "created"}`. `now` is the instant of the commit; what the workload
  /// holds comes from the request's own `created_at`. A request that lost the race for its
  /// idempotency scope is answered from what the view then shows.
  Result<Json> create(CreateRequest request, Instant now);
  Result<Json> claim(const std::string& id, const std::string& worker,
                     const std::set<std::string>& capabilities, Instant now,
                     std::uint64_t lease_ms);
  /// The scheduler's choice, or null when nothing is claimable. A first choice without attempts
  /// left is dead-lettered and ends the call with `kAttemptsExhausted`, though other work may be
  /// claimable.
  Result<Json> claim_next(const ReadyQuery& query, const std::string& worker,
                          std::uint64_t lease_ms);
  Result<Json> start(const std::string& id, const Fence& fence);
  Result<Json> heartbeat(const std::string& id, const Fence& fence, std::uint64_t extend_ms);
  Result<Json> execution_context(const std::string& id, const Fence& fence,
                                 const std::vector<std::string>& secret_references);
  Result<Json> checkpoint(const std::string& id, const Fence& fence, Json state);
  /// A result id that this workload holds already answers its result again, whoever asks;
  /// `kResultDuplicate` for one that another workload holds.
  Result<Json> complete(const std::string& id, const Fence& fence, Completion completion);
  Result<Json> fail(const std::string& id, const Fence& fence, const std::string& kind,
                    const std::string& error);
  Result<Json> confirm_cancel(const std::string& id, const Fence& fence);
  Result<Json> cancel(const std::string& id, const std::string& actor, Instant now);
  Result<Json> time_out(const std::string& id, const std::string& actor, Instant now);
  Result<Json> retry(const std::string& id, const std::string& actor, Instant now,
                     const std::optional<std::string>& reason);
  /// Takes one workload back whose lease ran out: whether it did. Not, when its lease lasts, or
  /// when another writer changed it first.
  Result<bool> recover(const std::string& id, Instant now);
  /// `recover` for every workload whose lease ran out: the ids of the recovered ones, in order.
  Result<Json> recover_expired(Instant now);

  /// The workload's document and version; `kWorkloadNotFound`.
  Result<StoredDocument> get(const std::string& id);
  /// Dependencies of a workload that are not met, as `{"workload_id", "required_state", "state"}`
  /// (`state` null when there is no such workload).
  Result<std::vector<Json>> unmet_dependencies(const std::string& id);

 private:
  /// Who changes what by which operation, for the audit.
  struct Cause {
    std::string_view operation;
    std::string_view actor;
    Instant at;
  };
  using Operation = std::function<Decision(Workload)>;

  /// Loads, decides and stages; in the version that callers require, or in a given one if any.
  Result<Json> decide(const std::string& id, const Cause& cause, const Operation& operation);
  Result<Json> decide_in(std::optional<std::uint64_t> version, const std::string& id,
                         const Cause& cause, const Operation& operation);
  Result<void> stage(Workload next, std::uint64_t base_version, const Cause& cause,
                     std::string_view kind);
  Result<Json> answer_existing(const std::string& id, const RequestIdentity& identity);

  View& view_;
  Stage stage_;
  std::optional<std::uint64_t> required_version_{};
  std::vector<std::string> staged_;
};

}  // namespace workctl
