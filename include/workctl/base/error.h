#pragma once

/// What a failed call hands back: a code for programs, a sentence for people.
///
/// The library neither prints nor throws: every call that can fail returns `Result<T>`. Exceptions
/// of the libraries underneath are caught where they are called. A code is a name; each layer
/// declares its own beside the calls that answer it, and the command line maps names to exit codes
/// in one table.

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace workctl {

/// A named kind of failure. Two codes are the same when their names are. The name is part of the
/// contract with scripts: it never changes.
struct ErrorCode {
  std::string_view name;
  friend constexpr bool operator==(ErrorCode, ErrorCode) = default;
};

namespace errc {
/// What the caller gave cannot be used; nothing was looked at or changed because of it.
inline constexpr ErrorCode kInvalidInput{"INVALID_INPUT"};
/// The operating system refused a call; the message names the call, the file and its reason.
inline constexpr ErrorCode kIoFailure{"IO_FAILURE"};
/// A defect of this program. The message says which expectation did not hold.
inline constexpr ErrorCode kBug{"BUG"};
}  // namespace errc

struct Error {
  ErrorCode code;
  /// One sentence, lower case, the most specific thing first; names the file, line and byte, the
  /// option, or the workload and instant that matter.
  std::string message;
  /// What to do about it, or empty.
  std::string hint{};
  /// The workload concerned, or empty.
  std::string workload_id{};
};

template <class T>
using Result = std::expected<T, Error>;

/// `return failure(errc::kInvalidInput, "...")` from any function that returns a Result.
inline std::unexpected<Error> failure(ErrorCode code, std::string message, std::string hint = {}) {
  return std::unexpected(Error{code, std::move(message), std::move(hint)});
}

}  // namespace workctl

#define WORKCTL_CONCAT_INNER(a, b) a##b
#define WORKCTL_CONCAT(a, b) WORKCTL_CONCAT_INNER(a, b)

/// Leaves the function with the error of `expression` (a Result<void>, or one whose value is not
/// wanted), else goes on.
#define WORKCTL_CHECK(expression)                                \
  do {                                                           \
    if (auto checked_result = (expression); !checked_result)     \
      return std::unexpected(std::move(checked_result).error()); \
  } while (false)

/// Declares or assigns `target` from the value of `expression`, or leaves the function with its
/// error: `WORKCTL_TRY(auto text, read_text(file));`
#define WORKCTL_TRY(target, expression)                                                 \
  auto WORKCTL_CONCAT(tried_result_, __LINE__) = (expression);                          \
  if (!WORKCTL_CONCAT(tried_result_, __LINE__))                                         \
    return std::unexpected(std::move(WORKCTL_CONCAT(tried_result_, __LINE__)).error()); \
  target = *std::move(WORKCTL_CONCAT(tried_result_, __LINE__))
