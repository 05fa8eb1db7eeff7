#pragma once

/// A command as data: what it is called, what it takes, what it needs opened, how its answer reads,
/// and the function that does it.
///
/// From these values come the calls to the parser, `--help`, the OPTIONS of the manual pages, the
/// completions, and the test that every example parses.

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/answer.h"
#include "workctl/base/error.h"

namespace workctl::cli {

class Arguments;
class Context;

/// What the text of a value must be, and what `Arguments` makes of it.
enum class ValueKind {
  kFlag,        ///< takes no value
  kName,        ///< text that is not empty
  kText,        ///< any text; `@FILE` and `@-` read it, `@@` stands for `@`
  kJson,        ///< a JSON value; `@FILE` and `@-` read it
  kJsonFile,    ///< a JSON value, from the file of that path or `-` for standard input
  kFile,        ///< a path, or `-` for standard input, to be read piece by piece
  kDirectory,   ///< a path
  kDuration,    ///< u64 milliseconds, from `2h30m`
  kInstant,     ///< unix seconds, from RFC 3339, a number or `+15m`
  kCount,       ///< u64
  kInteger,     ///< i32
  kChoice,      ///< one of `choices`
  kState,       ///< a workload's state
  kSubject,     ///< `KIND:ID`, as {"kind", "id"}
  kDependency,  ///< `ID[=STATE]`, as {"workload_id", "required_state"}
};

/// An option (`--lease`) or, where its name begins with no dash, a positional (`ID`).
struct Option {
  std::string_view name;
  char letter = 0;  ///< of the short form, or 0
  ValueKind kind = ValueKind::kFlag;
  std::string_view value_name{};     ///< for help; empty for a flag
  std::string_view help{};           ///< a phrase, without a capital and a full stop
  std::string_view variable{};       ///< environment variable that stands in for it
  std::string_view fallback{};       ///< text of its value where neither is given
  std::string_view fallback_note{};  ///< for help, where the default is computed
  bool required = false;
  bool repeatable = false;  ///< its variable then holds several, separated by commas
  std::span<const std::string_view> choices{};
  std::uint64_t minimum = 0;  ///< of a count, or of a duration in milliseconds
  std::uint64_t maximum = std::numeric_limits<std::uint64_t>::max();

  bool positional() const { return !name.starts_with('-'); }
};

struct Example {
  std::string_view line;  ///< as typed into a POSIX shell
  std::string_view explanation;
};

enum class Group { kStore, kProduce, kWork, kOperate, kShell };

/// What is opened before a command runs.
enum class Needs {
  kNothing,
  kStoreDirectory,  ///< the path of a store, which need not be there
  kStore,
};

struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line, a verb first
  Group group = Group::kStore;
  Needs needs = Needs::kStore;
  std::span<const Option* const> positionals{};
  std::span<const Option* const> options{};  ///< without the global ones
  std::string_view notes{};                  ///< paragraphs for help, separated by an empty line
  std::span<const Example> examples{};

  /// Does it. Neither parses nor prints.
  Result<Answer> (*run)(const Arguments& arguments, Context& context) = nullptr;
  /// Refuses arguments that do not go together, before any value is read; may be null.
  Result<void> (*check)(const Arguments& arguments) = nullptr;
  /// The answer for people; null for a command that only answers in JSON lines.
  std::string (*describe)(const Answer& answer, const Style& style) = nullptr;
  /// What `-o env` assigns; null where that makes no sense.
  std::vector<Assignment> (*assign)(const Answer& answer) = nullptr;
  bool answers_ids = false;  ///< whether `-o id` makes sense
};

}  // namespace workctl::cli
