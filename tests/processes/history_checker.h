#pragma once

/// Says whether a history keeps the promises of workctl. The rules know the contract and the log
/// format, and nothing of how the program works.

#include <string>
#include <vector>

#include "processes/history.h"

namespace workctl {

/// A promise that a history breaks.
struct Fault {
  std::string rule;  ///< its name, below
  std::string text;  ///< a sentence
};

/// The rules:
///
/// - `revisions`: they are 1, 2, 3 and so on.
/// - `versions`: those of a document are 1, 2, 3 and so on.
/// - `fences`: a workload's token grows by one with each claim and changes nowhere else.
/// - `unexplained`: each commit is of a call that was made, of its verb, to the workload it named.
/// - `refused`: a call that was refused changed nothing.
/// - `lost`: what a call was told to be done is in the log.
/// - `half`: what a call did is there wholly or not at all, acknowledged or not, and in one line.
/// - `order`: of two calls the one that ended before the other began comes first in the log.
/// - `answers`: an answer says what the log says.
/// - `owners`: work is claimed only when nobody holds it, and changed by its holder alone, in time.
/// - `statuses`: a call ends with 0 or a refusal that the contract knows.
std::vector<Fault> check_history(const History& history);

/// The first three, which need no calls.
std::vector<Fault> check_log(const std::vector<Transaction>& log);

/// One line a fault.
std::string to_text(const std::vector<Fault>& faults);

}  // namespace workctl
