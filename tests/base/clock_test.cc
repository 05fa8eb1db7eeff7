#include "workctl/base/clock.h"

#include <doctest/doctest.h>

#include <limits>

namespace workctl {

TEST_CASE("clock: milliseconds are rounded down to seconds") {
  CHECK(add_milliseconds(100, 0) == 100);
  CHECK(add_milliseconds(100, 999) == 100);
  CHECK(add_milliseconds(100, 1000) == 101);
  CHECK(add_milliseconds(-100, 1999) == -99);
}

TEST_CASE("clock: sums stop at the end of the range") {
  constexpr Instant kLast = std::numeric_limits<Instant>::max();
  CHECK(add_milliseconds(kLast, 999) == kLast);
  CHECK(add_milliseconds(kLast - 1, 1000) == kLast);
  CHECK(add_milliseconds(kLast - 1, 5000) == kLast);
  CHECK(add_milliseconds(0, std::numeric_limits<std::uint64_t>::max()) == 18446744073709551);
}

TEST_CASE("clock: a manual clock stands still") {
  ManualClock clock(7);
  CHECK(clock.now() == 7);
  clock.set(-3);
  CHECK(clock.now() == -3);
}

TEST_CASE("clock: the system's clock is past the year this was written in") {
  CHECK(SystemClock().now() > 1'700'000'000);
}

}  // namespace workctl
