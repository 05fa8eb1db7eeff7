#pragma once

// The durable mark: up to where a log is known to be on stable storage.
//
// It is written after each successful sync and never synced itself. What is found of it after a
// crash of the operating system is therefore what it was at some earlier time, never ahead: a safe
// lower bound.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workctl/journal/journal.h"

namespace workctl {

struct DurableMark {
  std::string store_id;
  std::uint64_t generation = 0;
  std::uint64_t inode = 0;  ///< of the log
  std::string boot_id;
  std::uint64_t size = 0;  ///< bytes of the log that are durable
  std::string digest;      ///< of the line that ends there
};

/// Text of fixed length, so that writing it in place replaces all of the one before.
std::string encode_mark(const DurableMark& mark);
/// Nothing for what is no mark: empty, torn, or of another version.
std::optional<DurableMark> decode_mark(std::string_view text);

/// Compares a log with its mark while it is read line by line.
class MarkCheck {
 public:
  /// `begin` is where reading begins. The mark, if any, must outlive it.
  MarkCheck(const std::optional<DurableMark>& mark, std::uint64_t begin)
      : mark_(mark && begin <= mark->size ? &*mark : nullptr) {}

  /// To be asked at the end of each line, in order: whether the log has another line at the mark
  /// than the one it was made for, or none that ends there.
  bool differs_at(const LogPosition& end);

 private:
  const DurableMark* mark_;  ///< null once reading has come past it
};

/// Length of the text.
inline constexpr std::size_t kMarkBytes = 512;

}  // namespace workctl
