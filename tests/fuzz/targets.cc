#include "fuzz/targets.h"

#include <cstdio>
#include <cstdlib>

namespace workctl::fuzz {

namespace {

constexpr Target kTargets[] = {{"json", fuzz_json},           {"patch", fuzz_patch},
                               {"line", fuzz_line},           {"log", fuzz_log},
                               {"operation", fuzz_operation}, {"legacy", fuzz_legacy}};

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  for (const Target& target : kTargets)
    if (target.name == name) return &target;
  return nullptr;
}

void demand(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace workctl::fuzz
