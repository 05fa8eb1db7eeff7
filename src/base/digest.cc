#include "workctl/base/digest.h"

// The calls are deprecated in favour of EVP, which first has to load a provider: see the header.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <new>

#include "base/hex.h"

namespace workctl {
namespace {

SHA256_CTX* context_of(std::byte* storage) {
  return std::launder(reinterpret_cast<SHA256_CTX*>(storage));
}

}  // namespace

Sha256::Sha256() {
  static_assert(sizeof(SHA256_CTX) <= sizeof(context_) && alignof(SHA256_CTX) <= 8);
  SHA256_Init(new (context_.data()) SHA256_CTX);
}

Sha256& Sha256::update(std::string_view bytes) {
  SHA256_Update(context_of(context_.data()), bytes.data(), bytes.size());
  return *this;
}

std::string Sha256::finish() {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256_Final(digest.data(), context_of(context_.data()));
  std::string hex;
  hex.reserve(kDigestHexLength);
  for (const unsigned char byte : digest) append_hex(byte, hex);
  return hex;
}

std::string sha256_hex(std::string_view bytes) { return Sha256().update(bytes).finish(); }

}  // namespace workctl
