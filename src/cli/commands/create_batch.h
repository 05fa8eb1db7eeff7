#pragma once

/// `workctl create --batch`: requests as JSON lines, a chunk of them a commit.

#include "cli/answer.h"
#include "cli/arguments.h"
#include "cli/context.h"
#include "workctl/workload/authority.h"

namespace workctl::cli::create {

/// Stages one request. Answers `{"workload_id", "created", "idempotency_key", "state",
/// "__version"}`.
Result<Json> create_one(Authority& authority, CreateRequest request, Instant now);

/// Creates what the lines of `--batch` ask for, answering each as soon as it is durable.
Result<Answer> run_batch(const Arguments& arguments, Context& context);

/// The summary of a batch for people.
std::string describe_batch(const Json& summary);

}  // namespace workctl::cli::create
