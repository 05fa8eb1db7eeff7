#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "cli/arguments.h"
#include "cli/suggestion.h"
#include "workctl/base/text.h"
#include "workctl/base/time_text.h"
#include "workctl/workload/state.h"

namespace workctl::cli {

namespace {

constexpr std::array<std::string_view, 6> kSubjectKinds = {"human", "service",    "workload",
                                                           "agent", "connection", "worker"};

std::unexpected<Error> refuse(std::string_view label, std::string_view problem) {
  return failure(errc::kInvalidInput, fmt::format("{}: {}", label, problem));
}

/// Puts `label` before the message of a failure.
template <class T>
Result<T> labelled(Result<T> result, std::string_view label) {
  if (!result) result.error().message = fmt::format("{}: {}", label, result.error().message);
  return result;
}

/// A whole decimal number; no sign but `-`, no other base.
template <class T>
Result<T> read_number(const std::string& text, std::string_view label, T minimum, T maximum) {
  T number{};
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  const bool digits =
      !text.empty() &&
      text.find_first_not_of("0123456789", text[0] == '-' ? 1 : 0) == std::string::npos;
  if (!digits || text == "-")
    return refuse(label, fmt::format("\"{}\" is not a whole number", text));
  if (problem != std::errc{} || rest != end || number < minimum || number > maximum) {
    if (maximum == std::numeric_limits<T>::max() && problem != std::errc::result_out_of_range)
      return refuse(label, fmt::format("must be at least {}, not {}", minimum, text));
    return refuse(label, fmt::format("must be from {} to {}, not {}", minimum, maximum, text));
  }
  return number;
}

/// Follows `@FILE`, `@-` and `@@`; what it read is told to messages by `label`.
Result<std::string> follow(const std::string& text, std::string& label, Input& input) {
  if (!text.starts_with('@')) return text;
  if (text.starts_with("@@")) return text.substr(1);
  const std::string path = text.substr(1);
  if (path.empty()) return refuse(label, "\"@\" names no file (@FILE, or @- for standard input)");
  WORKCTL_TRY(std::string content, input.read(path, kInputBytesMax, label));
  label = fmt::format("{} {}", label, text);
  return content;
}

Result<Value> read_text(const std::string& text, std::string label, Input& input) {
  WORKCTL_TRY(std::string content, follow(text, label, input));
  if (!is_valid_utf8(content)) return refuse(label, "not valid UTF-8");
  return Value(std::move(content));
}

Result<Value> read_json(const std::string& text, std::string label, Input& input) {
  WORKCTL_TRY(std::string content, follow(text, label, input));
  WORKCTL_TRY(Json json, parse_json(content, label));
  return Value(std::move(json));
}

Result<Value> read_json_file(const std::string& path, std::string_view label, Input& input) {
  WORKCTL_TRY(const std::string content, input.read(path, kInputBytesMax, label));
  WORKCTL_TRY(Json json, parse_json(content, fmt::format("{} {}", label, path)));
  return Value(std::move(json));
}

Result<std::string> read_state(const std::string& text, std::string_view label) {
  std::string name;
  for (const char c : ascii_lower(text))
    name += c == '-' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  if (parse_state(name)) return name;
  std::vector<std::string_view> names;
  for (const State state : all_states()) names.push_back(state_name(state));
  return failure(errc::kInvalidInput, fmt::format("{}: \"{}\" is not a state", label, text),
                 suggestion(name, names, fmt::format("states are {}", fmt::join(names, ", "))));
}

Result<Value> read_choice(const Option& option, const std::string& text, std::string_view label) {
  if (std::ranges::find(option.choices, text) != option.choices.end()) return Value(text);
  return failure(
      errc::kInvalidInput,
      fmt::format("{}: \"{}\" is none of {}", label, text, fmt::join(option.choices, ", ")),
      suggestion(text, option.choices, {}));
}

Result<Value> read_subject(const std::string& text, std::string_view label) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (colon == std::string::npos || colon + 1 == text.size())
    return refuse(label, fmt::format("\"{}\" is not KIND:ID, such as human:ada", text));
  if (std::ranges::find(kSubjectKinds, kind) == kSubjectKinds.end())
    return failure(errc::kInvalidInput,
                   fmt::format("{}: \"{}\" is not a kind of subject", label, kind),
                   suggestion(kind, kSubjectKinds,
                              fmt::format("kinds are {}", fmt::join(kSubjectKinds, ", "))));
  return Value(Json{{"kind", kind}, {"id", text.substr(colon + 1)}});
}

Result<Value> read_dependency(const std::string& text, std::string_view label) {
  const std::size_t equals = text.find('=');
  std::string state = "SUCCEEDED";
  if (equals == 0)
    return refuse(label, fmt::format("\"{}\" names no workload (ID or ID=STATE)", text));
  if (equals != std::string::npos) {
    WORKCTL_TRY(state, read_state(text.substr(equals + 1), label));
  }
  return Value(Json{{"workload_id", text.substr(0, equals)}, {"required_state", state}});
}

Result<Value> read_duration(const Option& option, const std::string& text, std::string_view label) {
  WORKCTL_TRY(const std::uint64_t duration_ms, labelled(parse_duration_ms(text), label));
  if (duration_ms < option.minimum)
    return refuse(label, fmt::format("must be at least {}, not {}",
                                     format_duration_ms(option.minimum), text));
  return Value(duration_ms);
}

Result<Value> read_count(const Option& option, const std::string& text, std::string_view label) {
  // A negative number is told that it is too small, not that it is no number.
  if (text.starts_with('-')) {
    WORKCTL_CHECK(
        read_number<std::int64_t>(text, label, std::numeric_limits<std::int64_t>::min(), 0));
    return refuse(label, fmt::format("must be at least {}, not {}", option.minimum, text));
  }
  WORKCTL_TRY(const std::uint64_t count,
              read_number<std::uint64_t>(text, label, option.minimum, option.maximum));
  return Value(count);
}

}  // namespace

Result<Value> read_value(const Option& option, const std::string& text, std::string_view label,
                         Instant now, Input& input) {
  if (!is_valid_utf8(text)) return refuse(label, "not valid UTF-8");
  if (text.empty() && option.kind != ValueKind::kText && option.kind != ValueKind::kFlag)
    return refuse(label, "must not be empty");
  switch (option.kind) {
    case ValueKind::kFlag:
      return Value();
    case ValueKind::kName:
    case ValueKind::kFile:
    case ValueKind::kDirectory:
      return Value(text);
    case ValueKind::kText:
      return read_text(text, std::string(label), input);
    case ValueKind::kJson:
      return read_json(text, std::string(label), input);
    case ValueKind::kJsonFile:
      return read_json_file(text, label, input);
    case ValueKind::kDuration:
      return read_duration(option, text, label);
    case ValueKind::kInstant: {
      WORKCTL_TRY(const Instant instant, labelled(parse_instant(text, now), label));
      return Value(instant);
    }
    case ValueKind::kCount:
      return read_count(option, text, label);
    case ValueKind::kInteger: {
      WORKCTL_TRY(const std::int64_t integer,
                  read_number<std::int64_t>(text, label, std::numeric_limits<std::int32_t>::min(),
                                            std::numeric_limits<std::int32_t>::max()));
      return Value(integer);
    }
    case ValueKind::kChoice:
      return read_choice(option, text, label);
    case ValueKind::kState: {
      WORKCTL_TRY(std::string state, read_state(text, label));
      return Value(std::move(state));
    }
    case ValueKind::kSubject:
      return read_subject(text, label);
    case ValueKind::kDependency:
      return read_dependency(text, label);
  }
  return failure(errc::kBug, fmt::format("{}: a kind of value without a reader", label));
}

}  // namespace workctl::cli
