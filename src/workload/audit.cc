#include "workload/audit.h"

namespace workctl {
namespace {

/// A member of an object, or null: snapshots from elsewhere may hold less than ours do.
Json member_or_null(const Json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? Json() : *found;
}

}  // namespace

Json make_audit(std::string_view kind, std::string_view operation, const Workload& workload) {
  const Json& document = workload.document();
  const Json& requester = document.at("requested_by");
  const Json& requester_id = requester.at("id");
  const Json& grant = document.at("authorization_snapshot").at("grant");
  const Json* const attempt = workload.last_attempt();
  return {{"kind", kind},
          {"subject", requester_id},
          {"principal_id", requester_id},
          {"agent_id", requester.at("kind") == "agent" ? requester_id : Json()},
          {"session_id", document.at("session_id")},
          {"delegator_id", grant.at("issuer").at("id")},
          {"authorization_decision_id", grant.at("id")},
          {"tenant", workload.tenant()},
          {"application", workload.application()},
          {"work_id", workload.id()},
          {"operation_id", operation},
          {"attempt_id", attempt == nullptr ? Json() : attempt->at("attempt_id")},
          {"worker_id", member_or_null(workload.current_claim(), "worker_id")},
          {"result_id", member_or_null(document.at("result"), "result_id")}};
}

}  // namespace workctl
