#include "workctl/workload/grant.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "workctl/base/digest.h"
#include "workctl/base/text.h"
#include "workctl/base/time_text.h"
#include "workctl/workload/workload.h"
#include "workload/document_shapes.h"

namespace workctl {
namespace {

constexpr const char* kTrustSetting = "trust";
constexpr std::size_t kIdDigits = 24;

std::unexpected<Error> refused(const Json& grant, std::string_view why) {
  return failure(errc::kUnauthorized,
                 fmt::format("grant {} {}", printable(grant.at("id").get<std::string>()), why));
}

/// The key that a store trusts under `key_id`; `kUnauthorized` when it does not.
Result<PublicKey> trusted_key(View& view, const std::string& key_id) {
  WORKCTL_TRY(const auto stored, view.get(kTrustedKeys, key_id));
  if (!stored)
    return failure(errc::kUnauthorized,
                   fmt::format("key {} is not trusted by this store", printable(key_id)));
  if (const auto fault = find_fault(stored->document, kTrustedKeyShape))
    return failure(errc::kDocumentUnreadable,
                   fmt::format("trusted key {} cannot be read: {}", printable(key_id), *fault));
  const Json& revoked_at = stored->document.at("revoked_at");
  if (!revoked_at.is_null())
    return failure(errc::kUnauthorized, fmt::format("key {} was revoked at {}", printable(key_id),
                                                    format_instant(revoked_at.get<Instant>())));
  return PublicKey{key_id, stored->document.at("public_key").get<std::string>()};
}

Result<void> check_terms(const Json& grant, const std::string& application, Instant now) {
  if (ascii_lower(grant.at("status").get<std::string>()) != "active")
    return refused(
        grant, fmt::format("is {}, not ACTIVE", printable(grant.at("status").get<std::string>())));
  const auto issued_at = grant.at("issued_at").get<Instant>();
  if (now < issued_at)
    return refused(grant, fmt::format("is not good before {}", format_instant(issued_at)));
  const auto expires_at = grant.at("expires_at").get<Instant>();
  if (expires_at <= now)
    return refused(grant, fmt::format("ran out at {}", format_instant(expires_at)));
  const Json& capabilities = grant.at("capabilities");
  if (std::ranges::find(capabilities, kExecuteCapability) == capabilities.end())
    return refused(grant, fmt::format("does not hold {}", kExecuteCapability));
  const bool covered = std::ranges::any_of(grant.at("resources"), [&](const Json& resource) {
    return covers_application(resource, application);
  });
  if (!covered)
    return refused(grant, fmt::format("covers no work of application {}", printable(application)));
  return {};
}

/// The key of the grant that a store issues to a user, whatever is in their names.
std::string issued_grant_key(const std::string& login, const std::string& tenant,
                             const std::string& application) {
  return "grant_" + hash_value({"human", login, tenant, application}).substr(0, kIdDigits);
}

}  // namespace

Transaction founding_transaction(const PublicKey& own_key, bool trust_grants,
                                 std::string_view actor, Instant now) {
  Transaction transaction{now, {}};
  transaction.writes.push_back(
      {std::string(kSettings),
       kTrustSetting,
       0,
       Json{{"grants", trust_grants ? "trusted" : "any"}},
       {{"kind", "store.founded"}, {"operation_id", "store.init"}, {"actor", actor}}});
  transaction.writes.push_back({std::string(kTrustedKeys), own_key.key_id, 0,
                                Json{{"key_id", own_key.key_id},
                                     {"algorithm", "ed25519"},
                                     {"public_key", own_key.base64},
                                     {"added_at", now},
                                     {"revoked_at", nullptr},
                                     {"comment", "this store's own key"}},
                                nullptr});
  return transaction;
}

Result<bool> grants_must_be_trusted(View& view) {
  WORKCTL_TRY(const auto setting, view.get(kSettings, kTrustSetting));
  if (!setting) return true;
  if (const auto fault = find_fault(setting->document, kTrustShape))
    return failure(errc::kDocumentUnreadable,
                   fmt::format("setting {} cannot be read: {}", kTrustSetting, *fault));
  return setting->document.at("grants") == "trusted";
}

bool covers_application(const Json& resource, std::string_view application) {
  if (resource.at("kind") != "workload") return false;
  const auto& uri = resource.at("uri").get_ref<const std::string&>();
  const std::string own = fmt::format("flow://{}", application);
  return uri == "flow://*" || uri == own || uri == own + "/*";
}

Result<void> check_trusted(View& view, const Json& signed_grant, const std::string& application,
                           Instant now) {
  if (const auto fault = find_fault(signed_grant, kSignedGrantShape))
    return failure(errc::kUnauthorized, fmt::format("the grant is not well-formed: {}", *fault));
  WORKCTL_TRY(const auto key,
              trusted_key(view, signed_grant.at("key_id").get_ref<const std::string&>()));
  WORKCTL_CHECK(verify_signature(signed_grant, key));
  return check_terms(signed_grant.at("grant"), application, now);
}

Result<std::optional<Json>> find_issued_grant(View& view, const std::string& login,
                                              const std::string& tenant,
                                              const std::string& application, Instant now) {
  WORKCTL_TRY(auto stored, view.get(kGrants, issued_grant_key(login, tenant, application)));
  if (!stored || find_fault(stored->document, kSignedGrantShape)) return std::nullopt;
  const Json& grant = stored->document.at("grant");
  if (!check_terms(grant, application, now)) return std::nullopt;
  const Instant needed_until = add_milliseconds(now, kIssuedGrantReserveMs);
  if (grant.at("expires_at").get<Instant>() <= needed_until) return std::nullopt;
  const auto key = trusted_key(view, stored->document.at("key_id").get_ref<const std::string&>());
  if (!key && key.error().code != errc::kUnauthorized) return std::unexpected(key.error());
  if (!key) return std::nullopt;
  return std::move(stored->document);
}

Result<Json> issue_grant(Session& session, const SigningKey& own_key, const std::string& login,
                         const std::string& tenant, const std::string& application, Instant now) {
  const std::string& key_id = own_key.public_key().key_id;
  const std::string id =
      "grant_" + hash_value({key_id, login, tenant, application, now}).substr(0, kIdDigits);
  WORKCTL_TRY(
      auto signed_grant,
      own_key.sign({{"contract_version", 1},
                    {"id", id},
                    {"issuer", {{"kind", "service"}, {"id", key_id}}},
                    {"subject", {{"kind", "human"}, {"id", login}}},
                    {"tenant_id", tenant},
                    {"application_id", application},
                    {"capabilities", {kExecuteCapability}},
                    {"resources",
                     {{{"kind", "workload"}, {"uri", fmt::format("flow://{}/*", application)}}}},
                    {"constraints", Json::object()},
                    {"issued_at", now},
                    {"expires_at", add_milliseconds(now, kIssuedGrantMs)},
                    {"parent_grant", nullptr},
                    {"revision", 1},
                    {"status", "ACTIVE"}}));
  const std::string key = issued_grant_key(login, tenant, application);
  WORKCTL_TRY(const auto before, session.get(kGrants, key));
  Transaction transaction{now, {}};
  transaction.writes.push_back({std::string(kGrants),
                                key,
                                before ? before->version : 0,
                                signed_grant,
                                {{"kind", "grant.issued"},
                                 {"operation_id", "grant.issue"},
                                 {"actor", login},
                                 {"principal_id", login},
                                 {"delegator_id", key_id},
                                 {"authorization_decision_id", id},
                                 {"tenant", tenant},
                                 {"application", application}}});
  WORKCTL_CHECK(session.stage(std::move(transaction)));
  return signed_grant;
}

}  // namespace workctl
