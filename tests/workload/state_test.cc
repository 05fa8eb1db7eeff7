#include "workctl/workload/state.h"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

namespace workctl {
namespace {

/// The table of the contract, word for word.
const std::map<std::string, std::set<std::string>> kTable{
    {"CREATED", {"READY", "CANCELLED"}},
    {"READY", {"CLAIMED", "CANCELLED", "TIMED_OUT", "DEAD_LETTER"}},
    {"CLAIMED", {"RUNNING", "CANCELLATION_REQUESTED", "RECOVERING", "TIMED_OUT"}},
    {"RUNNING",
     {"CHECKPOINTED", "SUCCEEDED", "CANCELLATION_REQUESTED", "FAILED", "RECOVERING", "TIMED_OUT"}},
    {"CHECKPOINTED",
     {"CHECKPOINTED", "SUCCEEDED", "CANCELLATION_REQUESTED", "FAILED", "RECOVERING", "TIMED_OUT"}},
    {"CANCELLATION_REQUESTED", {"CANCELLED"}},
    {"RECOVERING", {"READY", "DEAD_LETTER"}},
    {"FAILED", {"READY", "CANCELLED", "DEAD_LETTER"}},
    {"TIMED_OUT", {"READY", "DEAD_LETTER"}},
    {"DEAD_LETTER", {"READY", "CANCELLED"}},
    {"SUCCEEDED", {}},
    {"CANCELLED", {}},
};

TEST_CASE("state: the moves are those of the contract, pair by pair") {
  CHECK(all_states().size() == kTable.size());
  for (const State from : all_states()) {
    const auto& targets = kTable.at(std::string(state_name(from)));
    for (const State to : all_states()) {
      CAPTURE(state_name(from));
      CAPTURE(state_name(to));
      CHECK(can_transition(from, to) == targets.contains(std::string(state_name(to))));
    }
    CHECK(is_final(from) == targets.empty());
  }
}

TEST_CASE("state: names read back, and only exactly") {
  for (const State state : all_states()) CHECK(parse_state(state_name(state)) == state);
  for (const char* name : {"", "ready", "READY ", " READY", "Ready", "DEAD-LETTER", "TIMED OUT"})
    CHECK_FALSE(parse_state(name));
}

TEST_CASE("state: a claim may be held where there is a worker to cancel or to lose") {
  const std::set<State> held{State::kClaimed, State::kRunning, State::kCheckpointed,
                             State::kCancellationRequested};
  for (const State state : all_states()) CHECK(may_be_held(state) == held.contains(state));
}

TEST_CASE("state: each state has the event type of the contract") {
  CHECK(event_type(State::kCreated) == "workload.created");
  CHECK(event_type(State::kReady) == "workload.ready");
  CHECK(event_type(State::kClaimed) == "workload.claimed");
  CHECK(event_type(State::kRunning) == "workload.started");
  CHECK(event_type(State::kCheckpointed) == "workload.checkpointed");
  CHECK(event_type(State::kRecovering) == "workload.recovered");
  CHECK(event_type(State::kCancellationRequested) == "workload.cancellation_requested");
  CHECK(event_type(State::kSucceeded) == "workload.completed");
  CHECK(event_type(State::kFailed) == "workload.failed");
  CHECK(event_type(State::kCancelled) == "workload.cancelled");
  CHECK(event_type(State::kTimedOut) == "workload.timed_out");
  CHECK(event_type(State::kDeadLetter) == "workload.dead_lettered");
}

}  // namespace
}  // namespace workctl
