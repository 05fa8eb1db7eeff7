#include "cli/shell_text.h"

#include <fmt/format.h>

namespace workctl::cli {

std::string shell_quote(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  quoted += '\'';
  return quoted;
}

Result<std::string> assignments_text(const std::vector<Assignment>& assignments) {
  std::string text;
  for (const Assignment& assignment : assignments) {
    if (assignment.value.find('\0') != std::string::npos)
      return failure(
          errc::kInvalidInput,
          fmt::format("{} cannot be assigned: its value holds a NUL", assignment.variable));
    text += fmt::format("export {}={}\n", assignment.variable, shell_quote(assignment.value));
  }
  return text;
}

std::string failed_assignments_text(int exit_status) {
  return fmt::format("unset WORKCTL_WORKLOAD WORKCTL_CLAIM WORKCTL_TOKEN; (exit {})\n",
                     exit_status);
}

}  // namespace workctl::cli
