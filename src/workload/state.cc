#include "workctl/workload/state.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace workctl {
namespace {

using Targets = std::uint16_t;  // one bit for each state

constexpr Targets bit(State state) {
  return static_cast<Targets>(1U << static_cast<unsigned>(state));
}

constexpr Targets targets(std::initializer_list<State> states) {
  Targets bits = 0;
  for (const State state : states) bits = static_cast<Targets>(bits | bit(state));
  return bits;
}

struct Row {
  State state;
  std::string_view name;
  std::string_view event_type;
  Targets targets;
};

using enum State;

/// In the order of the enumeration.
constexpr std::array kRows{
    Row{kCreated, "CREATED", "workload.created", targets({kReady, kCancelled})},
    Row{kReady, "READY", "workload.ready", targets({kClaimed, kCancelled, kTimedOut, kDeadLetter})},
    Row{kClaimed, "CLAIMED", "workload.claimed",
        targets({kRunning, kCancellationRequested, kRecovering, kTimedOut})},
    Row{kRunning, "RUNNING", "workload.started",
        targets(
            {kCheckpointed, kSucceeded, kCancellationRequested, kFailed, kRecovering, kTimedOut})},
    Row{kCheckpointed, "CHECKPOINTED", "workload.checkpointed",
        targets(
            {kCheckpointed, kSucceeded, kCancellationRequested, kFailed, kRecovering, kTimedOut})},
    Row{kRecovering, "RECOVERING", "workload.recovered", targets({kReady, kDeadLetter})},
    Row{kCancellationRequested, "CANCELLATION_REQUESTED", "workload.cancellation_requested",
        targets({kCancelled})},
    Row{kSucceeded, "SUCCEEDED", "workload.completed", targets({})},
    Row{kFailed, "FAILED", "workload.failed", targets({kReady, kCancelled, kDeadLetter})},
    Row{kCancelled, "CANCELLED", "workload.cancelled", targets({})},
    Row{kTimedOut, "TIMED_OUT", "workload.timed_out", targets({kReady, kDeadLetter})},
    Row{kDeadLetter, "DEAD_LETTER", "workload.dead_lettered", targets({kReady, kCancelled})},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (static_cast<std::size_t>(kRows[i].state) != i) return false;
  return true;
}
static_assert(in_order());

constexpr auto kStates = [] {
  std::array<State, kRows.size()> states{};
  std::ranges::transform(kRows, states.begin(), &Row::state);
  return states;
}();

const Row& row(State state) { return kRows[static_cast<std::size_t>(state)]; }

}  // namespace

std::string_view state_name(State state) { return row(state).name; }

std::optional<State> parse_state(std::string_view name) {
  const auto found = std::ranges::find(kRows, name, &Row::name);
  if (found == kRows.end()) return std::nullopt;
  return found->state;
}

std::span<const State> all_states() { return kStates; }

std::string_view event_type(State state) { return row(state).event_type; }

bool can_transition(State from, State to) { return (row(from).targets & bit(to)) != 0; }

bool is_final(State state) { return row(state).targets == 0; }

bool may_be_held(State state) {
  return (targets({kClaimed, kRunning, kCheckpointed, kCancellationRequested}) & bit(state)) != 0;
}

}  // namespace workctl
