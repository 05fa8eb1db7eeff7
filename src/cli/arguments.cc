#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>

namespace workctl::cli {

namespace {

std::vector<std::string> split_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return parts;
}

}  // namespace

Arguments Arguments::collect(std::span<const Given> given, std::span<const Option* const> options,
                             const Environment& environment) {
  Arguments arguments;
  for (const Option* option : options) {
    for (const Given& one : given)
      if (one.option == option) arguments.entries_.push_back({option, Source::kLine, one.text, {}});
    if (arguments.has(*option)) continue;
    const std::string variable(option->variable);
    const char* set = variable.empty() ? nullptr : environment(variable.c_str());
    if (set != nullptr && *set != '\0') {
      const auto texts =
          option->repeatable ? split_commas(set) : std::vector<std::string>{std::string(set)};
      for (const std::string& text : texts)
        arguments.entries_.push_back({option, Source::kVariable, text, {}});
    } else if (!option->fallback.empty()) {
      arguments.entries_.push_back({option, Source::kFallback, std::string(option->fallback), {}});
    }
  }
  return arguments;
}

Result<void> Arguments::convert(Instant now, Input& input) {
  for (Entry& entry : entries_) {
    const std::string_view label =
        entry.source == Source::kVariable ? entry.option->variable : entry.option->name;
    WORKCTL_TRY(entry.value, read_value(*entry.option, entry.text, label, now, input));
  }
  return {};
}

Result<void> Arguments::check_required(std::span<const Option* const> options) const {
  for (const Option* option : options) {
    if (!option->required || has(*option)) continue;
    std::string message = option->positional() ? fmt::format("no {} given", option->name)
                                               : fmt::format("option {} {} is needed", option->name,
                                                             option->value_name);
    return failure(errc::kInvalidInput, std::move(message),
                   option->variable.empty()
                       ? std::string()
                       : fmt::format("the variable {} can hold it, too", option->variable));
  }
  return {};
}

bool Arguments::given(const Option& option) const {
  const Entry* entry = find(option);
  return entry != nullptr && entry->source == Source::kLine;
}

std::optional<std::string> Arguments::optional_text(const Option& option) const {
  if (!has(option)) return std::nullopt;
  return text(option);
}

std::optional<std::uint64_t> Arguments::optional_count(const Option& option) const {
  if (!has(option)) return std::nullopt;
  return count(option);
}

std::vector<std::string> Arguments::texts(const Option& option) const {
  std::vector<std::string> all;
  for (const Entry& entry : entries_)
    if (entry.option == &option) all.push_back(std::get<std::string>(entry.value));
  return all;
}

std::set<std::string> Arguments::text_set(const Option& option) const {
  const std::vector<std::string> all = texts(option);
  return {all.begin(), all.end()};
}

Json Arguments::document_value(const Option& option) const {
  Json all = Json::array();
  for (const Entry& entry : entries_) {
    if (entry.option != &option) continue;
    all.push_back(std::visit(
        [](const auto& value) -> Json {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
            return true;
          else
            return value;
        },
        entry.value));
  }
  if (option.repeatable || all.empty()) return all;
  return all.front();
}

const Arguments::Entry* Arguments::find(const Option& option) const {
  const auto found = std::ranges::find(entries_, &option, &Entry::option);
  return found == entries_.end() ? nullptr : &*found;
}

}  // namespace workctl::cli
