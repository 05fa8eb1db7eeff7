#include "workctl/base/text.h"

#include <doctest/doctest.h>

namespace workctl {

TEST_CASE("text: UTF-8 is well-formed up to its last scalar") {
  for (const char* text :
       {"", "abc", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    CAPTURE(text);
    CHECK(is_valid_utf8(text));
    CHECK(is_valid_utf8(std::string("x") + text + "y"));
  }
  CHECK(is_valid_utf8(std::string_view("\0", 1)));
}

TEST_CASE("text: everything else is not UTF-8") {
  for (const char* bytes :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xE2\x82",
        "\xE2\x82\xC2", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF0\x9F\x98",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF8\x88\x80\x80\x80", "\xFE", "\xFF"}) {
    CAPTURE(bytes);
    CHECK_FALSE(is_valid_utf8(bytes));
    CHECK_FALSE(is_valid_utf8(std::string("x") + bytes + "y"));
  }
}

TEST_CASE("text: blank is Unicode white space and nothing else") {
  for (const char* space : {"", " ", "\t\n\v\f\r", "\xC2\x85", "\xC2\xA0", "\xE1\x9A\x80",
                            "\xE2\x80\x80", "\xE2\x80\x8A", "\xE2\x80\xA8", "\xE2\x80\xA9",
                            "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"}) {
    CAPTURE(space);
    CHECK(is_blank(space));
    CHECK(is_blank(std::string(" ") + space + " "));
    CHECK_FALSE(is_blank(std::string(space) + "x"));
  }
  // Not white space, however little of them is seen: zero-width space, word joiner, byte-order
  // mark, Mongolian vowel separator, the information separators.
  for (const char* text : {"\xE2\x80\x8B", "\xE2\x81\xA0", "\xEF\xBB\xBF", "\xE1\xA0\x8E", "\x1C",
                           "\x1F", "\x7F", "\xC2\x84"}) {
    CAPTURE(text);
    CHECK_FALSE(is_blank(text));
  }
  CHECK_FALSE(is_blank(std::string_view("\0", 1)));
}

TEST_CASE("text: scalars are counted, not bytes") {
  CHECK(first_scalars("abc", 2) == "ab");
  CHECK(first_scalars("abc", 3) == "abc");
  CHECK(first_scalars("abc", 4) == "abc");
  CHECK(first_scalars("abc", 0).empty());
  CHECK(first_scalars("", 5).empty());
  CHECK(first_scalars("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80x", 2) == "\xC3\xA9\xE2\x82\xAC");
  CHECK(first_scalars("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80x", 3) ==
        "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(first_scalars("e\xCC\x81x", 2) ==
        "e\xCC\x81");  // a combining accent is a scalar of its own
}

TEST_CASE("text: printable text holds no controls") {
  CHECK(printable("plain \xC3\xA9 \\") == "plain \xC3\xA9 \\");
  CHECK(printable("\x1B[31m\n\x7F") == "\\x1b[31m\\x0a\\x7f");
  CHECK(printable("\xC2\x9B"
                  "31m") == "\\xc2\\x9b31m");
  CHECK(printable("a\xFF\xC3z\xE2\x82") == "a\\xff\\xc3z\\xe2\\x82");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("text: lower case is ASCII's alone") {
  CHECK(ascii_lower("AZaz@[09") == "azaz@[09");
  CHECK(ascii_lower("\xC3\x89\xE2\x84\xAA") == "\xC3\x89\xE2\x84\xAA");
}

}  // namespace workctl
