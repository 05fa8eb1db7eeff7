#pragma once

/// The one way in which a command changes work: take the lock, read the clock under it, let an
/// operation decide, make the decision durable, and only then answer.

#include <functional>

#include "cli/arguments.h"
#include "cli/context.h"
#include "workctl/workload/authority.h"

namespace workctl::cli {

using Operation = std::function<Result<Json>(Authority& authority, Instant now)>;

/// Runs `operate` and commits what it staged, whether it agreed or refused: a refusal, too, may
/// change a document. Honours `--if-version`. The store's lock is free again when it returns.
Result<Json> decide(Context& context, const Arguments& arguments, const Operation& operate);

/// The same for one workload, answering how it was left.
Result<Answer> change(Context& context, const Arguments& arguments, const std::string& id,
                      const Operation& operate);

/// How an operation left a workload: `{"workload_id", "state", "next_attempt_at", "__version"}`.
Result<Json> outcome(Authority& authority, const std::string& id);

/// The outcome for people: `ID is READY, not before 2026-11-30T20:07:10Z`.
std::string describe_outcome(const Answer& answer, const Style& style);

/// The proof that a worker's command gives: `--claim`, `--worker` and `--token`.
Fence fence(const Arguments& arguments, Instant now);

/// `--worker`, else the user at this host.
std::string worker(const Arguments& arguments);

/// `--actor`, else the user.
std::string actor(const Arguments& arguments);

}  // namespace workctl::cli
