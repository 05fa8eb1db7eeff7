#include "workctl/workload/workload.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "workctl/base/text.h"
#include "workctl/store/row.h"
#include "workload/document_shapes.h"

namespace workctl {
namespace {

std::unexpected<Error> unreadable(const Json& document, const std::string& fault) {
  const auto id = document.find("workload_id");
  if (id == document.end() || !id->is_string())
    return failure(errc::kDocumentUnreadable, fmt::format("a workload cannot be read: {}", fault));
  auto refusal = failure(errc::kDocumentUnreadable,
                         fmt::format("workload {} cannot be read: {}",
                                     printable(id->get_ref<const std::string&>()), fault));
  refusal.error().workload_id = id->get<std::string>();
  return refusal;
}

/// Operator re-arms are rare and attempts few: counting them is cheaper than keeping the number.
bool is_operator_retry(const Json& event) {
  const Json& evidence = event.at("evidence");
  const auto retry = evidence.find("retry");
  return retry != evidence.end() && *retry == "operator";
}

}  // namespace

Result<Workload> Workload::from_document(Json document) {
  if (!document.is_object())
    return failure(errc::kDocumentUnreadable, "a workload cannot be read: it is not an object");
  if (const auto fault = find_fault(document, kWorkloadShape)) return unreadable(document, *fault);
  return Workload(std::move(document));
}

Result<Workload> Workload::from_legacy(Json document) {
  if (document.is_object()) {
    document.erase("__version");
    fill_in(document, kWorkloadShape);
  }
  return from_document(std::move(document));
}

State Workload::state() const {
  // The name was checked when the document came in, and only `transition` writes it.
  return parse_state(text("state")).value_or(State::kCreated);
}

std::uint64_t Workload::fencing_token() const {
  return document_.at("fencing_token").get<std::uint64_t>();
}

std::uint32_t Workload::attempt_count() const {
  return document_.at("attempt_count").get<std::uint32_t>();
}

std::uint32_t Workload::retry_count() const {
  return document_.at("retry_count").get<std::uint32_t>();
}

std::uint32_t Workload::max_attempts() const {
  return document_.at("retry_policy").at("max_attempts").get<std::uint32_t>();
}

std::optional<Instant> Workload::next_attempt_at() const {
  const Json& instant = document_.at("next_attempt_at");
  if (instant.is_null()) return std::nullopt;
  return instant.get<Instant>();
}

std::optional<std::string> Workload::result_id() const {
  const Json& result = document_.at("result");
  if (result.is_null()) return std::nullopt;
  return result.at("result_id").get<std::string>();
}

const Json* Workload::last_attempt() const {
  const Json& attempts = document_.at("attempts");
  return attempts.empty() ? nullptr : &attempts.back();
}

Json* Workload::last_attempt() {
  Json& attempts = document_.at("attempts");
  return attempts.empty() ? nullptr : &attempts.back();
}

bool Workload::retries_on(std::string_view failure_kind) const {
  const Json& kinds = document_.at("retry_policy").at("retry_on");
  return std::ranges::find(kinds, failure_kind) != kinds.end();
}

std::uint64_t Workload::operator_retries() const {
  const Json& events = document_.at("execution_history");
  return static_cast<std::uint64_t>(std::ranges::count_if(events, is_operator_retry));
}

std::uint32_t Workload::attempt_budget() const {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t retries = operator_retries();
  const std::uint32_t first = max_attempts();
  return retries > kMost - first ? kMost : first + static_cast<std::uint32_t>(retries);
}

std::uint64_t Workload::last_event_sequence() const {
  const Json& events = document_.at("execution_history");
  return events.empty() ? 0 : events.back().at("sequence").get<std::uint64_t>();
}

std::string Workload::scope() const {
  const Json& requester = document_.at("requested_by");
  return scope_text(tenant(), application(), requester.at("kind").get_ref<const std::string&>(),
                    requester.at("id").get_ref<const std::string&>(), idempotency_key());
}

void Workload::set(std::string_view member, Json value) { document_[member] = std::move(value); }

Result<void> Workload::transition(State to, std::string_view actor, Instant at, Json evidence) {
  const State from = state();
  if (!can_transition(from, to))
    return failure(errc::kTransitionDenied,
                   fmt::format("workload {} is {}, from where nothing leads to {}", id(),
                               state_name(from), state_name(to)));
  const std::uint64_t last = last_event_sequence();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  member("execution_history")
      .push_back({{"sequence", last == kMost ? kMost : last + 1},
                  {"event_type", event_type(to)},
                  {"from", state_name(from)},
                  {"to", state_name(to)},
                  {"actor", actor},
                  {"at", at},
                  {"evidence", std::move(evidence)}});
  set("state", state_name(to));
  set("updated_at", at);
  return {};
}

const std::string& Workload::text(std::string_view member) const {
  return document_.at(member).get_ref<const std::string&>();
}

}  // namespace workctl
