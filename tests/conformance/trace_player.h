#pragma once

/// Plays a recorded trace on a store and holds every answer and every document against it.

#include <optional>
#include <string>
#include <vector>

#include "conformance/trace_store.h"

namespace workctl {

struct TraceReport {
  std::size_t operations = 0;
  /// `FILE:LINE OP: what differs`, each over one or more lines.
  std::vector<std::string> differences;
};

/// Stops at the first operation that differs: what comes after it would follow from it.
TraceReport play_trace(const std::string& name, const std::vector<Json>& lines, TraceStore& store);

/// What differs between a line that `workctl batch --changed` answered and what it should have.
std::optional<std::string> compare_answer_line(const Json& expect, const Json& line);

/// Whether the trace needs several writers.
bool uses_handles(const std::vector<Json>& lines);

}  // namespace workctl
