#pragma once

/// Runs one program to its end and times it as a whole: from before it is started to after it was
/// waited for.

#include <string>
#include <vector>

namespace workctl::bench {

struct Run {
  double milliseconds = 0;
  int status = 0;  ///< exit status; 128 + signal when a signal ended it
  std::string output{};
  long peak_kib = 0;  ///< most memory that it had at a time
};

/// Standard output is gathered, standard error is this process's.
Run run(const std::vector<std::string>& command);

/// The middle value; the lower of two.
double median(std::vector<double> values);

}  // namespace workctl::bench
