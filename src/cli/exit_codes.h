#pragma once

/// Exit codes: what a script learns without reading anything. One table for the program, its help,
/// the manual page and the tests.

#include <span>
#include <string_view>

#include "workctl/base/error.h"

namespace workctl::errc {
/// The workload waits for others; `claim ID` takes it only when told to.
inline constexpr ErrorCode kDependenciesNotMet{"DEPENDENCIES_NOT_MET"};
/// Nothing wrong with it, but `--atomic` commits all or nothing and something else failed.
inline constexpr ErrorCode kNotCommitted{"NOT_COMMITTED"};
/// The store has another trust setting than `init` asked for.
inline constexpr ErrorCode kStoreDiffers{"STORE_DIFFERS"};
}  // namespace workctl::errc

namespace workctl::cli {

inline constexpr int kExitDone = 0;
inline constexpr int kExitInvalid = 2;
inline constexpr int kExitNothingNow = 8;
inline constexpr int kExitInputOutput = 11;
inline constexpr int kExitBug = 70;
/// 128 + SIGPIPE: the reader of standard output left.
inline constexpr int kExitBrokenPipe = 141;

struct ExitCode {
  int status;
  std::string_view meaning;
};

/// Every exit status that workctl ends with, ascending, with its meaning in one line.
std::span<const ExitCode> exit_codes();

struct ErrorRow {
  ErrorCode code;
  int status;
};

/// Every error code, with the exit status it leads to.
std::span<const ErrorRow> error_rows();

/// The exit status of an error; `kExitBug` for one that the table does not hold.
int exit_status(ErrorCode code);

}  // namespace workctl::cli
