#pragma once

/// Grants: who may have work made in their name (contract section 7, design section 10).
///
/// Trusted keys are documents `{"key_id", "algorithm": "ed25519", "public_key": base64, "added_at",
/// "revoked_at": null or instant, "comment"}` of the store, under their key ids. The setting
/// `trust` is the document `{"grants": "trusted"}`, or `"any"` for a store that takes every grant
/// that binds.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workctl/base/clock.h"
#include "workctl/base/error.h"
#include "workctl/base/json.h"
#include "workctl/store/engine.h"
#include "workctl/workload/signing.h"

namespace workctl {

/// Name of the private text that holds a store's own signing key.
inline constexpr const char* kSigningKeyName = "signing-key.pem";
/// What a grant must allow before work is made under it.
inline constexpr std::string_view kExecuteCapability = "workload:execute";
/// How long a grant that the store issues is good, and how long before its end it is made anew.
inline constexpr std::uint64_t kIssuedGrantMs = 90ULL * 24 * 60 * 60 * 1000;
inline constexpr std::uint64_t kIssuedGrantReserveMs = 24ULL * 60 * 60 * 1000;

/// What a new store begins with: its trust setting and its own key, trusted.
Transaction founding_transaction(const PublicKey& own_key, bool trust_grants,
                                 std::string_view actor, Instant now);

/// Whether this store wants grants to be trusted (its `trust` setting; one without it does).
Result<bool> grants_must_be_trusted(View& view);

/// Whether a grant's resource `{"kind", "uri"}` covers work of `application`: kind `workload`, and
/// a uri that is `flow://*` (every application), `flow://<application>/*`, or exactly
/// `flow://<application>`. There are no other patterns.
bool covers_application(const Json& resource, std::string_view application);

/// Whether `signed_grant` may be used at `now` for `application`: well-formed, of a known key that
/// is not revoked, with a valid signature, ACTIVE (in any letter case), in its time window (from
/// issued_at to before expires_at), holding `workload:execute` and a workload resource that covers
/// the application. `kUnauthorized` with the first that fails. Whether it binds the request's
/// subject and tenant is admission's business.
Result<void> check_trusted(View& view, const Json& signed_grant, const std::string& application,
                           Instant now);

/// The grant that this store issued to `human:<login>` for a tenant and application and that is
/// good for more than `kIssuedGrantReserveMs` after `now`; nothing when there is none, or its key
/// is no longer trusted. Checks no signature: it comes from the store's own log.
Result<std::optional<Json>> find_issued_grant(View& view, const std::string& login,
                                              const std::string& tenant,
                                              const std::string& application, Instant now);

/// Makes such a grant with the store's own key, for exactly that tenant and application and for
/// `kIssuedGrantMs`, and stages it in place of the one before, so that later calls find it.
Result<Json> issue_grant(Session& session, const SigningKey& own_key, const std::string& login,
                         const std::string& tenant, const std::string& application, Instant now);

}  // namespace workctl
