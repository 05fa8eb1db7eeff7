#include "workctl/workload/signing.h"

#include <fmt/core.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "workctl/base/digest.h"
#include "workctl/base/text.h"
#include "workctl/workload/workload.h"

namespace workctl {
namespace {

constexpr std::size_t kPublicKeyBytes = 32;
constexpr std::size_t kSignatureBytes = 64;
constexpr std::size_t kKeyIdDigits = 24;

template <auto free_it>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    free_it(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using Stream = std::unique_ptr<BIO, Freed<BIO_free>>;

/// The machine's OpenSSL configuration is nothing to us, and reading it takes time.
void prepare_libcrypto() { OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr); }

const unsigned char* as_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::unexpected<Error> libcrypto_failed(std::string_view what) {
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  ERR_clear_error();
  return failure(errc::kBug, fmt::format("libcrypto cannot {}: {}", what, reason.data()));
}

int refuse_passphrase(char*, int, int, void*) { return -1; }

std::string encode_base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // a NUL is written too
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), as_bytes(bytes),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

/// Exactly `size` bytes from their one base64 form, padded; nothing from any other text.
std::optional<std::string> decode_base64(std::string_view text, std::size_t size) {
  if (text.size() != 4 * ((size + 2) / 3)) return std::nullopt;
  std::string bytes(3 * (text.size() / 4), '\0');
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), as_bytes(text),
                                     static_cast<int>(text.size()));
  if (length < 0) return std::nullopt;
  bytes.resize(size);
  // Decoding is lenient about padding, blanks and unused bits; one text is one signature.
  if (encode_base64(bytes) != text) return std::nullopt;
  return bytes;
}

Result<PublicKey> public_key_of(const EVP_PKEY& key) {
  std::string bytes(kPublicKeyBytes, '\0');
  std::size_t size = bytes.size();
  if (EVP_PKEY_get_raw_public_key(&key, reinterpret_cast<unsigned char*>(bytes.data()), &size) != 1)
    return libcrypto_failed("give the public key");
  return PublicKey{"key_" + sha256_hex(bytes).substr(0, kKeyIdDigits), encode_base64(bytes)};
}

Key read_pem(std::string_view pem) {
  const Stream stream(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Key(PEM_read_bio_PrivateKey(stream.get(), nullptr, refuse_passphrase, nullptr));
}

Result<std::string> write_pem(const EVP_PKEY& key) {
  const Stream stream(BIO_new(BIO_s_secmem()));
  if (PEM_write_bio_PrivateKey(stream.get(), &key, nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return libcrypto_failed("write the signing key");
  char* text = nullptr;
  const auto size = BIO_get_mem_data(stream.get(), &text);
  return std::string(text, static_cast<std::size_t>(size));
}

}  // namespace

Result<SigningKey> SigningKey::generate() {
  prepare_libcrypto();
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (key == nullptr) return libcrypto_failed("make a signing key");
  WORKCTL_TRY(auto pem, write_pem(*key));
  WORKCTL_TRY(auto public_key, public_key_of(*key));
  return SigningKey(std::move(pem), std::move(public_key));
}

Result<SigningKey> SigningKey::from_pem(std::string_view pem) {
  prepare_libcrypto();
  const Key key = read_pem(pem);
  ERR_clear_error();
  if (key == nullptr || EVP_PKEY_is_a(key.get(), "ED25519") != 1)
    return failure(errc::kInvalidInput, "a signing key must be an Ed25519 private key in PEM",
                   "`openssl genpkey -algorithm ed25519` makes one");
  WORKCTL_TRY(auto public_key, public_key_of(*key));
  return SigningKey(std::string(pem), std::move(public_key));
}

Result<Json> SigningKey::sign(Json grant) const {
  const Key key = read_pem(pem_);
  const DigestContext context(EVP_MD_CTX_new());
  const std::string text = canonical_text(grant);
  std::string signature(kSignatureBytes, '\0');
  std::size_t size = signature.size();
  if (key == nullptr || context == nullptr ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     as_bytes(text), text.size()) != 1)
    return libcrypto_failed("sign a grant");
  return Json{{"grant", std::move(grant)},
              {"key_id", public_key_.key_id},
              {"algorithm", "ed25519"},
              {"signature", encode_base64(signature)}};
}

Result<void> verify_signature(const Json& signed_grant, const PublicKey& public_key) {
  prepare_libcrypto();
  const auto key_bytes = decode_base64(public_key.base64, kPublicKeyBytes);
  const Key key(key_bytes ? EVP_PKEY_new_raw_public_key_ex(nullptr, "ED25519", nullptr,
                                                           as_bytes(*key_bytes), kPublicKeyBytes)
                          : nullptr);
  if (key == nullptr)
    return failure(errc::kInvalidInput, fmt::format("key {} is no Ed25519 public key in base64",
                                                    printable(public_key.key_id)));
  const auto signature =
      decode_base64(signed_grant.at("signature").get_ref<const std::string&>(), kSignatureBytes);
  const std::string text = canonical_text(signed_grant.at("grant"));
  const DigestContext context(EVP_MD_CTX_new());
  const bool valid =
      signature && context != nullptr &&
      EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
      EVP_DigestVerify(context.get(), as_bytes(*signature), kSignatureBytes, as_bytes(text),
                       text.size()) == 1;
  ERR_clear_error();
  if (!valid)
    return failure(errc::kUnauthorized, fmt::format("the grant does not carry key {}'s signature",
                                                    printable(public_key.key_id)));
  return {};
}

}  // namespace workctl
