#pragma once

/// One operation as a value, in the shape of the conformance traces: `{"op": NAME, "args": {...}}`.
///
/// What `workctl batch` reads. The names, arguments and answers are those of the conformance
/// README, save `open`, which is a matter of whoever holds several writers.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "workctl/store/engine.h"
#include "workctl/workload/authority.h"

namespace workctl {

/// What an operation works on.
struct OperationTarget {
  Authority& authority;
  /// What the authority reads from.
  View& view;
  /// What `migrate` works on; null where it is not to be had.
  Session* session = nullptr;
  /// The instant of a migration, which is the only change that does not say its own, and at which
  /// grants are held to the store's trust setting.
  Instant now = 0;
  /// Whether `admit` asks the store's trust setting about the grant. The contract's own operation
  /// does not.
  bool checks_trust = false;
  /// Staged bytes at which a migration commits: never, unless told.
  std::uint64_t migration_line_bytes = UINT64_MAX;
};

struct OperationOutcome {
  Result<Json> answer;
  /// Ids of the workloads that it staged a write of, in order; not empty only after some refusals
  /// too.
  std::vector<std::string> changed;
};

struct OperationKind;

class OperationRequest {
 public:
  /// `kInvalidInput`, naming the operation and the argument, for an unknown operation and for
  /// arguments that are missing or not of their type. Members beside `op` and `args`, and arguments
  /// that the operation does not know, are ignored.
  static Result<OperationRequest> from_json(Json request);

  std::string_view name() const;
  /// Whether it may stage something.
  bool changes() const;
  /// Whether the store is to be opened again after it: `restart` and `migrate`.
  bool reopens() const;
  /// Carries it out, once. Nothing is durable before the session's `commit`.
  OperationOutcome run(const OperationTarget& target) &&;

 private:
  OperationRequest(const OperationKind& kind, Json arguments)
      : kind_(&kind), arguments_(std::move(arguments)) {}

  const OperationKind* kind_;
  Json arguments_;
};

}  // namespace workctl
