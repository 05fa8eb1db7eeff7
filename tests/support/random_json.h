#pragma once

/// JSON values made up from a seed, leaning towards what goes wrong: near-equal numbers, names that
/// need escaping, empty containers, shared structure.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>

#include "workctl/base/json.h"

namespace workctl {

class RandomJson {
 public:
  explicit RandomJson(std::uint64_t seed) : engine_(seed) {}

  /// A value with at most `depth` levels of containers.
  Json value(int depth);
  /// `value` with some of its parts changed, added or removed; sometimes none.
  Json changed(Json value, int depth);

 private:
  std::size_t below(std::size_t bound);
  Json scalar();
  std::string name();

  std::mt19937_64 engine_;
};

}  // namespace workctl
