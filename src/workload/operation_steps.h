#pragma once

/// Steps that several operations are made of.

#include <string_view>

#include "workctl/workload/operations.h"

namespace workctl {

/// The checks of contract section 6, in their order.
Result<void> check_fence(const Workload& workload, const Fence& fence);

/// `check_fence`, and that there is an attempt for the claim to belong to: the last one, never
/// null.
Result<Json*> fenced_attempt(Workload& workload, const Fence& fence);

/// Ends an attempt in `status`.
void end_attempt(Json& attempt, std::string_view status, Instant at);

/// Nobody holds the work any more.
void release_claim(Workload& workload);

/// Counts an automatic retry and makes the work eligible `delay_ms` after `now`.
void schedule_retry(Workload& workload, std::uint64_t delay_ms, Instant now);

/// The state as operations answer it.
Json state_answer(const Workload& workload);

}  // namespace workctl
