#pragma once

/// From the words of a command line to the options they name. The only user of the parsing library;
/// nothing here looks at what a value means.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace workctl::cli {

/// An option or positional as it was written.
struct Given {
  const Option* option;
  std::string text;  ///< empty for a flag
};

struct CommandLine {
  const Command* command = nullptr;  ///< null: none was named
  std::vector<Given> given{};  ///< in the order of the tables, repeats in the order of the line
};

/// Reads `words` (without the program's name). Global options are taken before and after the
/// command's name; `--` ends options. `kInvalidInput`, with a suggestion where something is close,
/// for an unknown command or option, a missing or repeated value, a value for a flag and too many
/// positionals.
Result<CommandLine> parse_command_line(std::span<const std::string> words);

/// The command that `words` seem to name, whatever else is wrong with them; null when none. For
/// messages.
const Command* named_command(std::span<const std::string> words);

/// The format that `words` ask for, as far as it can be told without parsing them: for telling a
/// script of an error in the words themselves. Empty when none.
std::string_view requested_format(std::span<const std::string> words);

}  // namespace workctl::cli
