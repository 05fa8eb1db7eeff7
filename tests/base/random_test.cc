#include "workctl/base/random.h"

#include <doctest/doctest.h>

namespace workctl {

TEST_CASE("random: two hex digits a byte, and never the same twice") {
  CHECK(random_hex(0).empty());
  for (const std::size_t byte_count : {1U, 16U, 1000U}) {
    const std::string hex = random_hex(byte_count);
    CHECK(hex.size() == 2 * byte_count);
    CHECK(hex.find_first_not_of("0123456789abcdef") == std::string::npos);
  }
  CHECK(random_hex(16) != random_hex(16));
}

}  // namespace workctl
