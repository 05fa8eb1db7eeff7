#pragma once

/// What is fuzzed: functions that take any bytes and end the process when something is not as it
/// must be.

#include <span>
#include <string_view>

namespace workctl::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
};

/// All of them. Inputs for each are in `corpus/NAME/`.
std::span<const Target> targets();
/// Null when there is none of that name.
const Target* find_target(std::string_view name);

/// Ends the process, saying what should have held.
void demand(bool holds, std::string_view what);

/// One JSON value: what can be read has a canonical text that reads back as the same.
void fuzz_json(std::string_view input);
/// Two JSON values, a line each: the patch from one to the other leads there, and any patch (a
/// third line) applies or is refused.
void fuzz_patch(std::string_view input);
/// The body of a log line: what can be decoded is the same when it is encoded and decoded again.
void fuzz_line(std::string_view input);
/// A log, a line each of the input: one that begins with `!` as it is, others as bodies that get
/// the digest they need. Readers, writers, verify, repair and salvage agree about it, and only
/// those change it that may.
void fuzz_log(std::string_view input);
/// Operations of `batch`, a line each: each is answered, and every document stays a workload.
void fuzz_operation(std::string_view input);
/// A legacy file: it is taken over whole, or refused and nothing is.
void fuzz_legacy(std::string_view input);

}  // namespace workctl::fuzz
