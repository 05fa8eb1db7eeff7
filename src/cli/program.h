#pragma once

/// A whole run of workctl, from its words to its exit status.

#include <span>
#include <string>

namespace workctl::cli {

/// Parses `words` (without the program's name), runs the command they name and prints what came of
/// it. Gives the exit status. Output is flushed; nothing that it leaves open needs closing.
int run_program(std::span<const std::string> words);

}  // namespace workctl::cli
