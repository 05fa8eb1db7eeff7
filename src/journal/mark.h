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

/// Length of the text.
inline constexpr std::size_t kMarkBytes = 512;

}  // namespace workctl
