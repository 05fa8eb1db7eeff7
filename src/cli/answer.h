#pragma once

/// What a command hands back, before it is known in which form it will be printed.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workctl/base/json.h"

namespace workctl::cli {

struct Answer {
  /// One value; for a list what is true of the whole list.
  Json value{};
  /// The items of a list. `-o json` adds them to `value` as `items`, `-o jsonl` prints them a line
  /// each.
  std::optional<std::vector<Json>> items{};
  /// What is printed where text is asked for, in place of the command's description.
  std::optional<std::string> text{};
  /// Not 0 where the command does not end in success although it has an answer.
  int exit_status = 0;
};

/// A shell variable of `-o env`.
struct Assignment {
  std::string_view variable;
  std::string value;
};

/// How text for people is laid out.
struct Style {
  bool color = false;
  std::size_t width = 0;  ///< columns of the terminal; 0 where there is none
};

}  // namespace workctl::cli
