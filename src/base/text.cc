#include "workctl/base/text.h"

#include "base/hex.h"

namespace workctl {
namespace {

/// One scalar at the beginning of some bytes; `length` 0 where they are not well-formed.
struct Scalar {
  char32_t value = 0;
  std::size_t length = 0;
};

Scalar decode(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return {};
  char32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    value = (value << 6) | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return {};
  return {value, length};
}

bool is_white_space(char32_t scalar) {
  return (scalar >= 0x09 && scalar <= 0x0D) || scalar == 0x20 || scalar == 0x85 || scalar == 0xA0 ||
         scalar == 0x1680 || (scalar >= 0x2000 && scalar <= 0x200A) || scalar == 0x2028 ||
         scalar == 0x2029 || scalar == 0x202F || scalar == 0x205F || scalar == 0x3000;
}

bool is_control(char32_t scalar) { return scalar < 0x20 || (scalar >= 0x7F && scalar <= 0x9F); }

}  // namespace

bool is_valid_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const Scalar scalar = decode(bytes);
    if (scalar.length == 0) return false;
    bytes.remove_prefix(scalar.length);
  }
  return true;
}

bool is_blank(std::string_view text) {
  while (!text.empty()) {
    const Scalar scalar = decode(text);
    if (scalar.length == 0 || !is_white_space(scalar.value)) return false;
    text.remove_prefix(scalar.length);
  }
  return true;
}

std::string_view first_scalars(std::string_view text, std::size_t count) {
  // A scalar ends before the next byte that does not continue one.
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) {
    do ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U);
  }
  return text.substr(0, end);
}

std::string printable(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const Scalar scalar = decode(bytes);
    const std::string_view piece = bytes.substr(0, scalar.length == 0 ? 1 : scalar.length);
    bytes.remove_prefix(piece.size());
    if (scalar.length != 0 && !is_control(scalar.value)) {
      out += piece;
      continue;
    }
    for (const char c : piece) {
      out += "\\x";
      append_hex(static_cast<unsigned char>(c), out);
    }
  }
  return out;
}

std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace workctl
