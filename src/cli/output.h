#pragma once

/// Everything that a command prints. Standard output carries the answer alone, in the format that
/// was asked for; notices and errors go to standard error, as JSON lines where the answer is JSON.

#include <string>
#include <string_view>
#include <vector>

#include "cli/answer.h"
#include "cli/command.h"
#include "workctl/base/error.h"

namespace workctl::cli {

enum class Format { kText, kJson, kJsonLines, kIds, kEnvironment };

/// The format of that name; text for one that is none.
Format parse_format(std::string_view name);

/// Whether `command` can print `format`.
bool supports(const Command& command, Format format);

/// The names of the formats that `command` can print, the first being its usual one.
std::vector<std::string_view> format_names(const Command& command);

/// An error as scripts get it: `code`, `cause` where our name for it is another, `message`, and
/// `workload_id` and `hint` where there are any.
Json error_json(const Error& error);

class Output {
 public:
  struct Options {
    const Command* command = nullptr;  ///< null: none was recognised
    Format format = Format::kText;
    bool quiet = false;
    Style style{};
  };
  explicit Output(Options options) : options_(options) {}

  /// One sentence that a person should know, now. Not printed with `--quiet`.
  void notice(std::string_view sentence);

  Format format() const { return options_.format; }

  /// Whether a progress bar may be drawn on standard error.
  bool shows_progress() const;

  /// One item of a long answer, ahead of the rest. `flush` makes it leave the process.
  void item(Json item);
  /// An item that was refused: its line in the input, and why.
  void refused_item(std::uint64_t line, const Error& error);
  /// Hands what was printed so far to the system. False when it does not take it.
  bool flush();

  /// Prints help, a version or other plain text as the answer, and ends.
  int finish_text(std::string_view text);
  /// Prints the answer, or the error, and says which status the process ends with.
  int finish(Result<Answer> answer);

 private:
  void print(const Answer& answer);
  void print_error(const Error& error, int status);
  int flushed(int status);

  Options options_;
  std::string pending_{};      ///< for standard output
  std::vector<Json> items_{};  ///< of an answer that is printed whole
  bool streamed_ = false;      ///< whether `item` was called
  int write_error_ = 0;        ///< errno of the first failed write, or 0
};

}  // namespace workctl::cli
