#pragma once

/// Which calls of a story something happens to, and how much that was.

#include <algorithm>
#include <cstdint>

#include "support/settings.h"

namespace workctl {

/// Counts what was explored, for the report.
struct Figures {
  std::uint64_t crash_points = 0;
  std::uint64_t images = 0;
};

/// 1: every call is tried. More, set by WORKCTL_CRASH_STEP: one in so many.
inline std::uint64_t crash_step() {
  return std::max<std::uint64_t>(setting("WORKCTL_CRASH_STEP", 1), 1);
}

/// The first call that is tried, from 1: WORKCTL_SEED decides it.
inline std::uint64_t first_crash_point() { return 1 + setting("WORKCTL_SEED", 1) % crash_step(); }

/// Whether this call, from 1, is tried.
inline bool is_crash_point(std::uint64_t call) {
  return call % crash_step() == first_crash_point() % crash_step();
}

}  // namespace workctl
