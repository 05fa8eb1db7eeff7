#include "conformance/trace_player.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "workctl/base/json_patch.h"
#include "workctl/workload/contract_code.h"
#include "workctl/workload/store_digest.h"

namespace workctl {
namespace {

using Difference = std::optional<std::string>;

std::string difference_of(const Json& expected, const Json& actual) {
  std::string text;
  for (const Json& change : make_patch(expected, actual)) text += "\n    " + canonical_text(change);
  return text;
}

Difference compare_answer(const Json& expect, const Result<Json>& answer) {
  if (expect.contains("error")) {
    const auto& code = expect.at("error").at("code").get_ref<const std::string&>();
    if (answer)
      return fmt::format("should be refused with {}, answers {}", code, canonical_text(*answer));
    if (contract_code(answer.error().code) == code) return std::nullopt;
    return fmt::format("should be refused with {}, is with {}: {}", code, answer.error().code.name,
                       answer.error().message);
  }
  if (!answer)
    return fmt::format("is refused with {}: {}", answer.error().code.name, answer.error().message);
  if (same_value(expect.at("ok"), *answer)) return std::nullopt;
  return "answers differently:" + difference_of(expect.at("ok"), *answer);
}

/// A document in the form of `changed_summary`.
Json summarize(const Json& document) {
  Json statuses = Json::array();
  for (const Json& attempt : document.at("attempts")) statuses.push_back(attempt.at("status"));
  Json summary{{"sha256", hash_value(document)},
               {"attempts", std::move(statuses)},
               {"events", document.at("execution_history").size()},
               {"checkpoints", document.at("checkpoints").size()}};
  for (const char* member : {"__version", "state", "updated_at", "attempt_count", "retry_count",
                             "fencing_token", "next_attempt_at"})
    summary[member] = document.at(member);
  const Json& claim = document.at("current_claim");
  const Json& result = document.at("result");
  summary["claim"] = claim.is_null() ? Json() : claim.at("claim_id");
  summary["result"] = result.is_null() ? Json() : result.at("result_id");
  return summary;
}

/// `changed` holds the documents that were left different, whole, by id.
Difference compare_changed(const Json& expect, const Json& changed) {
  const bool whole = expect.contains("changed");
  const Json& expected = expect.at(whole ? "changed" : "changed_summary");
  for (const auto& [id, document] : expected.items()) {
    if (!changed.contains(id)) return fmt::format("{} should have changed", id);
    const Json& actual = changed.at(id);
    const Json comparable = whole ? actual : summarize(actual);
    if (!same_value(document, comparable))
      return fmt::format("{} is left different:{}", id, difference_of(document, comparable));
  }
  for (const auto& [id, document] : changed.items())
    if (!expected.contains(id)) return fmt::format("{} should not have changed", id);
  return std::nullopt;
}

Difference compare_digest(const Json& expect, const Json& digest) {
  if (expect.at("store_sha256") == digest) return std::nullopt;
  return "a document that should be as it was is not: the store's digest differs";
}

Result<Json> documents(View& stored, const std::vector<std::string>& ids) {
  Json found = Json::object();
  for (const std::string& id : ids) {
    WORKCTL_TRY(auto document, versioned_document(stored, id));
    if (document) found[id] = *std::move(document);
  }
  return found;
}

Difference play(const Json& line, TraceStore& store) {
  const Json& expect = line.at("expect");
  OperationOutcome outcome{nullptr, {}};
  if (line.at("op") == "open") {
    if (auto opened = store.open(line.at("args").at("handle").get<std::string>()); !opened)
      outcome.answer = std::unexpected(opened.error());
  } else {
    auto request = OperationRequest::from_json(line);
    if (!request) return request.error().message;
    const bool reopens = request->reopens();
    outcome = store.run(line.value("handle", ""), std::move(*request));
    if (reopens)
      if (auto reopened = store.reopen(); !reopened) return reopened.error().message;
  }
  if (auto difference = compare_answer(expect, outcome.answer)) return difference;
  const auto stored = store.stored();
  if (!stored) return stored.error().message;
  const auto changed = documents(**stored, outcome.changed);
  if (!changed) return changed.error().message;
  if (auto difference = compare_changed(expect, *changed)) return difference;
  const auto digest = store_digest(**stored);
  if (!digest) return digest.error().message;
  return compare_digest(expect, *digest);
}

}  // namespace

TraceReport play_trace(const std::string& name, const std::vector<Json>& lines, TraceStore& store) {
  TraceReport report;
  for (const Json& line : lines) {
    ++report.operations;
    if (const auto difference = play(line, store)) {
      report.differences.push_back(fmt::format("{}:{} {}: {}", name, report.operations,
                                               line.at("op").get<std::string>(), *difference));
      break;
    }
  }
  return report;
}

std::optional<std::string> compare_answer_line(const Json& expect, const Json& line) {
  if (line.contains("ok") == line.contains("error")) return "is answered by neither or both";
  Result<Json> answer = nullptr;
  if (line.contains("ok"))
    answer = line.at("ok");
  else
    answer = failure(ErrorCode{line.at("error").at("code").get_ref<const std::string&>()},
                     line.at("error").at("message").get<std::string>());
  if (auto difference = compare_answer(expect, answer)) return difference;
  if (auto difference = compare_changed(expect, line.at("changed"))) return difference;
  return compare_digest(expect, line.at("store_sha256"));
}

bool uses_handles(const std::vector<Json>& lines) {
  return std::ranges::any_of(lines, [](const Json& line) { return line.contains("handle"); });
}

}  // namespace workctl
