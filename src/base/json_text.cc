#include "workctl/base/json.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/hex.h"
#include "workctl/base/digest.h"

namespace workctl {
namespace {

/// What a byte of a string becomes: itself (0), a short escape (its letter), or `\u00xx` ('u').
constexpr auto kEscapes = [] {
  std::array<char, 256> escapes{};
  for (std::size_t c = 0; c < 0x20; ++c) escapes[c] = 'u';
  escapes['\b'] = 'b';
  escapes['\t'] = 't';
  escapes['\n'] = 'n';
  escapes['\f'] = 'f';
  escapes['\r'] = 'r';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  return escapes;
}();

template <class Integer>
void append_integer(Integer value, std::string& out) {
  std::array<char, 20> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out.append(text.data(), end);
}

void append_double(double value, std::string& out) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  // The shortest digits come as d.ddde+xx; only how they are laid out is ours.
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific)
                       .ptr;
  std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  if (text.front() == '-') {
    out += '-';
    text.remove_prefix(1);
  }
  const auto mark = text.find('e');
  const std::string_view first = text.substr(0, 1);
  const std::string_view rest = mark > 2 ? text.substr(2, mark - 2) : std::string_view();
  int exponent = 0;
  const bool negative = text[mark + 1] == '-';
  std::from_chars(text.data() + mark + 2, text.data() + text.size(), exponent);
  if (negative) exponent = -exponent;

  if (exponent < -5 || exponent > 15) {
    out += first;
    if (!rest.empty()) (out += '.') += rest;
    out += 'e';
    append_integer(exponent, out);
  } else if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    (out += first) += rest;
  } else {
    const auto whole = static_cast<std::size_t>(exponent);  // digits of `rest` before the point
    out += first;
    out += rest.substr(0, whole);
    if (rest.size() > whole) {
      (out += '.') += rest.substr(whole);
    } else {
      out.append(whole - rest.size(), '0');
      out += ".0";
    }
  }
}

bool is_negative_integer(const Json& value) {
  return value.is_number_integer() && !value.is_number_unsigned() &&
         value.get_ref<const Json::number_integer_t&>() < 0;
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  std::size_t plain = 0;  // where the run of bytes that stand for themselves begins
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const char escape = kEscapes[byte];
    if (escape == 0) continue;
    out.append(text, plain, i - plain);
    plain = i + 1;
    out += '\\';
    out += escape;
    if (escape == 'u') {
      out += "00";
      append_hex(byte, out);
    }
  }
  out.append(text, plain);
  out += '"';
}

void append_canonical_text(const Json& value, std::string& out) {
  switch (value.type()) {
    case Json::value_t::object: {
      char separator = '{';
      for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
        out += separator;
        separator = ',';
        append_json_string(name, out);
        out += ':';
        append_canonical_text(member, out);
      }
      out += separator == '{' ? "{}" : "}";
      break;
    }
    case Json::value_t::array: {
      char separator = '[';
      for (const Json& element : value.get_ref<const Json::array_t&>()) {
        out += separator;
        separator = ',';
        append_canonical_text(element, out);
      }
      out += separator == '[' ? "[]" : "]";
      break;
    }
    case Json::value_t::string:
      append_json_string(value.get_ref<const std::string&>(), out);
      break;
    case Json::value_t::boolean:
      out += value.get<bool>() ? "true" : "false";
      break;
    case Json::value_t::number_integer:
      append_integer(value.get_ref<const Json::number_integer_t&>(), out);
      break;
    case Json::value_t::number_unsigned:
      append_integer(value.get_ref<const Json::number_unsigned_t&>(), out);
      break;
    case Json::value_t::number_float:
      append_double(value.get_ref<const Json::number_float_t&>(), out);
      break;
    case Json::value_t::null:
    case Json::value_t::binary:
    case Json::value_t::discarded:
      out += "null";
      break;
  }
}

std::string canonical_text(const Json& value) {
  std::string out;
  append_canonical_text(value, out);
  return out;
}

bool same_value(const Json& a, const Json& b) {
  if (a.is_number_float() && b.is_number_float()) {
    return std::bit_cast<std::uint64_t>(a.get<double>()) ==
           std::bit_cast<std::uint64_t>(b.get<double>());
  }
  // The sign of an integer's type depends on who made it, and is no part of its value.
  if (a.is_number_integer() && b.is_number_integer()) {
    return is_negative_integer(a) == is_negative_integer(b) &&
           a.get<std::uint64_t>() == b.get<std::uint64_t>();
  }
  if (a.type() != b.type()) return false;
  if (const auto* members = a.get_ptr<const Json::object_t*>()) {
    return std::ranges::equal(
        *members, b.get_ref<const Json::object_t&>(), [](const auto& left, const auto& right) {
          return left.first == right.first && same_value(left.second, right.second);
        });
  }
  if (const auto* elements = a.get_ptr<const Json::array_t*>()) {
    return std::ranges::equal(*elements, b.get_ref<const Json::array_t&>(), same_value);
  }
  return a == b;
}

std::string hash_value(const Json& value) { return sha256_hex(canonical_text(value)); }

}  // namespace workctl
