#include "workctl/base/json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "support/conformance.h"

namespace workctl {
namespace {

Json parsed(std::string_view text) {
  auto value = parse_json(text, "text");
  REQUIRE_MESSAGE(value, text, ": ", value.error().message);
  return *std::move(value);
}

std::string canonical(std::string_view text) { return canonical_text(parsed(text)); }

std::string refusal(std::string_view text) {
  const auto value = parse_json(text, "in.json");
  REQUIRE_MESSAGE(!value, text, " was accepted");
  CHECK(value.error().code == errc::kInvalidInput);
  return value.error().message;
}

std::string nested(std::size_t levels, const std::string& open, const std::string& core,
                   const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += open;
  text += core;
  for (std::size_t i = 0; i < levels; ++i) text += close;
  return text;
}

}  // namespace

TEST_CASE("json: the hash vectors have their canonical text and digest") {
  for (const Json& vector : read_conformance_file("hash_vectors.jsonl")) {
    const std::string text = vector.at("json_text");
    CAPTURE(text);
    const Json value = parsed(text);
    CHECK(canonical_text(value) == vector.at("canonical").get<std::string>());
    CHECK(hash_value(value) == vector.at("sha256").get<std::string>());
    CHECK(same_value(value, parsed(canonical_text(value))));
  }
}

TEST_CASE("json: what is no JSON is refused") {
  for (const Json& vector : read_conformance_file("json_rejects.jsonl")) {
    const std::string text = vector.at("json_text");
    CHECK(refusal(text).starts_with("in.json: line "));
  }
}

TEST_CASE("json: a refusal names the line, the column in bytes and the reason") {
  CHECK(refusal("[1,]") ==
        "in.json: line 1, column 4: unexpected ']'; expected '[', '{', or a literal");
  CHECK(refusal("{\n  \"a\": 1,\n  \"b\": x\n}") == "in.json: line 3, column 8: invalid literal");
  CHECK(refusal("") ==
        "in.json: line 1, column 1: unexpected end of input; expected '[', '{', or a literal");
  CHECK(refusal("[1") == "in.json: line 1, column 3: unexpected end of input; expected ']'");
  CHECK(refusal("[1] 2") ==
        "in.json: line 1, column 5: unexpected number literal; expected end of input");
  CHECK(refusal("\"\xC3\xA9\" 1e400").find("line 1, column 10:") != std::string::npos);
  CHECK(refusal("[1e400]") == "in.json: line 1, column 6: number is too large");
  CHECK(refusal("\"\xFF\"") == "in.json: line 1, column 2: invalid string: ill-formed UTF-8 byte");
}

TEST_CASE("json: nesting is refused at 128 levels, at the bracket that makes them") {
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{\"a[\\\"\":", "}")}) {
    CHECK(parse_json(nested(126, open, "[]", close), "text"));
    CHECK(parse_json(nested(127, open, "1", close), "text"));
    const std::string message = refusal("\n" + nested(127, open, "[]", close));
    const auto column = 127 * std::string_view(open).size() + 1;
    CHECK(message == "in.json: line 2, column " + std::to_string(column) +
                         ": nested 128 levels deep, and fewer than 128 are allowed");
  }
  CHECK(refusal(std::string(1'000'000, '[')).find("column 128:") != std::string::npos);
  CHECK(parse_json(nested(127, "[", "[]", "]"), "text", 160));
  CHECK_FALSE(parse_json(nested(160 - 1, "[", "[]", "]"), "text", 160));
  // Levels next to each other do not add up.
  CHECK(
      parse_json("[" + nested(120, "[", "", "]") + "," + nested(120, "[", "", "]") + "]", "text"));
}

TEST_CASE("json: bytes that the parser would let pass are refused") {
  CHECK(refusal("\xEF\xBB\xBF{}") ==
        "in.json: line 1, column 1: a byte-order mark is not part of JSON");
  CHECK(refusal(std::string("1\0", 2)) ==
        "in.json: line 1, column 2: a NUL byte is not part of JSON");
  CHECK(refusal(std::string("[1]\n\0garbage", 12)).find("line 2, column 1") != std::string::npos);
}

TEST_CASE("json: only well-formed UTF-8 makes a string") {
  for (const char* bytes : {"\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                            "\x80", "\xF8\x88\x80\x80\x80", "\xE2\x82"}) {
    CAPTURE(bytes);
    refusal("\"" + std::string(bytes) + "\"");
    refusal("{\"" + std::string(bytes) + "\":1}");
  }
  refusal(R"("\udc00")");
  refusal(R"("\ud83dx")");
  CHECK(canonical(R"("\ud83d\ude00")") == "\"\xF0\x9F\x98\x80\"");
}

TEST_CASE("json: of members with one name the last counts, whatever it holds") {
  CHECK(canonical(R"({"a":{"x":1},"b":2,"a":[1]})") == R"({"a":[1],"b":2})");
  CHECK(canonical(R"({"a":[1,2],"\u0061":{"y":[]}})") == R"({"a":{"y":[]}})");
}

TEST_CASE("json: integers keep their 64 bits, and -0 is a double") {
  CHECK(parsed("18446744073709551615").get<std::uint64_t>() == 18446744073709551615U);
  CHECK(parsed("-9223372036854775808").get<std::int64_t>() ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(canonical("18446744073709551616") == "1.8446744073709552e19");
  CHECK(canonical("-0") == "-0.0");
  CHECK(std::signbit(parsed("[-0]")[0].get<double>()));
}

TEST_CASE("json: doubles change their notation at the two bounds") {
  CHECK(canonical("0.000010") == "0.00001");
  CHECK(canonical("0.0000099") == "9.9e-6");
  CHECK(canonical("999999999999999.8e1") == "9999999999999998.0");
  CHECK(canonical("1e16") == "1e16");
  CHECK(canonical("-12345678901234567890") == "-1.2345678901234567e19");
  CHECK(canonical("120.0") == "120.0");
  CHECK(canonical("123.25") == "123.25");
  CHECK(canonical("2e-310") == "2e-310");
  CHECK(canonical("1.7976931348623157e308") == "1.7976931348623157e308");
}

TEST_CASE("json: strings escape what they must and nothing else") {
  std::string all;
  for (char c = 0; c < 0x20; ++c) all += c;
  std::string out;
  append_json_string(all + "\"\\/\x7F\xC2\x80", out);
  CHECK(
      out ==
      R"("\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f)"
      R"(\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f)"
      "\\\"\\\\/\x7F\xC2\x80\"");
  CHECK(parsed(out).get<std::string>() == all + "\"\\/\x7F\xC2\x80");
}

TEST_CASE("json: members are ordered by the bytes of their names") {
  CHECK(canonical("{\"\xF0\x9F\x98\x80\":1,\"\xEF\xBF\xBD\":2,\"b\":3,\"B\":4,\"\":5}") ==
        "{\"\":5,\"B\":4,\"b\":3,\"\xEF\xBF\xBD\":2,\"\xF0\x9F\x98\x80\":1}");
}

TEST_CASE("json: values are the same when their canonical texts are") {
  const std::vector<Json> values = {nullptr,
                                    false,
                                    true,
                                    0,
                                    0.0,
                                    -0.0,
                                    1,
                                    1U,
                                    -1,
                                    1.0,
                                    18446744073709551615U,
                                    1.5,
                                    "",
                                    "1",
                                    "a",
                                    Json::array(),
                                    Json::object(),
                                    Json::array({1}),
                                    Json::array({1.0}),
                                    Json::array({1, 2}),
                                    {{"a", 1}},
                                    {{"a", 1.0}},
                                    {{"b", 1}},
                                    {{"a", 1}, {"b", 2}}};
  for (const Json& a : values) {
    for (const Json& b : values) {
      CAPTURE(canonical_text(a));
      CAPTURE(canonical_text(b));
      CHECK(same_value(a, b) == (canonical_text(a) == canonical_text(b)));
    }
  }
}

}  // namespace workctl
