#pragma once

/// Where instants come from. Everything above takes an instant or a Clock, so that tests and
/// replays decide what time it is.

#include <cstdint>

namespace workctl {

/// Seconds since 1970-01-01T00:00:00Z, without leap seconds. Negative before.
using Instant = std::int64_t;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
};

/// The machine's wall clock.
class SystemClock final : public Clock {
 public:
  Instant now() const override;
};

/// Stands still until it is set.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Instant now) : now_(now) {}
  Instant now() const override { return now_; }
  void set(Instant now) { now_ = now; }

 private:
  Instant now_;
};

/// `instant` plus `milliseconds` (divided by 1000, rounding down), saturating at the ends of the
/// range.
Instant add_milliseconds(Instant instant, std::uint64_t milliseconds);

}  // namespace workctl
