#include "workload/document_shapes.h"

#include <array>

namespace workctl {
namespace {

using enum Type;
using enum Nullable;

constexpr std::array<std::string_view, 8> kAttemptStatuses{
    "CLAIMED", "RUNNING",   "CHECKPOINTED", "SUCCEEDED",
    "FAILED",  "TIMED_OUT", "CANCELLED",    "WORKER_LOST"};
constexpr std::array<std::string_view, 6> kSubjectKinds{"human", "service",    "workload",
                                                        "agent", "connection", "worker"};
constexpr std::array<std::string_view, 2> kBackoffs{"fixed", "exponential"};

constexpr Member text(std::string_view name) { return {.name = name, .type = kText}; }
constexpr Member any(std::string_view name) { return {.name = name}; }
constexpr Member number(std::string_view name, Type type, const char* fallback = nullptr) {
  return {.name = name, .type = type, .fallback = fallback};
}
constexpr Member instant(std::string_view name) { return {.name = name, .type = kI64}; }
/// A member that may be null, and is when absent.
constexpr Member or_null(std::string_view name, Type type) {
  return {.name = name, .type = type, .nullable = kYes, .fallback = "null"};
}
constexpr Member set(std::string_view name, const char* fallback = nullptr) {
  return {.name = name, .type = kTextSet, .fallback = fallback};
}
constexpr Member choice(std::string_view name, std::span<const std::string_view> choices,
                        const char* fallback = nullptr) {
  return {.name = name, .type = kChoice, .fallback = fallback, .choices = choices};
}
constexpr Member object(std::string_view name, const Shape& shape, const char* fallback = nullptr) {
  return {.name = name, .type = kObject, .fallback = fallback, .shape = &shape};
}
constexpr Member object_or_null(std::string_view name, const Shape& shape) {
  return {.name = name, .type = kObject, .nullable = kYes, .fallback = "null", .shape = &shape};
}
constexpr Member list(std::string_view name, const Shape& shape, const char* fallback = nullptr) {
  return {.name = name, .type = kObjectList, .fallback = fallback, .shape = &shape};
}

constexpr std::array kSubjectMembers{choice("kind", kSubjectKinds), text("id")};
constexpr Shape kSubject{kSubjectMembers};

// What admission and the audit look at. The rest of a grant matters only where it must be trusted,
// and comes in as it is.
constexpr std::array kBindingGrantMembers{text("id"), object("issuer", kSubject),
                                          object("subject", kSubject), text("tenant_id"),
                                          text("application_id")};
constexpr Shape kBindingGrant{kBindingGrantMembers, Unknown::kKept};
constexpr std::array kSnapshotMembers{object("grant", kBindingGrant)};
constexpr Shape kSnapshot{kSnapshotMembers, Unknown::kKept};

constexpr const char* kDefaultPolicy =
    R"({"max_attempts":3,"initial_delay_ms":1000,"max_delay_ms":300000,"backoff":"exponential",)"
    R"("retry_on":["timeout","transient_connection","worker_failure"]})";
constexpr std::array kPolicyMembers{number("max_attempts", kU32), number("initial_delay_ms", kU64),
                                    number("max_delay_ms", kU64), choice("backoff", kBackoffs),
                                    set("retry_on", "[]")};
constexpr Shape kPolicy{kPolicyMembers};

constexpr const char* kNoTimeouts =
    R"({"queue_ms":null,"claim_ms":null,"execution_ms":null,"heartbeat_ms":null,"overall_ms":null})";
constexpr std::array kTimeoutMembers{or_null("queue_ms", kU64), or_null("claim_ms", kU64),
                                     or_null("execution_ms", kU64), or_null("heartbeat_ms", kU64),
                                     or_null("overall_ms", kU64)};
constexpr Shape kTimeouts{kTimeoutMembers};

constexpr std::array kDependencyMembers{
    text("workload_id"),
    Member{.name = "required_state", .type = kState, .fallback = "\"SUCCEEDED\""}};
constexpr Shape kDependency{kDependencyMembers};

constexpr std::array kEventMembers{number("sequence", kU64),
                                   text("event_type"),
                                   or_null("from", kState),
                                   Member{.name = "to", .type = kState},
                                   text("actor"),
                                   instant("at"),
                                   Member{.name = "evidence", .type = kTextMap, .fallback = "{}"}};
constexpr Shape kEvent{kEventMembers};

constexpr std::array kAttemptMembers{
    text("attempt_id"),
    text("workload_id"),
    text("worker_id"),
    text("claim_id"),
    number("fencing_token", kU64),
    or_null("started_at", kI64),
    or_null("ended_at", kI64),
    text("input_hash"),
    or_null("result_hash", kText),
    or_null("error", kText),
    Member{.name = "resource_usage", .type = kU64Map, .fallback = "{}"},
    choice("status", kAttemptStatuses)};
constexpr Shape kAttempt{kAttemptMembers};

constexpr std::array kCheckpointMembers{
    text("checkpoint_id"), text("workload_id"), text("attempt_id"),    number("sequence", kU64),
    any("state"),          text("state_hash"),  instant("created_at"), text("produced_by")};
constexpr Shape kCheckpointShape{kCheckpointMembers};

constexpr std::array kResultMembers{
    text("result_id"),
    text("workload_id"),
    text("attempt_id"),
    text("status"),
    any("output"),
    text("output_hash"),
    Member{.name = "artifacts", .type = kTextList, .fallback = "[]"},
    Member{.name = "provenance", .type = kTextMap, .fallback = "{}"},
    text("produced_by"),
    instant("created_at"),
    number("schema_version", kU64)};
constexpr Shape kResult{kResultMembers};

constexpr std::array kClaimMembers{
    text("claim_id"),      text("workload_id"),           text("worker_id"),
    text("lease_id"),      number("fencing_token", kU64), set("capability_snapshot"),
    instant("claimed_at"), instant("expires_at"),         instant("last_heartbeat")};
constexpr Shape kClaimShape{kClaimMembers};

constexpr std::array kWorkloadMembers{number("contract_version", kU32),
                                      text("workload_id"),
                                      text("tenant_id"),
                                      text("application_id"),
                                      text("environment"),
                                      text("definition_id"),
                                      text("definition_revision"),
                                      text("trigger"),
                                      any("input"),
                                      text("input_hash"),
                                      object("requested_by", kSubject),
                                      or_null("session_id", kText),
                                      object("authorization_snapshot", kSnapshot),
                                      set("capability_snapshot"),
                                      set("connection_scopes", "[]"),
                                      number("priority", kI32, "0"),
                                      text("idempotency_key"),
                                      instant("created_at"),
                                      instant("updated_at"),
                                      Member{.name = "state", .type = kState},
                                      list("execution_history", kEvent),
                                      list("attempts", kAttempt),
                                      list("checkpoints", kCheckpointShape, "[]"),
                                      object_or_null("result", kResult),
                                      object("retry_policy", kPolicy, kDefaultPolicy),
                                      object("timeouts", kTimeouts, kNoTimeouts),
                                      number("attempt_count", kU32),
                                      number("retry_count", kU32),
                                      or_null("next_attempt_at", kI64),
                                      or_null("last_failure", kText),
                                      object_or_null("current_claim", kClaimShape),
                                      number("fencing_token", kU64),
                                      list("dependencies", kDependency, "[]")};

constexpr std::array kRequestMembers{text("tenant_id"),
                                     text("application_id"),
                                     text("environment"),
                                     text("definition_id"),
                                     text("definition_revision"),
                                     text("trigger"),
                                     any("input"),
                                     object("requested_by", kSubject),
                                     or_null("session_id", kText),
                                     object("authorization_snapshot", kSnapshot),
                                     set("capability_snapshot"),
                                     set("connection_scopes", "[]"),
                                     number("priority", kI32, "0"),
                                     text("idempotency_key"),
                                     object("retry_policy", kPolicy, kDefaultPolicy),
                                     object("timeouts", kTimeouts, kNoTimeouts),
                                     list("dependencies", kDependency, "[]"),
                                     or_null("not_before", kI64),
                                     instant("created_at")};

constexpr Shape kAnyObject{{}, Unknown::kKept};
constexpr std::array kResourceMembers{text("kind"), text("uri")};
constexpr Shape kResource{kResourceMembers};
constexpr std::array kGrantMembers{number("contract_version", kU32),
                                   text("id"),
                                   object("issuer", kSubject),
                                   object("subject", kSubject),
                                   text("tenant_id"),
                                   text("application_id"),
                                   set("capabilities"),
                                   list("resources", kResource),
                                   object("constraints", kAnyObject),
                                   instant("issued_at"),
                                   instant("expires_at"),
                                   or_null("parent_grant", kText),
                                   number("revision", kU64),
                                   text("status")};
constexpr Shape kGrant{kGrantMembers};
constexpr std::array<std::string_view, 1> kAlgorithms{"ed25519"};
constexpr std::array kSignedGrantMembers{object("grant", kGrant), text("key_id"),
                                         choice("algorithm", kAlgorithms), text("signature")};

constexpr std::array kTrustedKeyMembers{choice("algorithm", kAlgorithms), text("public_key"),
                                        or_null("revoked_at", kI64)};
constexpr std::array<std::string_view, 2> kTrustChoices{"trusted", "any"};
constexpr std::array kTrustMembers{choice("grants", kTrustChoices)};

}  // namespace

constexpr Shape kWorkloadShape{kWorkloadMembers};
constexpr Shape kRequestShape{kRequestMembers};
constexpr Shape kSignedGrantShape{kSignedGrantMembers};
constexpr Shape kTrustedKeyShape{kTrustedKeyMembers};
constexpr Shape kTrustShape{kTrustMembers};

}  // namespace workctl
