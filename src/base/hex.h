#pragma once

/// Bytes as lower-case hex digits.

#include <string>
#include <string_view>

namespace workctl {

inline void append_hex(unsigned char byte, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 0xF];
}

}  // namespace workctl
