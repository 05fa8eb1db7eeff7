#include "workctl/store/row.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace workctl {

namespace {

/// States in which a claim whose lease ended is recovered.
constexpr std::array<std::string_view, 4> kHeldStates = {"CLAIMED", "RUNNING", "CHECKPOINTED",
                                                         "CANCELLATION_REQUESTED"};

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

}  // namespace

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
      claim != nullptr &&
      std::find(kHeldStates.begin(), kHeldStates.end(), row.state) != kHeldStates.end()) {
    row.lease_expires_at = integer(*claim, "expires_at");
  }
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
