#pragma once

/// Did you mean ...?

#include <span>
#include <string>
#include <string_view>

namespace workctl::cli {

/// The candidate that `word` is most likely a misspelling of, by insertions, deletions,
/// substitutions and swaps of neighbours; empty when none is close.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// `did you mean CANDIDATE?` for the nearest, else `otherwise`.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates,
                       std::string_view otherwise);

}  // namespace workctl::cli
