#pragma once

/// Values of options and positionals, converted and within their limits.

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/parse.h"
#include "workctl/base/clock.h"
#include "workctl/base/json.h"

namespace workctl::cli {

/// Looks up an environment variable; null when it is not set.
using Environment = std::function<const char*(const char* name)>;

/// By kind: nothing for a flag; text; a count or milliseconds; an integer or instant; JSON.
using Value = std::variant<std::monostate, std::string, std::uint64_t, std::int64_t, Json>;

/// Converts one text. `label` (the option or variable it came from) begins every message; `now` is
/// what relative instants count from.
Result<Value> read_value(const Option& option, const std::string& text, std::string_view label,
                         Instant now, Input& input);

class Arguments {
 public:
  /// Takes those of `given` that belong to `options`, then what environment variables and defaults
  /// give for the rest. Which options there are can be asked at once, their values after `convert`.
  static Arguments collect(std::span<const Given> given, std::span<const Option* const> options,
                           const Environment& environment);

  /// Converts every value, reading what `@FILE` and the like name. `kInvalidInput`, naming the
  /// option or variable, for one that cannot be used.
  Result<void> convert(Instant now, Input& input);

  /// `kInvalidInput`, naming the option, unless every required one of `options` has a value.
  Result<void> check_required(std::span<const Option* const> options) const;

  /// Whether it has a value, wherever from.
  bool has(const Option& option) const { return find(option) != nullptr; }
  /// Whether it stands in the command line itself.
  bool given(const Option& option) const;

  // The value of an option that has one. Asking for another is a defect of the caller (it throws).
  const std::string& text(const Option& option) const { return get<std::string>(option); }
  std::uint64_t count(const Option& option) const { return get<std::uint64_t>(option); }
  std::uint64_t duration_ms(const Option& option) const { return get<std::uint64_t>(option); }
  std::int64_t integer(const Option& option) const { return get<std::int64_t>(option); }
  Instant instant(const Option& option) const { return get<std::int64_t>(option); }
  const Json& json(const Option& option) const { return get<Json>(option); }

  /// Its value, or `otherwise`.
  std::string text_or(const Option& option, std::string_view otherwise) const {
    return has(option) ? text(option) : std::string(otherwise);
  }
  /// Its value, or nothing.
  std::optional<std::string> optional_text(const Option& option) const;
  std::optional<std::uint64_t> optional_count(const Option& option) const;

  /// All values of a repeatable option, in their order.
  std::vector<std::string> texts(const Option& option) const;
  std::set<std::string> text_set(const Option& option) const;
  /// The value of any option as a document holds it; an array of all for a repeatable one.
  Json document_value(const Option& option) const;

 private:
  enum class Source { kLine, kVariable, kFallback };
  struct Entry {
    const Option* option;
    Source source;
    std::string text;
    Value value;
  };

  const Entry* find(const Option& option) const;
  template <class T>
  const T& get(const Option& option) const {
    const Entry* entry = find(option);
    return std::get<T>(entry != nullptr ? entry->value : absent_);
  }

  std::vector<Entry> entries_;
  Value absent_{};
};

}  // namespace workctl::cli
