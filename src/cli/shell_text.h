#pragma once

/// Text that a POSIX shell reads back exactly.

#include <string>
#include <string_view>
#include <vector>

#include "cli/answer.h"
#include "workctl/base/error.h"

namespace workctl::cli {

/// `text` as one word: in single quotes, whatever it holds. It must not hold a NUL.
std::string shell_quote(std::string_view text);

/// `export VARIABLE='VALUE'`, a line each. `kInvalidInput` for a value that holds a NUL, which no
/// shell variable can.
Result<std::string> assignments_text(const std::vector<Assignment>& assignments);

/// What `-o env` prints in place of assignments: leaves nothing of an earlier claim behind, and
/// gives `eval` the exit status, which it would take for success had nothing been printed.
std::string failed_assignments_text(int exit_status);

}  // namespace workctl::cli
