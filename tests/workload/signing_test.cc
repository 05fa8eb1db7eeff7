#include "workctl/workload/signing.h"

#include <doctest/doctest.h>

#include "workctl/base/digest.h"
#include "workload/bench.h"

namespace workctl {
namespace {

// The first key of RFC 8032, section 7.1, in the form that `openssl genpkey` writes.
constexpr const char* kPem =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";
constexpr const char* kPublic = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

TEST_CASE("signing: a key from PEM has the public key of the standard") {
  const auto key = SigningKey::from_pem(kPem);
  REQUIRE_MESSAGE(key, key.error().message);
  CHECK(key->public_key().base64 == kPublic);
  CHECK(key->public_key().key_id == "key_21fe31dfa154a261626bf854");
  CHECK(key->pem() == kPem);
}

TEST_CASE("signing: a signature is over the canonical text, and nothing else carries it") {
  const auto key = SigningKey::from_pem(kPem);
  const auto other = SigningKey::generate();
  REQUIRE(key);
  REQUIRE(other);
  const auto signed_grant = key->sign({{"b", 1}, {"a", "\u00e9"}});
  REQUIRE(signed_grant);
  CHECK(signed_grant->at("grant") == Json{{"a", "\u00e9"}, {"b", 1}});
  CHECK(signed_grant->at("key_id") == key->public_key().key_id);
  CHECK(signed_grant->at("algorithm") == "ed25519");
  CHECK(verify_signature(*signed_grant, key->public_key()));
  CHECK(code_of(verify_signature(*signed_grant, other->public_key())) == "WORKLOAD_UNAUTHORIZED");
  for (const Json& tampered : {Json{{"a", "\u00e9"}, {"b", 2}}, Json{{"a", "\u00e9"}, {"b", 1.0}},
                               Json{{"a", "\u00e9"}}, Json{{"a", "\u00e9"}, {"b", 1}, {"c", 1}}}) {
    Json forged = *signed_grant;
    forged["grant"] = tampered;
    CHECK(code_of(verify_signature(forged, key->public_key())) == "WORKLOAD_UNAUTHORIZED");
  }
}

TEST_CASE("signing: signing is repeatable, and a made key reads back") {
  const auto made = SigningKey::generate();
  REQUIRE(made);
  const auto read = SigningKey::from_pem(made->pem());
  REQUIRE(read);
  CHECK(read->public_key().base64 == made->public_key().base64);
  CHECK(made->sign({{"a", 1}}).value() == read->sign({{"a", 1}}).value());
  CHECK(SigningKey::generate().value().pem() != made->pem());
}

TEST_CASE("signing: every flipped bit and every other spelling of a signature is refused") {
  const auto key = SigningKey::from_pem(kPem);
  REQUIRE(key);
  const Json good = key->sign({{"a", 1}}).value();
  const auto text = good.at("signature").get<std::string>();
  const auto refused = [&](const std::string& signature) {
    Json forged = good;
    forged["signature"] = signature;
    return code_of(verify_signature(forged, key->public_key())) == "WORKLOAD_UNAUTHORIZED";
  };
  CHECK_FALSE(refused(text));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string altered = text;
    altered[i] = altered[i] == 'A' ? 'B' : 'A';
    CHECK(refused(altered));
  }
  for (const std::string& other :
       {std::string(), text.substr(1), text + "\n", " " + text, text + "AAAA",
        text.substr(0, text.size() - 2), text.substr(0, text.size() - 2) + "A="})
    CHECK(refused(other));
}

TEST_CASE("signing: what is no Ed25519 key is refused, without asking for a passphrase") {
  constexpr const char* kElliptic =
      "-----BEGIN PRIVATE KEY-----\n"
      "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbwk1h4mQLOsOCuR7\n"
      "QptuX4O9FZhINfKshbflsvYX3NGhRANCAAQ7g7imvEdKEMz0OaKey+/m4lNRQEzX\n"
      "F31OkzkWGvIhyf7mI/XeXtvsKmjKI9k8mzxD+8yzgHreC2YPZ99BqOtj\n"
      "-----END PRIVATE KEY-----\n";
  constexpr const char* kEncrypted =
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
      "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgjgkxCBZQByQICCAAw\n"
      "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEENuQZNI9x66U0zYyqsbQswMEQLnH\n"
      "JLxZyMAc24MvOsOiK3Rjy2Nru4ba63xkKvbdD1GmsWlPSxPXQV2R+HAfA3q7D2wd\n"
      "wWtP9Ze2oN/YUfCuY0o=\n"
      "-----END ENCRYPTED PRIVATE KEY-----\n";
  for (const char* pem : {"", "x", kPublic, kElliptic, kEncrypted}) {
    const auto key = SigningKey::from_pem(pem);
    CHECK(code_of(key) == "INVALID_INPUT");
    CHECK_FALSE(key.error().hint.empty());
  }
}

TEST_CASE("signing: a public key that is none is the caller's mistake") {
  const Json good = SigningKey::from_pem(kPem).value().sign({{"a", 1}}).value();
  for (const char* base64 : {"", "AAAA", "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo"})
    CHECK(code_of(verify_signature(good, {"key_x", base64})) == "INVALID_INPUT");
}

}  // namespace
}  // namespace workctl
