#include "workctl/store/row.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace workctl {

namespace {

/// States in which a claim whose lease ended is recovered.
constexpr std::array<std::string_view, 4> kHeldStates = {"CLAIMED", "RUNNING", "CHECKPOINTED",
                                                         "CANCELLATION_REQUESTED"};

/// States that a workload leaves by an operator's hand or not at all.
constexpr std::array<std::string_view, 5> kEndedStates = {"SUCCEEDED", "CANCELLED", "DEAD_LETTER",
                                                          "FAILED", "TIMED_OUT"};

template <std::size_t N>
bool is_one_of(const std::string& state, const std::array<std::string_view, N>& states) {
  return std::find(states.begin(), states.end(), state) != states.end();
}

const Json* find(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto member = object.find(name);
  return member == object.end() ? nullptr : &*member;
}

std::string text(const Json& object, const char* name) {
  const Json* member = find(object, name);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

std::optional<std::int64_t> integer(const Json& object, const char* name) {
  const Json* member = find(object, name);
  if (member == nullptr || !member->is_number_integer()) return std::nullopt;
  if (member->is_number_unsigned() && member->get<std::uint64_t>() > INT64_MAX) return INT64_MAX;
  return member->get<std::int64_t>();
}

std::optional<Instant> instant_of(const Json* object, const char* name) {
  return object != nullptr ? integer(*object, name) : std::nullopt;
}

/// When the last event that led to another state happened.
Instant last_transition(const Json& document, Instant otherwise) {
  const Json* history = find(document, "execution_history");
  if (history == nullptr || !history->is_array()) return otherwise;
  for (auto event = history->rbegin(); event != history->rend(); ++event)
    if (text(*event, "from") != text(*event, "to"))
      return integer(*event, "at").value_or(otherwise);
  return otherwise;
}

}  // namespace

std::vector<Deadline> deadlines(const Json& document) {
  std::vector<Deadline> found;
  const Json* limits = find(document, "timeouts");
  if (limits == nullptr || !limits->is_object()) return found;
  const auto add = [&](std::string_view limit, const char* member, std::optional<Instant> since) {
    const Json* length = find(*limits, member);
    if (!since || length == nullptr || !length->is_number_unsigned()) return;
    // The first whole second at which it is reached.
    const auto milliseconds = length->get<std::uint64_t>();
    const std::uint64_t rest = milliseconds % 1000;
    const Instant second = add_milliseconds(*since, milliseconds);
    found.push_back({limit, rest == 0 || second == INT64_MAX ? second : second + 1});
  };
  const std::string state = text(document, "state");
  const bool ready = state == "READY";
  const bool claimed = state == "CLAIMED";
  const bool running = state == "RUNNING" || state == "CHECKPOINTED";
  if (!ready && !claimed && !running) return found;
  const Json* claim = find(document, "current_claim");
  const Json* attempts = find(document, "attempts");
  const Json* attempt = attempts != nullptr && attempts->is_array() && !attempts->empty()
                            ? &attempts->back()
                            : nullptr;
  if (ready)
    add("queue", "queue_ms",
        std::max(last_transition(document, integer(document, "updated_at").value_or(0)),
                 integer(document, "next_attempt_at").value_or(INT64_MIN)));
  if (claimed) add("claim", "claim_ms", instant_of(claim, "claimed_at"));
  if (running) add("execution", "execution_ms", instant_of(attempt, "started_at"));
  if (claimed || running) add("heartbeat", "heartbeat_ms", instant_of(claim, "last_heartbeat"));
  add("overall", "overall_ms", integer(document, "created_at"));
  return found;
}

bool WorkloadRow::depends_on(std::string_view other_id) const {
  return std::any_of(dependencies.begin(), dependencies.end(),
                     [&](const auto& dependency) { return dependency.first == other_id; });
}

std::string scope_text(std::string_view tenant, std::string_view application,
                       std::string_view requester_kind, std::string_view requester_id,
                       std::string_view key) {
  std::string scope = "[";
  for (const std::string_view part : {tenant, application, requester_kind, requester_id, key}) {
    if (scope.size() > 1) scope += ',';
    append_json_string(part, scope);
  }
  return scope + ']';
}

WorkloadRow make_row(std::string_view key, const Json& document) {
  WorkloadRow row;
  row.queue = {text(document, "tenant_id"), text(document, "application_id")};
  row.order = {.priority = integer(document, "priority").value_or(0),
               .created_at = integer(document, "created_at").value_or(0),
               .id = std::string(key)};
  row.definition = text(document, "definition_id");
  row.state = text(document, "state");
  if (const Json* requester = find(document, "requested_by")) {
    row.scope = scope_text(row.queue.first, row.queue.second, text(*requester, "kind"),
                           text(*requester, "id"), text(document, "idempotency_key"));
  }
  if (const Json* result = find(document, "result"); result != nullptr && result->is_object()) {
    row.result_id = text(*result, "result_id");
  }
  row.eligible_at = integer(document, "next_attempt_at");
  if (const Json* claim = find(document, "current_claim");
      claim != nullptr && is_one_of(row.state, kHeldStates)) {
    row.lease_expires_at = integer(*claim, "expires_at");
  }
  row.updated_at = integer(document, "updated_at").value_or(0);
  for (const Deadline& deadline : deadlines(document))
    row.timeout_at = std::min(deadline.at, row.timeout_at.value_or(INT64_MAX));
  if (is_one_of(row.state, kEndedStates)) row.ended_at = last_transition(document, row.updated_at);
  if (const Json* capabilities = find(document, "capability_snapshot")) {
    for (const Json& capability : *capabilities) {
      if (capability.is_string()) row.capabilities.push_back(capability.get<std::string>());
    }
  }
  if (const Json* dependencies = find(document, "dependencies")) {
    for (const Json& dependency : *dependencies) {
      row.dependencies.emplace_back(text(dependency, "workload_id"),
                                    text(dependency, "required_state"));
    }
  }
  return row;
}

}  // namespace workctl
