#pragma once

/// Kills the real program between two of its system calls, chosen by their number.

#include <cstddef>
#include <string>

#include "processes/program.h"

namespace workctl {

struct KilledCall {
  Ended ended{};
  std::string name{};  ///< of the call before which it was killed; empty when it had ended by then
};

/// Runs `workctl WORDS` and kills it before the call number `number`, from 0. The calls count from
/// the first that names the store: before it nothing can have happened. Those that only concern
/// memory or ask who and where the process is do not count.
KilledCall run_until_call(const Program& program, const Words& words, std::size_t number);

/// Whether processes may be traced here.
bool tracing_is_permitted(const Program& program);

}  // namespace workctl
