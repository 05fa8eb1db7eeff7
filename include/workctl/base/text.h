#pragma once

/// Text as Unicode scalars: the rules that the contract states in characters rather than bytes.

#include <cstddef>
#include <string>
#include <string_view>

namespace workctl {

/// Whether `bytes` is well-formed UTF-8 (RFC 3629: no surrogates, nothing above U+10FFFF, no
/// overlong forms).
bool is_valid_utf8(std::string_view bytes);

/// Whether nothing is left of valid UTF-8 `text` after cutting white space (Unicode White_Space)
/// off its ends.
bool is_blank(std::string_view text);

/// The first `count` Unicode scalars of valid UTF-8 `text`.
std::string_view first_scalars(std::string_view text, std::size_t count);

/// `bytes` with every control character (C0, DEL, C1) and everything that is not UTF-8 written as
/// `\xNN`, so that data cannot drive a terminal.
std::string printable(std::string_view bytes);

/// ASCII lower case; other bytes stay.
std::string ascii_lower(std::string_view text);

}  // namespace workctl
