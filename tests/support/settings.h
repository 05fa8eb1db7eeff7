#pragma once

/// How much is tried, and which of it: set in the environment.

#include <cstdint>
#include <cstdlib>

namespace workctl {

/// The number in the environment variable `name`, or `fallback`.
inline std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

}  // namespace workctl
