#pragma once

/// Help, rendered from the table of commands. No line is wider than a usual terminal.

#include <string>
#include <string_view>

#include "cli/command.h"

namespace workctl::cli {

/// What `workctl --help` prints: commands by group, global options, exit codes.
std::string general_help();

/// What `workctl COMMAND --help` prints: purpose, usage, options, examples.
std::string command_help(const Command& command);

/// One line: how to call it.
std::string usage(const Command& command);

}  // namespace workctl::cli
