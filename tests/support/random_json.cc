#include "support/random_json.h"

#include <array>
#include <utility>

namespace workctl {

std::size_t RandomJson::below(std::size_t bound) {
  return static_cast<std::size_t>(engine_() % bound);
}

Json RandomJson::scalar() {
  static const std::array<Json, 14> kScalars = {
      nullptr, true,      false, 0,   0.0, -0.0, 1, 1.0, -1, 18446744073709551615U,
      "",      "a~b/\"c", "1",   1e21};
  return kScalars[below(kScalars.size())];
}

std::string RandomJson::name() {
  static const std::array<const char*, 9> kNames = {"",    "a", "b/c", "~",         "~1",
                                                    "/~0", "-", "0",   "\xC3\xA9\n"};
  return kNames[below(kNames.size())];
}

Json RandomJson::value(int depth) {
  const std::size_t kind = depth == 0 ? 0 : below(3);
  if (kind == 0) return scalar();
  Json made = kind == 1 ? Json::array() : Json::object();
  for (std::size_t count = below(5); count > 0; --count) {
    if (kind == 1) {
      made.push_back(value(depth - 1));
    } else {
      made[name()] = value(depth - 1);
    }
  }
  return made;
}

Json RandomJson::changed(Json from, int depth) {
  if (below(8) == 0) return value(depth);
  if (from.is_object()) {
    for (auto& member : from) {
      if (below(3) == 0) member = changed(std::move(member), depth - 1);
    }
    if (below(4) == 0) from.erase(name());
    if (below(4) == 0) from[name()] = value(depth - 1 > 0 ? depth - 1 : 0);
  } else if (from.is_array()) {
    for (auto& element : from) {
      if (below(3) == 0) element = changed(std::move(element), depth - 1);
    }
    if (below(4) == 0 && !from.empty()) from.erase(below(from.size()));
    for (std::size_t count = below(3); count > 0; --count) from.push_back(scalar());
  }
  return from;
}

}  // namespace workctl
