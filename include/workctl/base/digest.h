#pragma once

/// SHA-256 (FIPS 180-4), through the part of libcrypto that needs no provider to be loaded: first
/// use of the EVP layer would cost a short process half a millisecond.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace workctl {

/// Characters of a digest in hex.
inline constexpr std::size_t kDigestHexLength = 64;

/// A running digest. `finish` ends it; the object is not to be used after.
class Sha256 {
 public:
  Sha256();
  Sha256& update(std::string_view bytes);
  /// Lower-case hex, 64 characters.
  std::string finish();

 private:
  // Room for libcrypto's SHA256_CTX, whose header stays out of ours.
  alignas(8) std::array<std::byte, 112> context_;
};

/// Lower-case hex SHA-256 of `bytes`.
std::string sha256_hex(std::string_view bytes);

}  // namespace workctl
