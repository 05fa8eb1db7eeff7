#include "workctl/base/clock.h"

#include <ctime>
#include <limits>

namespace workctl {

Instant SystemClock::now() const {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec;
}

Instant add_milliseconds(Instant instant, std::uint64_t milliseconds) {
  // A u64 divided by 1000 always fits an Instant.
  const auto seconds = static_cast<Instant>(milliseconds / 1000);
  Instant sum = 0;
  return __builtin_add_overflow(instant, seconds, &sum) ? std::numeric_limits<Instant>::max() : sum;
}

}  // namespace workctl
