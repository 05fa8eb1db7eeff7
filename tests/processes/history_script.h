#pragma once

/// Histories written by hand, for the tests of their checker.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "processes/history.h"

namespace workctl {

inline constexpr const char* kWork = "workload_1";

/// Writes a history by hand: calls one after the other, each with the commit that it made.
class Script {
 public:
  Call& call(const std::string& verb, Json answer) {
    const std::uint64_t number = history_.calls.size() + 1;
    Call call{.now = static_cast<Instant>(1000 + number), .verb = verb, .words = verb};
    call.began = 10 * number;
    call.ended = 10 * number + 5;
    call.answer = std::move(answer);
    history_.calls.push_back(std::move(call));
    return history_.calls.back();
  }

  /// What the last call did to the work.
  void commit(Json members) {
    Change change{.collection = "workloads", .key = kWork, .before = document_};
    change.version = ++version_;
    if (document_.is_null())
      document_ = {{"fencing_token", 0}, {"current_claim", nullptr}, {"idempotency_key", "k"}};
    document_.update(members);
    change.after = document_;
    add("workload." + history_.calls.back().verb, {std::move(change)});
  }

  void add(const std::string& operation, std::vector<Change> changes) {
    const std::uint64_t revision = history_.log.size() + 1;
    history_.log.push_back({.line = revision + 1,
                            .revision = revision,
                            .at = history_.calls.back().now,
                            .operation = operation,
                            .changes = std::move(changes)});
  }

  void claim(const std::string& worker, std::uint64_t token) {
    const Json claim = {{"workload_id", kWork},
                        {"claim_id", "claim_" + worker},
                        {"worker_id", worker},
                        {"fencing_token", token},
                        {"expires_at", 2000}};
    call("claim", claim).worker = worker;
    commit({{"state", "CLAIMED"}, {"fencing_token", token}, {"current_claim", claim}});
  }

  Call& holder_call(const std::string& verb, Json answer) {
    Call& made = call(verb, std::move(answer));
    made.workload = kWork;
    made.worker = "w1";
    made.claim = "claim_w1";
    made.token = 1;
    return made;
  }

  History take() { return std::move(history_); }

 private:
  History history_;
  Json document_;
  std::uint64_t version_ = 0;
};

/// The places of the calls of `good`, and of its commits.
enum { kInit, kCreate, kRepeated, kClaim, kStart, kLate, kDeath, kComplete, kCompleted };
enum { kFounded, kCreated, kClaimed, kStarted, kDone };

/// A whole life, with a call that was refused and one that was killed before it did anything.
inline History good() {
  Script script;
  script.call("init", {{"created", true}});
  script.add("store.init", {});
  script.call("create", {{"created", true}, {"workload_id", kWork}});
  script.commit({{"state", "READY"}});
  script.call("create", {{"created", false}, {"workload_id", kWork}});
  script.claim("w1", 1);
  script.holder_call("start", {{"state", "RUNNING"}, {"__version", 3}});
  script.commit({{"state", "RUNNING"}});
  script.call("claim", nullptr).status = 8;
  script.holder_call("heartbeat", nullptr).killed = true;
  script.holder_call("complete", {{"result_id", "r"}}).result = "r";
  script.commit(
      {{"state", "SUCCEEDED"}, {"current_claim", nullptr}, {"result", {{"result_id", "r"}}}});
  script.holder_call("complete", {{"result_id", "r"}}).result = "r";
  return script.take();
}

/// The good one, and a call of `create` at its end that made a grant and no work.
inline History with_grant_alone() {
  History history = good();
  history.calls.push_back(
      {.now = 5000, .verb = "create", .words = "create", .began = 5000, .ended = 5005});
  const std::uint64_t revision = history.log.size() + 1;
  history.log.push_back(
      {.line = revision + 1, .revision = revision, .at = 5000, .operation = "grant.issue"});
  history.log.back().changes.push_back({.collection = "grants", .key = "grant_1", .version = 1});
  return history;
}

}  // namespace workctl
