#pragma once

/// Ed25519 (RFC 8032) signatures over the canonical text of a grant.
///
/// The only user of libcrypto's EVP layer, which takes half a millisecond to load: nothing here is
/// called by a command that has no signature to make or to check.

#include <string>
#include <string_view>
#include <utility>

#include "workctl/base/error.h"
#include "workctl/base/json.h"

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
  /// `kInvalidInput` for anything else, a key under a passphrase included: nobody is asked for one.
  static Result<SigningKey> from_pem(std::string_view pem);
  const std::string& pem() const { return pem_; }
  const PublicKey& public_key() const { return public_key_; }
  /// `{"grant", "key_id", "algorithm": "ed25519", "signature"}`, the signature in base64.
  Result<Json> sign(Json grant) const;

 private:
  SigningKey(std::string pem, PublicKey public_key)
      : pem_(std::move(pem)), public_key_(std::move(public_key)) {}

  std::string pem_;
  PublicKey public_key_;
};

/// Whether `signed_grant`, which has the members that `sign` gives it, carries `public_key`'s
/// signature over its grant: `kUnauthorized` when not, `kInvalidInput` for a public key that is
/// none.
Result<void> verify_signature(const Json& signed_grant, const PublicKey& public_key);

}  // namespace workctl
