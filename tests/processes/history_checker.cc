#include "processes/history_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace workctl {

namespace {

constexpr const char* kWorkloads = "workloads";
constexpr std::array kHolderVerbs{"start", "heartbeat", "checkpoint", "complete", "fail"};
constexpr std::array kRefusals{3, 4, 5, 6, 8};

using Ids = std::set<std::string>;

bool of_holder(const std::string& verb) {
  return std::ranges::find(kHolderVerbs, verb) != kHolderVerbs.end();
}

std::string named(const Call& call) { return fmt::format("{} ({})", call.words, call.now); }

std::uint64_t token_of(const Json& document) {
  return document.is_null() ? 0 : document.value("fencing_token", std::uint64_t{0});
}

/// The member of a document, or null where there is none.
Json member(const Json& document, const char* name) {
  return document.is_object() ? document.value(name, Json()) : Json();
}

/// Whether somebody holds the work, and may at `now`.
bool is_held_at(const Json& claim, Instant now) {
  return !claim.is_null() && claim.at("expires_at").get<Instant>() > now;
}

class Checker {
 public:
  explicit Checker(const History& history) : history_(history) {
    for (const Call& call : history.calls) calls_[call.now] = &call;
    for (const Transaction& transaction : history.log)
      made_[transaction.at].push_back(&transaction);
  }

  std::vector<Fault> check() {
    check_order();
    for (const Transaction& transaction : history_.log) check_transaction(transaction);
    for (const Call& call : history_.calls) check_call(call);
    check_recoveries();
    return std::move(faults_);
  }

 private:
  void fault(const char* rule, std::string text) { faults_.push_back({rule, std::move(text)}); }

  void check_order() {
    const Call* latest = nullptr;  // to begin, of those whose commits were passed
    for (const Transaction& transaction : history_.log) {
      const auto found = calls_.find(transaction.at);
      if (found == calls_.end()) continue;
      const Call& call = *found->second;
      if (latest != nullptr && call.ended < latest->began)
        fault("order", fmt::format("revision {} is of {}, which had ended before {} began, whose "
                                   "change comes earlier",
                                   transaction.revision, named(call), named(*latest)));
      if (latest == nullptr || call.began > latest->began) latest = &call;
    }
  }

  void check_transaction(const Transaction& transaction) {
    const auto found = calls_.find(transaction.at);
    if (found == calls_.end()) {
      fault("unexplained", fmt::format("revision {} ({}) is of no call", transaction.revision,
                                       transaction.operation));
      return;
    }
    const Call& call = *found->second;
    const bool grant = call.verb == "create" && transaction.operation == "grant.issue";
    const std::string expected = (call.verb == "init" ? "store." : "workload.") + call.verb;
    if (!grant && transaction.operation != expected)
      fault("unexplained", fmt::format("revision {} is {}, the call was {}", transaction.revision,
                                       transaction.operation, named(call)));
    for (const Change& change : transaction.changes) {
      if (change.collection != kWorkloads) continue;
      if (!call.workload.empty() && change.key != call.workload)
        fault("unexplained", fmt::format("revision {} changes {}, the call was {}",
                                         transaction.revision, change.key, named(call)));
      check_owner(call, change);
      if (call.acknowledged()) check_answer(call, change);
    }
  }

  void check_owner(const Call& call, const Change& change) {
    const Json before = member(change.before, "current_claim");
    if (call.verb == "claim" && !before.is_null())
      fault("owners", fmt::format("{} took what {} held", named(call), before.dump()));
    if (!of_holder(call.verb)) return;
    if (before.is_null() || before.at("claim_id") != call.claim ||
        before.at("worker_id") != call.worker || before.at("fencing_token") != call.token)
      fault("owners",
            fmt::format("{} changed work under the claim {}", named(call), before.dump()));
    else if (!is_held_at(before, call.now))
      fault("owners", fmt::format("{} came after its lease had ended", named(call)));
  }

  void check_answer(const Call& call, const Change& change) {
    const Json& answer = call.answer;
    const auto differs = [&](const char* name, const Json& stored) {
      if (answer.is_object() && answer.contains(name) && answer.at(name) != stored)
        fault("answers", fmt::format("{} was answered {} {}, stored is {}", named(call), name,
                                     answer.at(name).dump(), stored.dump()));
    };
    const Json claim = member(change.after, "current_claim");
    if (call.verb == "claim" || call.verb == "heartbeat") {
      for (const char* name : {"claim_id", "worker_id", "fencing_token", "expires_at"})
        differs(name, member(claim, name));
    }
    if (call.verb == "complete")
      differs("result_id", member(member(change.after, "result"), "result_id"));
    if (call.verb == "claim" && member(claim, "worker_id") != call.worker)
      fault("answers", fmt::format("{} made a claim of {}", named(call), claim.dump()));
    if (call.verb == "checkpoint") return;
    differs("state", member(change.after, "state"));
    differs("__version", change.version);
  }

  void check_call(const Call& call) {
    if (call.refused() && std::ranges::find(kRefusals, call.status) == kRefusals.end())
      fault("statuses", fmt::format("{} ended with {}", named(call), call.status));
    Ids changed;
    std::set<std::uint64_t> lines;
    for (const Transaction* transaction : made_[call.now]) {
      lines.insert(transaction->line);
      for (const Change& change : transaction->changes)
        if (change.collection == kWorkloads) changed.insert(change.key);
    }
    if (call.refused() && !lines.empty())
      fault("refused", fmt::format("{} ended with {} and has revision {}", named(call), call.status,
                                   made_[call.now].front()->revision));
    const bool half = lines.size() > 1 || (!lines.empty() && changed.empty() && !is_whole(call));
    if (!call.refused() && half)
      fault("half", fmt::format("{} has {} lines and changed {} workloads", named(call),
                                lines.size(), changed.size()));
    if (!call.acknowledged() || call.verb == "init") return;
    if (const Ids expected = told(call); changed != expected && !was_done_before(call, changed))
      fault("lost", fmt::format("{} was answered {}, it changed {} workloads", named(call),
                                call.answer.dump(), changed.size()));
  }

  /// Whether a call may have commits without a workload: a store is made, or a grant is renewed for
  /// work that was created before.
  bool is_whole(const Call& call) const {
    const std::uint64_t revision = made_.at(call.now).front()->revision;
    return call.verb == "init" ||
           std::ranges::any_of(history_.log, [&](const Transaction& transaction) {
             return transaction.revision < revision &&
                    std::ranges::any_of(transaction.changes, [&](const Change& change) {
                      return change.collection == kWorkloads && call.verb == "create" &&
                             member(change.after, "idempotency_key") == call.key;
                    });
           });
  }

  /// The workloads that a call was told it changed.
  static Ids told(const Call& call) {
    Ids ids;
    if (call.verb == "recover") {
      for (const Json& item : call.answer.at("items")) ids.insert(item.at("workload_id"));
    } else if (call.verb != "create" || call.answer.value("created", false)) {
      ids.insert(call.answer.value("workload_id", call.workload));
    }
    return ids;
  }

  /// Whether what a call was told is the doing of another that had begun before this one ended.
  bool was_done_before(const Call& call, const Ids& changed) const {
    if (!changed.empty() || call.verb != "complete") return false;
    return std::ranges::any_of(history_.log, [&](const Transaction& transaction) {
      const auto other = calls_.find(transaction.at);
      return other != calls_.end() && other->second->began < call.ended &&
             std::ranges::any_of(transaction.changes, [&](const Change& change) {
               return change.key == call.workload &&
                      member(member(change.after, "result"), "result_id") == call.result;
             });
    });
  }

  /// Work that was created already is in the log, and a recovery leaves nothing to recover.
  void check_recoveries() {
    std::map<std::string, Json> documents;
    std::map<std::string, const Call*> creators;
    for (std::size_t index = 0; index < history_.log.size(); ++index) {
      const Transaction& transaction = history_.log[index];
      const auto found = calls_.find(transaction.at);
      for (const Change& change : transaction.changes) {
        if (change.collection != kWorkloads) continue;
        documents[change.key] = change.after;
        if (change.before.is_null() && found != calls_.end()) creators[change.key] = found->second;
      }
      const bool last_of_line =
          index + 1 == history_.log.size() || history_.log[index + 1].line != transaction.line;
      if (found == calls_.end() || found->second->verb != "recover" || !last_of_line) continue;
      for (const auto& [id, document] : documents) {
        const Json claim = member(document, "current_claim");
        if (!claim.is_null() && !is_held_at(claim, transaction.at))
          fault("half", fmt::format("{} left {} to be recovered", named(*found->second), id));
      }
    }
    for (const Call& call : history_.calls) {
      if (!call.acknowledged() || call.verb != "create" || call.answer.value("created", true))
        continue;
      const auto creator = creators.find(call.answer.value("workload_id", ""));
      if (creator == creators.end() || creator->second->began > call.ended)
        fault("lost", fmt::format("{} was answered work that nobody had created: {}", named(call),
                                  call.answer.dump()));
    }
  }

  const History& history_;
  std::map<Instant, const Call*> calls_;
  std::map<Instant, std::vector<const Transaction*>> made_;
  std::vector<Fault> faults_;
};

void check_fence(const Transaction& transaction, const Change& change, std::vector<Fault>& faults) {
  if (transaction.operation == "workload.migrate") return;  // brings the token that it had
  const bool claims = transaction.operation == "workload.claim";
  const std::uint64_t expected = token_of(change.before) + (claims ? 1 : 0);
  if (!change.after.is_null() && token_of(change.after) != expected)
    faults.push_back({"fences", fmt::format("revision {} ({}) gives {} the token {}, not {}",
                                            transaction.revision, transaction.operation, change.key,
                                            token_of(change.after), expected)});
}

}  // namespace

std::vector<Fault> check_log(const std::vector<Transaction>& log) {
  std::vector<Fault> faults;
  std::map<std::pair<std::string, std::string>, std::uint64_t> versions;
  std::uint64_t revision = 0;
  for (const Transaction& transaction : log) {
    if (transaction.revision != ++revision)
      faults.push_back({"revisions", fmt::format("revision {} is in the place of {}",
                                                 transaction.revision, revision)});
    for (const Change& change : transaction.changes) {
      const std::uint64_t expected = ++versions[{change.collection, change.key}];
      if (change.version != expected)
        faults.push_back(
            {"versions", fmt::format("revision {} makes version {} of {}, not {}",
                                     transaction.revision, change.version, change.key, expected)});
      if (change.collection == kWorkloads) check_fence(transaction, change, faults);
    }
  }
  return faults;
}

std::vector<Fault> check_history(const History& history) {
  std::vector<Fault> faults = check_log(history.log);
  for (Fault& fault : Checker(history).check()) faults.push_back(std::move(fault));
  return faults;
}

std::string to_text(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults) text += fmt::format("{}: {}\n", fault.rule, fault.text);
  return text;
}

}  // namespace workctl
