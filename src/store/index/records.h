#pragma once

// The values of the index, as bytes. They are read by the program that wrote them, or thrown away:
// kIndexFormat changes with them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workctl/journal/journal.h"
#include "workctl/store/row.h"

namespace workctl::index_tree {

/// Of everything in the index: keys, values, and what is put in it.
inline constexpr int kIndexFormat = 1;

/// A document as it is stored. Views into the bytes that it was read from.
struct Document {
  std::uint64_t version = 0;
  std::string_view row{};                  ///< of a workload; empty for others
  std::optional<std::string_view> text{};  ///< canonical; nothing for a removed document
};

std::string encode(const Document& document);
Document read_document(std::string_view bytes);

std::string encode(const WorkloadRow& row);
/// The row of the workload with this id.
WorkloadRow read_row(std::string_view bytes, std::string_view id);

std::string encode(const std::vector<std::string>& texts);
std::vector<std::string> read_texts(std::string_view bytes);

/// Workloads of one tenant and application in one state.
struct Count {
  std::uint64_t count = 0;
  QueueKey queue{};
  std::string state{};
};

std::string encode(const Count& count);
Count read_count(std::string_view bytes);

/// What the index is the replay of, and what it holds.
struct State {
  LogPosition position{};
  std::uint64_t documents = 0;       ///< not removed
  std::uint64_t document_bytes = 0;  ///< of their texts
};

std::string encode(const State& state);
State read_state(std::string_view bytes);

}  // namespace workctl::index_tree
