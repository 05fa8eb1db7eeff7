#include "workctl/base/digest.h"

#include <doctest/doctest.h>

namespace workctl {

TEST_CASE("digest: SHA-256 of the standard's examples") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("digest: it does not matter in how many pieces the bytes come") {
  const std::string bytes(300, 'x');
  Sha256 running;
  for (std::size_t i = 0; i < bytes.size(); i += 7) running.update(bytes.substr(i, 7));
  CHECK(running.update("").finish() == sha256_hex(bytes));
}

TEST_CASE("digest: a copy goes its own way") {
  Sha256 first;
  first.update("ab");
  Sha256 second = first;
  second.update("x");
  CHECK(first.update("c").finish() == sha256_hex("abc"));
  CHECK(second.finish() == sha256_hex("abx"));
}

}  // namespace workctl
