#pragma once

/// Signed grants: who may have work made in their name (contract section 7, design section 10).
///
/// Ed25519 (RFC 8032) over the canonical text of the grant. This is the only user of libcrypto's
/// EVP layer, which takes half a millisecond to load: nothing here is called by a command that has
/// no signature to make or to check.

#include <optional>
#include <string>

#include "workctl/base/clock.h"
#include "workctl/base/error.h"
#include "workctl/base/json.h"
#include "workctl/store/engine.h"

namespace workctl {

/// A public key as documents hold it.
struct PublicKey {
  std::string key_id;  ///< `key_` + first 24 hex digits of SHA-256 over the 32 raw bytes
  std::string base64;  ///< of the 32 raw bytes
};

class SigningKey {
 public:
  static Result<SigningKey> generate();
  /// From PKCS #8 PEM, as `pem()` and `openssl genpkey -algorithm ed25519` write it.
  static Result<SigningKey> from_pem(std::string_view pem);
  const std::string& pem() const { return pem_; }
  const PublicKey& public_key() const { return public_key_; }
  /// `{"grant", "key_id", "algorithm": "ed25519", "signature"}`.
  Result<Json> sign(const Json& grant) const;

 private:
  std::string pem_;
  PublicKey public_key_;
};

/// Whether `signed_grant`'s signature is `public_key`'s over its grant: `kUnauthorized` when not.
Result<void> verify_signature(const Json& signed_grant, const PublicKey& public_key);

/// What a new store begins with: its trust setting and its own key, trusted. Name of the private
/// text that holds the signing key: `kSigningKeyName`.
inline constexpr const char* kSigningKeyName = "signing-key.pem";
Transaction founding_transaction(const PublicKey& own_key, bool trust_grants,
                                 std::string_view actor, Instant now);

/// Whether this store wants grants to be trusted (its `trust` setting).
Result<bool> grants_must_be_trusted(View& view);

/// Whether `signed_grant` may be used at `now` for `application`: well-formed, known key that is
/// not revoked, valid signature, ACTIVE (in any letter case), in its time window, holding
/// `workload:execute` and a workload resource that covers the application. `kUnauthorized` with the
/// first that fails. Whether it binds the request's subject and tenant is admission's business.
Result<void> check_trusted(View& view, const Json& signed_grant, const std::string& application,
                           Instant now);

/// The grant that this store issued to `human:<login>` for a tenant and application and that is
/// good for a while after `now`; nothing when there is none, or its key is no longer trusted.
Result<std::optional<Json>> find_issued_grant(View& view, const std::string& login,
                                              const std::string& tenant,
                                              const std::string& application, Instant now);

/// Makes such a grant with the store's own key and stages it, so that later calls find it.
Result<Json> issue_grant(Session& session, const SigningKey& own_key, const std::string& login,
                         const std::string& tenant, const std::string& application, Instant now);

}  // namespace workctl
