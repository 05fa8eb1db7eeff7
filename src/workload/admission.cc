#include "workctl/workload/admission.h"

#include <fmt/core.h>

#include <array>
#include <utility>

#include "workctl/base/digest.h"
#include "workctl/base/text.h"
#include "workctl/store/row.h"
#include "workctl/workload/secrets.h"
#include "workload/document_shapes.h"

namespace workctl {
namespace {

constexpr std::size_t kWorkloadIdDigits = 24;

const std::string& text_of(const Json& object, std::string_view member) {
  return object.at(member).get_ref<const std::string&>();
}

std::string scope_of(const Json& request) {
  const Json& requester = request.at("requested_by");
  return scope_text(text_of(request, "tenant_id"), text_of(request, "application_id"),
                    text_of(requester, "kind"), text_of(requester, "id"),
                    text_of(request, "idempotency_key"));
}

bool same_subject(const Json& a, const Json& b) {
  return a.at("kind") == b.at("kind") && a.at("id") == b.at("id");
}

std::string subject_text(const Json& subject) {
  return printable(text_of(subject, "kind") + ":" + text_of(subject, "id"));
}

Result<void> check_binding(const Json& request) {
  const Json& grant = request.at("authorization_snapshot").at("grant");
  const std::string& grant_id = text_of(grant, "id");
  if (!same_subject(grant.at("subject"), request.at("requested_by")))
    return failure(
        errc::kUnauthorized,
        fmt::format("grant {} is for {}, not for {}", printable(grant_id),
                    subject_text(grant.at("subject")), subject_text(request.at("requested_by"))));
  for (const char* member : {"tenant_id", "application_id"})
    if (text_of(grant, member) != text_of(request, member))
      return failure(
          errc::kUnauthorized,
          fmt::format("grant {} has {} {}, and the request {}", printable(grant_id), member,
                      printable(text_of(grant, member)), printable(text_of(request, member))));
  return {};
}

}  // namespace

CreateRequest::CreateRequest(Json members, std::string scope)
    : members_(std::move(members)),
      scope_(std::move(scope)),
      input_hash_(hash_value(members_.at("input"))) {}

Result<CreateRequest> CreateRequest::from_json(Json request) {
  if (!request.is_object())
    return failure(errc::kWorkloadInvalid, "a create request must be an object");
  drop_unknown(request, kRequestShape);
  fill_in(request, kRequestShape);
  if (const auto fault = find_fault(request, kRequestShape))
    return failure(errc::kWorkloadInvalid, fmt::format("create request: {}", *fault));
  std::string scope = scope_of(request);
  return CreateRequest(std::move(request), std::move(scope));
}

std::vector<std::string> CreateRequest::unknown_members(const Json& request) {
  if (!request.is_object()) return {};
  return workctl::unknown_members(request, kRequestShape);
}

std::string CreateRequest::workload_id() const {
  return "workload_" + sha256_hex(scope_).substr(0, kWorkloadIdDigits);
}

RequestIdentity CreateRequest::identity() const {
  return {members_.at("requested_by"),
          text_of(members_, "definition_id"),
          text_of(members_, "definition_revision"),
          text_of(members_, "environment"),
          input_hash_,
          members_.at("capability_snapshot")};
}

Instant CreateRequest::created_at() const { return members_.at("created_at").get<Instant>(); }

Result<void> check_request(const CreateRequest& request) {
  const Json& members = request.members();
  WORKCTL_CHECK(reject_secrets(members.at("input"), "input"));
  if (is_blank(text_of(members, "idempotency_key")))
    return failure(errc::kWorkloadInvalid, "the idempotency key is blank");
  return check_binding(members);
}

Workload admit(CreateRequest request) {
  const std::string id = request.workload_id();
  const Instant created_at = request.created_at();
  std::string input_hash = request.input_hash();
  Json document = std::move(request).take();
  Json not_before = std::move(document.at("not_before"));
  document.erase("not_before");
  Json evidence = Json::object();
  if (!not_before.is_null()) evidence["not_before"] = std::to_string(not_before.get<Instant>());
  document.update({{"contract_version", 1},
                   {"workload_id", id},
                   {"input_hash", std::move(input_hash)},
                   {"updated_at", created_at},
                   {"state", state_name(State::kCreated)},
                   {"execution_history", Json::array()},
                   {"attempts", Json::array()},
                   {"checkpoints", Json::array()},
                   {"result", nullptr},
                   {"attempt_count", 0},
                   {"retry_count", 0},
                   {"next_attempt_at", std::move(not_before)},
                   {"last_failure", nullptr},
                   {"current_claim", nullptr},
                   {"fencing_token", 0}});
  Workload workload(std::move(document));
  // CREATED leads to READY, so this cannot be refused.
  (void)workload.transition(State::kReady, "workctl", created_at, std::move(evidence));
  return workload;
}

Result<void> check_same_request(const RequestIdentity& identity, const Workload& workload) {
  const Json& stored = workload.document();
  const char* difference = nullptr;
  if (!same_subject(identity.requester, stored.at("requested_by")))
    difference = "requested_by";
  else if (text_of(stored, "definition_id") != identity.definition_id)
    difference = "definition_id";
  else if (text_of(stored, "definition_revision") != identity.definition_revision)
    difference = "definition_revision";
  else if (text_of(stored, "environment") != identity.environment)
    difference = "environment";
  else if (text_of(stored, "input_hash") != identity.input_hash)
    difference = "input";
  else if (stored.at("capability_snapshot") != identity.capabilities)
    difference = "capability_snapshot";
  if (difference == nullptr) return {};
  auto refusal = failure(
      errc::kIdempotencyKeyReused,
      fmt::format("idempotency key {} already made workload {}, with another {}",
                  printable(workload.idempotency_key()), printable(workload.id()), difference),
      "use another key for another piece of work");
  refusal.error().workload_id = workload.id();
  return refusal;
}

}  // namespace workctl
