#include "cli/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace workctl::cli {

namespace {

/// Edits that turn `a` into `b`; a swap of neighbours is one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return cost[i * columns + j];
  };
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      const std::size_t substitution = a[i - 1] == b[j - 1] ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  // Beyond this nobody would call it the same word; it also bounds the table above.
  constexpr std::size_t kWordMax = 64;
  if (word.empty() || word.size() > kWordMax) return {};
  std::string_view best;
  std::size_t best_distance = word.size() / 3 + 2;
  for (const std::string_view candidate : candidates) {
    const bool begins = word.size() >= 3 && candidate.starts_with(word);
    const std::size_t distance = begins ? 1 : edit_distance(word, candidate);
    if (distance >= best_distance || distance >= candidate.size()) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates,
                       std::string_view otherwise) {
  const std::string_view candidate = nearest(word, candidates);
  return candidate.empty() ? std::string(otherwise) : fmt::format("did you mean {}?", candidate);
}

}  // namespace workctl::cli
