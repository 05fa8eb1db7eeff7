#pragma once

/// Decides, and makes the decision part of a store: every operation of the contract against a view
/// of the documents and a session that commits.
///
/// Each call reads the documents it needs, lets the pure operation decide, and stages one guarded
/// transaction with its audit. Nothing is durable, and no answer may be given, before the session's
/// `commit`. Answers have the shape that the conformance README gives (`ok`).

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "workctl/store/engine.h"
#include "workctl/workload/admission.h"
#include "workctl/workload/operations.h"

namespace workctl {

/// Takes a guarded transaction; Session::stage, or what a test puts in its place.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual Result<void> stage(Transaction transaction) = 0;
};

class Authority {
 public:
  /// Works on `session`, for reading and for writing.
  explicit Authority(Session& session);
  /// Reads from one and stages to another: a writer that knows only what it has read.
  Authority(View& view, Stage& stage);

  /// From now on `kConflict` when the workload is not in this version (the commands' --if-version).
  void require_version(std::optional<std::uint64_t> version) { required_version_ = version; }

  /// Answers `{"workload_id", "created"}`.
  Result<Json> create(const CreateRequest& request);
  Result<Json> claim(const std::string& id, const std::string& worker,
                     const std::set<std::string>& capabilities, Instant now,
                     std::uint64_t lease_ms);
  /// The scheduler's choice, or null when nothing is claimable.
  Result<Json> claim_next(const ReadyQuery& query, const std::string& worker,
                          std::uint64_t lease_ms);
  Result<Json> start(const std::string& id, const Fence& fence);
  Result<Json> heartbeat(const std::string& id, const Fence& fence, std::uint64_t extend_ms);
  Result<Json> execution_context(const std::string& id, const Fence& fence,
                                 const std::vector<std::string>& secret_references);
  Result<Json> checkpoint(const std::string& id, const Fence& fence, const Json& state);
  Result<Json> complete(const std::string& id, const Fence& fence, const Completion& completion);
  Result<Json> fail(const std::string& id, const Fence& fence, const std::string& kind,
                    const std::string& error);
  Result<Json> confirm_cancel(const std::string& id, const Fence& fence);
  Result<Json> cancel(const std::string& id, const std::string& actor, Instant now);
  Result<Json> time_out(const std::string& id, const std::string& actor, Instant now);
  Result<Json> retry(const std::string& id, const std::string& actor, Instant now,
                     const std::optional<std::string>& reason);
  /// The ids of the recovered workloads. A workload that another writer changed first is left out.
  Result<Json> recover_expired(Instant now);

  /// The workload's document and version; `kWorkloadNotFound`.
  Result<StoredDocument> get(const std::string& id);
  /// Dependencies of a workload that are not met, as `{"workload_id", "required_state", "state"}`
  /// (`state` null when there is no such workload).
  Result<std::vector<Json>> unmet_dependencies(const std::string& id);

 private:
  struct Loaded;
  Result<Json> decide(const std::string& id, const char* operation,
                      const std::function<Decision(const Workload&)>& operate);

  View& view_;
  Stage* stage_;
  std::optional<std::uint64_t> required_version_{};
};

}  // namespace workctl
