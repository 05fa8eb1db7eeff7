// The history checker finds nothing in a good history, and each kind of lie in a bad one.

#include "processes/history_checker.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <set>
#include <utility>

#include "processes/history_script.h"
#include "support/temporary_directory.h"

namespace workctl {
namespace {

/// The names of the rules that find fault, each once.
std::string rules_broken(const History& history) {
  std::set<std::string> names;
  for (const Fault& fault : check_history(history)) names.insert(fault.rule);
  return fmt::format("{}", fmt::join(names, " "));
}

Json& claim_in(History& history, std::size_t commit) {
  return history.log[commit].changes[0].before.at("current_claim");
}

TEST_CASE("history: a good one has no fault") { CHECK(to_text(check_history(good())) == ""); }

TEST_CASE("history: a killed call may have done its work") {
  History history = good();
  history.calls[kStart].killed = true;
  history.calls[kStart].answer = nullptr;
  CHECK(to_text(check_history(history)) == "");
}

TEST_CASE("history: a revision that is missing or used twice is found") {
  for (const std::uint64_t revision : {2U, 4U}) {
    History history = good();
    history.log[kClaimed].revision = revision;
    CHECK(rules_broken(history) == "revisions");
  }
}

TEST_CASE("history: a version that is missing or used twice is found") {
  for (const std::uint64_t version : {1U, 3U}) {
    History history = good();
    history.log[kClaimed].changes[0].version = version;
    history.calls[kClaim].answer["__version"] = version;
    CHECK(rules_broken(history) == "versions");
  }
}

TEST_CASE("history: a document that begins at version 2 is found") {
  History history = good();
  for (const auto place : {kCreated, kClaimed, kStarted, kDone})
    ++history.log[place].changes[0].version;
  history.calls[kStart].answer["__version"] = 4;
  CHECK(rules_broken(history) == "versions");
}

TEST_CASE("history: a claim that gives a token again, or skips one, is found") {
  for (const int token : {0, 2}) {
    History history = good();
    history.log[kClaimed].changes[0].after["fencing_token"] = token;
    history.log[kStarted].changes[0].before["fencing_token"] = token;
    history.log[kStarted].changes[0].after["fencing_token"] = token;
    history.log[kDone].changes[0].before["fencing_token"] = token;
    history.log[kDone].changes[0].after["fencing_token"] = token;
    CHECK(rules_broken(history) == "fences");
  }
}

TEST_CASE("history: a token that changes without a claim is found") {
  History history = good();
  history.log[kDone].changes[0].after["fencing_token"] = 0;
  CHECK(rules_broken(history) == "fences");
}

TEST_CASE("history: a commit of no call is found") {
  History history = good();
  history.calls.erase(history.calls.begin() + kStart);
  CHECK(rules_broken(history) == "unexplained");
}

TEST_CASE("history: a commit of another verb is found") {
  History history = good();
  history.log[kStarted].operation = "workload.checkpoint";
  CHECK(rules_broken(history) == "unexplained");
}

TEST_CASE("history: a commit to other work than was named is found") {
  History history = good();
  history.calls[kStart].workload = "workload_2";
  history.calls[kStart].answer["workload_id"] = kWork;
  CHECK(rules_broken(history) == "unexplained");
}

TEST_CASE("history: a refused call that changed something is found") {
  History history = good();
  history.calls[kStart].status = 6;
  CHECK(rules_broken(history) == "refused");
}

TEST_CASE("history: a refused call that left a grant behind is found") {
  History history = with_grant_alone();
  history.calls.back().status = 4;
  CHECK(rules_broken(history) == "refused");
}

TEST_CASE("history: an acknowledged change that is not in the log is found") {
  History history = good();
  history.log.pop_back();
  CHECK(rules_broken(history) == "lost");
}

TEST_CASE("history: an answer of a killed call counts as acknowledged") {
  History history = good();
  history.calls[kDeath].answer = {{"claim_id", "claim_w1"}};
  CHECK(rules_broken(history) == "lost");
}

TEST_CASE("history: an answer about work that nobody created is found") {
  History history = good();
  history.calls[kRepeated].answer["workload_id"] = "workload_2";
  CHECK(rules_broken(history) == "lost");
}

TEST_CASE("history: a killed call that did half of its work is found") {
  History history = with_grant_alone();
  history.calls.back().killed = true;
  CHECK(rules_broken(history) == "half");
}

TEST_CASE("history: a grant that is renewed for work that was there is no fault") {
  History history = with_grant_alone();
  history.calls.back().key = "k";
  history.calls.back().answer = {{"created", false}, {"workload_id", kWork}};
  CHECK(to_text(check_history(history)) == "");
}

TEST_CASE("history: a recovery that forgot somebody is found") {
  Script script;
  script.call("init", {{"created", true}});
  script.call("create", {{"created", true}, {"workload_id", kWork}});
  script.commit({{"state", "READY"}});
  script.claim("w1", 1);
  History history = script.take();
  history.calls.push_back({.now = 2000,
                           .verb = "recover",
                           .words = "recover",
                           .began = 100,
                           .ended = 105,
                           .answer = {{"items", Json::array()}}});
  history.log.push_back({.line = 4, .revision = 3, .at = 2000, .operation = "workload.recover"});
  CHECK(rules_broken(history) == "half");
}

TEST_CASE("history: a change that comes before one that had ended is found") {
  History history = good();
  history.calls[kStart].began = 1000;
  history.calls[kStart].ended = 1005;
  CHECK(rules_broken(history) == "order");
}

TEST_CASE("history: calls at the same time may come in any order") {
  History history = good();
  for (Call& call : history.calls) call.began = 0;
  CHECK(to_text(check_history(history)) == "");
}

TEST_CASE("history: an answer that differs from the log is found") {
  History history = good();
  history.calls[kStart].answer["state"] = "READY";
  CHECK(rules_broken(history) == "answers");
  history = good();
  history.calls[kStart].answer["__version"] = 9;
  CHECK(rules_broken(history) == "answers");
  history = good();
  history.calls[kClaim].answer["fencing_token"] = 9;
  CHECK(rules_broken(history) == "answers");
  history = good();
  history.calls[kComplete].answer["result_id"] = "other";
  CHECK(rules_broken(history) == "answers");
}

TEST_CASE("history: a claim that was given to somebody else is found") {
  History history = good();
  history.calls[kClaim].worker = "w2";
  CHECK(rules_broken(history) == "answers");
}

TEST_CASE("history: a claim of work that is held is found") {
  History history = good();
  history.log[kClaimed].changes[0].before["current_claim"] = claim_in(history, kStarted);
  CHECK(rules_broken(history) == "owners");
}

TEST_CASE("history: a change by somebody who does not hold the work is found") {
  for (const auto& [name, value] : {std::pair{"claim_id", Json("claim_w2")},
                                    {"worker_id", Json("w2")},
                                    {"fencing_token", Json(2)}}) {
    CAPTURE(name);
    History history = good();
    claim_in(history, kStarted)[name] = value;
    CHECK(rules_broken(history) == "owners");
  }
}

TEST_CASE("history: a change after the lease is found") {
  History history = good();
  claim_in(history, kStarted)["expires_at"] = history.calls[kStart].now;
  CHECK(rules_broken(history) == "owners");
}

TEST_CASE("history: an exit status that is no refusal is found") {
  for (const int status : {1, 2, 7, 9, 10, 11, 12, 70, 134}) {
    History history = good();
    history.calls[kLate].status = status;
    CHECK(rules_broken(history) == "statuses");
  }
}

TEST_CASE("history: a log is read up to its last newline, documents with their patches") {
  const TemporaryDirectory directory;
  std::ofstream(directory / "log")
      << R"({"workctl_log":1})"
         "\n"
      << R"({"commits":[{"revision":1,"at":5,"audit":[{"operation_id":"o"}],"writes":[)"
      << R"({"collection":"c","key":"k","version":1,"document":{"n":1}}]},)"
      << R"({"revision":2,"at":6,"audit":[],"writes":[)"
      << R"({"collection":"c","key":"k","version":2,)"
      << R"("patch":[{"op":"replace","path":"/n","value":2}]}]}]})"
         "\n"
      << R"({"commits":[{"revision":3)";
  std::vector<std::string> wrong;
  const std::vector<Transaction> log = read_log(directory / "log", wrong);
  CHECK(wrong.empty());
  REQUIRE(log.size() == 2);
  CHECK(log[0].line == 2);
  CHECK(log[0].operation == "o");
  CHECK(log[0].changes[0].before.is_null());
  CHECK(log[1].at == 6);
  CHECK(log[1].changes[0].version == 2);
  CHECK(log[1].changes[0].before == Json{{"n", 1}});
  CHECK(log[1].changes[0].after == Json{{"n", 2}});
}

}  // namespace
}  // namespace workctl
