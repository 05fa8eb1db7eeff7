#include "cli/commands/create_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/create_options.h"
#include "cli/suggestion.h"
#include "cli/user.h"
#include "cli/wording.h"
#include "workctl/base/random.h"
#include "workctl/base/text.h"
#include "workctl/workload/grant.h"

namespace workctl::cli::create {

namespace {

struct Member {
  const Option* option;
  const char* name;
};

constexpr Member kMembers[] = {
    {&kDefinition, "definition_id"},
    {&kInput, "input"},
    {&kKey, "idempotency_key"},
    {&kTenant, "tenant_id"},
    {&kApplication, "application_id"},
    {&kEnvironment, "environment"},
    {&kRevision, "definition_revision"},
    {&kTrigger, "trigger"},
    {&kRequestedBy, "requested_by"},
    {&kSession, "session_id"},
    {&kGrant, "authorization_snapshot"},
    {&kCapability, "capability_snapshot"},
    {&kConnectionScope, "connection_scopes"},
    {&kPriority, "priority"},
    {&kNotBefore, "not_before"},
    {&kAfter, "dependencies"},
};
constexpr Member kPolicyMembers[] = {
    {&kMaxAttempts, "max_attempts"}, {&kInitialDelay, "initial_delay_ms"},
    {&kMaxDelay, "max_delay_ms"},    {&kBackoff, "backoff"},
    {&kRetryOn, "retry_on"},
};
constexpr Member kTimeoutMembers[] = {
    {&kQueueTimeout, "queue_ms"},         {&kClaimTimeout, "claim_ms"},
    {&kExecutionTimeout, "execution_ms"}, {&kHeartbeatTimeout, "heartbeat_ms"},
    {&kOverallTimeout, "overall_ms"},
};

/// Members that no option sets.
constexpr std::string_view kOtherNames[] = {"created_at", "retry_policy", "timeouts"};

/// The policy that an absent one stands for: options change it member by member.
Json usual_policy() {
  return {{"max_attempts", 3},
          {"initial_delay_ms", 1000},
          {"max_delay_ms", 300000},
          {"backoff", "exponential"},
          {"retry_on", {"timeout", "transient_connection", "worker_failure"}}};
}

void set_members(Json& object, std::span<const Member> members, const Arguments& arguments) {
  for (const Member& member : members)
    if (arguments.given(*member.option) ||
        (arguments.has(*member.option) && !object.contains(member.name)))
      object[member.name] = arguments.document_value(*member.option);
}

/// Sets members of the object that is `request`'s member `name`; `usual` stands in where there is
/// none.
void set_nested(Json& request, const char* name, std::span<const Member> members,
                const Arguments& arguments, const Json& usual) {
  const bool any = std::ranges::any_of(
      members, [&](const Member& member) { return arguments.has(*member.option); });
  if (!any) return;
  if (!request.contains(name) || request.at(name).is_null()) request[name] = usual;
  // What is no object stays as it is: the request's own check names it.
  if (request.at(name).is_object()) set_members(request.at(name), members, arguments);
}

Result<void> refuse_unknown(const Json& document) {
  const std::vector<std::string> unknown = CreateRequest::unknown_members(document);
  if (unknown.empty()) return {};
  std::vector<std::string_view> names(std::begin(kOtherNames), std::end(kOtherNames));
  for (const std::span<const Member> members :
       {std::span<const Member>(kMembers), std::span<const Member>(kPolicyMembers),
        std::span<const Member>(kTimeoutMembers)})
    for (const Member& member : members) names.push_back(member.name);
  const std::string_view first = unknown.front();
  return failure(errc::kWorkloadInvalid,
                 fmt::format("a request has no {} {}", unknown.size() == 1 ? "member" : "members",
                             fmt::join(unknown, ", ")),
                 suggestion(first.substr(first.rfind('.') + 1), names, {}));
}

}  // namespace

Result<CreateRequest> RequestMaker::make(Json document) {
  if (!document.is_object())
    return failure(errc::kWorkloadInvalid, "a request must be a JSON object");
  WORKCTL_CHECK(refuse_unknown(document));
  set_members(document, kMembers, arguments_);
  set_nested(document, "retry_policy", kPolicyMembers, arguments_, usual_policy());
  set_nested(document, "timeouts", kTimeoutMembers, arguments_, Json::object());
  const Json::json_pointer max_attempts("/retry_policy/max_attempts");
  if (document.contains(max_attempts) && document.at(max_attempts) == 0)
    return failure(errc::kWorkloadInvalid, "max_attempts is 0: such work could never run");
  if (!document.contains("definition_id"))
    return failure(errc::kWorkloadInvalid, "no definition given",
                   "say with --definition what is to be run");
  if (!document.contains("idempotency_key")) document["idempotency_key"] = "auto-" + random_hex(16);
  if (!document.contains("created_at")) document["created_at"] = now_;
  if (!document.contains("capability_snapshot")) document["capability_snapshot"] = Json::array();
  WORKCTL_CHECK(authorize(document));
  return CreateRequest::from_json(std::move(document));
}

/// Checks the grant that the request brings along, or gives it one of the store's own.
Result<void> RequestMaker::authorize(Json& request) {
  // Members of another type are left to the request's own check.
  const auto is_text = [&](const char* name) {
    return request.contains(name) && request.at(name).is_string();
  };
  if (!is_text("tenant_id") || !is_text("application_id")) return {};
  const std::string application = request.at("application_id").get<std::string>();
  if (request.contains("authorization_snapshot")) {
    const Json& grant = request.at("authorization_snapshot");
    WORKCTL_TRY(const bool trusted_only, trust_is_needed());
    if (trusted_only) WORKCTL_CHECK(check_trusted(session_, grant, application, now_));
    const Json::json_pointer subject("/grant/subject");
    if (!request.contains("requested_by") && grant.is_object() && grant.contains(subject))
      request["requested_by"] = grant.at(subject);
    return {};
  }
  const Json user = {{"kind", "human"}, {"id", login()}};
  if (!request.contains("requested_by")) request["requested_by"] = user;
  const Json& requester = request.at("requested_by");
  if (requester != user)
    return failure(errc::kUnauthorized,
                   fmt::format("a request by {}:{} needs a grant in its name",
                               requester.is_object() ? member_text(requester, "kind") : "-",
                               requester.is_object() ? member_text(requester, "id") : "-"),
                   "give one with --grant FILE");
  WORKCTL_TRY(request["authorization_snapshot"],
              own_grant(request.at("tenant_id").get<std::string>(), application));
  return {};
}

/// A grant that this store issued to the user, kept for as long as it is good.
Result<Json> RequestMaker::own_grant(const std::string& tenant, const std::string& application) {
  const auto known = own_grants_.find({tenant, application});
  if (known != own_grants_.end()) return known->second;
  WORKCTL_TRY(std::optional<Json> grant,
              find_issued_grant(session_, login(), tenant, application, now_));
  if (!grant) {
    WORKCTL_TRY(const bool trusted_only, trust_is_needed());
    WORKCTL_TRY(const std::optional<std::string> pem,
                context_.engine().private_text(kSigningKeyName));
    if (!pem && trusted_only)
      return failure(errc::kUnauthorized, "this store has lost its own signing key",
                     "give a grant with --grant FILE");
    // Where any grant will do, one signed by a key that is forgotten at once does.
    const Result<SigningKey> key = pem ? SigningKey::from_pem(*pem) : SigningKey::generate();
    if (!key)
      return failure(errc::kUnauthorized,
                     "this store's own signing key is none: " + key.error().message,
                     "put it back from a copy, or give a grant with --grant FILE");
    WORKCTL_TRY(grant, issue_grant(session_, *key, login(), tenant, application, now_));
    if (trusted_only) WORKCTL_CHECK(check_trusted(session_, *grant, application, now_));
  }
  own_grants_[{tenant, application}] = *grant;
  return *std::move(grant);
}

Result<bool> RequestMaker::trust_is_needed() {
  if (!trust_is_needed_) {
    WORKCTL_TRY(trust_is_needed_, grants_must_be_trusted(session_));
  }
  return *trust_is_needed_;
}

const std::string& RequestMaker::login() {
  if (login_.empty()) login_ = login_name();
  return login_;
}

}  // namespace workctl::cli::create
