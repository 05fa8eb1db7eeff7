#include <nlohmann/json.hpp>

#include "fuzz/targets.h"
#include "workctl/base/json_patch.h"

namespace workctl::fuzz {

void fuzz_json(std::string_view input) {
  const auto value = parse_json(input, "input");
  if (!value) {
    demand(value.error().message.starts_with("input"), "a refusal names what was read");
    return;
  }
  const std::string text = canonical_text(*value);
  const auto again = parse_json(text, "canonical text");
  demand(again.has_value(), "canonical text can be read");
  demand(canonical_text(*again) == text, "canonical text is a fixed point");
  demand(same_value(*again, *value), "canonical text keeps the value");
}

void fuzz_patch(std::string_view input) {
  const std::size_t first = input.find('\n');
  if (first == std::string_view::npos) return;
  const std::size_t second = std::min(input.find('\n', first + 1), input.size());
  const auto from = parse_json(input.substr(0, first), "from");
  const auto to = parse_json(input.substr(first + 1, second - first - 1), "to");
  if (!from || !to) return;
  const Json patch = make_patch(*from, *to);
  demand(patch.empty() == same_value(*from, *to), "no patch means no difference");
  Json patched = *from;
  demand(apply_patch(patched, patch).has_value(), "a patch applies to what it was made from");
  demand(same_value(patched, *to), "a patch leads to what it was made for");
  if (second >= input.size()) return;
  if (const auto any = parse_json(input.substr(second + 1), "patch"); any)
    static_cast<void>(apply_patch(patched, *any));
}

}  // namespace workctl::fuzz
