#pragma once

/// The states of a workload and the moves between them (contract section 4).

#include <optional>
#include <span>
#include <string_view>

namespace workctl {

enum class State {
  kCreated,
  kReady,
  kClaimed,
  kRunning,
  kCheckpointed,
  kRecovering,
  kCancellationRequested,
  kSucceeded,
  kFailed,
  kCancelled,
  kTimedOut,
  kDeadLetter,
};

/// The name in documents and answers, as `DEAD_LETTER`.
std::string_view state_name(State state);
/// Nothing for a name that is no state's; names are exact.
std::optional<State> parse_state(std::string_view name);
/// All states, in the order of the enumeration.
std::span<const State> all_states();
/// The type of the event that records an entry into `state`, as `workload.dead_lettered`.
std::string_view event_type(State state);

bool can_transition(State from, State to);
/// SUCCEEDED and CANCELLED: nothing leads out of them.
bool is_final(State state);
/// CLAIMED, RUNNING, CHECKPOINTED and CANCELLATION_REQUESTED: a worker may hold a claim.
bool may_be_held(State state);

}  // namespace workctl
