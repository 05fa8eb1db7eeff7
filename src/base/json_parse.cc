#include "workctl/base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace workctl {
namespace {

/// Builds a value from the parser's events. The parser reports its errors to it, and never throws.
class ValueBuilder {
 public:
  explicit ValueBuilder(int nesting_max) : nesting_max_(nesting_max) {}

  // Events, under the names that the parser calls them by. False stops it.
  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  // The parser calls everything with a minus sign signed, so zero is the text `-0`.
  bool number_integer(Json::number_integer_t value) { return value == 0 ? put(-0.0) : put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::value_t::object); }
  bool start_array(std::size_t) { return open(Json::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    // Canonical text comes sorted, so the end is the place to try first.
    auto& members = open_.back()->get_ref<Json::object_t&>();
    member_ = &members.try_emplace(members.end(), std::move(name))->second;
    return true;
  }
  bool parse_error(std::size_t bytes_read, const std::string&,
                   const nlohmann::detail::exception& error) {
    error_offset_ = bytes_read == 0 ? 0 : bytes_read - 1;
    reason_ = reason_of(error);
    return false;
  }

  Json& root() { return root_; }
  bool too_deep() const { return too_deep_; }
  std::size_t error_offset() const { return error_offset_; }
  const std::string& reason() const { return reason_; }

 private:
  template <class T>
  bool put(T&& value) {
    place(Json(std::forward<T>(value)));
    return true;
  }

  bool open(Json::value_t kind) {
    if (open_.size() + 1 >= static_cast<std::size_t>(nesting_max_)) {
      too_deep_ = true;
      return false;
    }
    open_.push_back(place(Json(kind)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Json* place(Json&& value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (auto* elements = open_.back()->get_ptr<Json::array_t*>()) {
      elements->push_back(std::move(value));
      return &elements->back();
    }
    *member_ = std::move(value);
    return member_;
  }

  /// The parser's message without its prefix, and without the text it read last, which can be long.
  static std::string reason_of(const nlohmann::detail::exception& error) {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) return "number is too large";
    std::string_view text = error.what();
    if (const auto at = text.find(" - "); at != text.npos) text.remove_prefix(at + 3);
    return std::string(text.substr(0, text.find("; last read:")));
  }

  int nesting_max_;
  Json root_;
  std::vector<Json*> open_;  ///< arrays and objects that have begun and not ended
  Json* member_ = nullptr;   ///< of the innermost object, waiting for its value
  bool too_deep_ = false;
  std::size_t error_offset_ = 0;
  std::string reason_;
};

/// Where the nesting of `text`, which is well-formed up to there, reaches the limit.
std::size_t offset_of_deepest(std::string_view text, int nesting_max) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth == nesting_max) return i;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return text.size();
}

std::unexpected<Error> parse_failure(std::string_view text, std::string_view what,
                                     std::size_t offset, std::string_view reason) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is the beginning
  return failure(errc::kInvalidInput, fmt::format("{}: line {}, column {}: {}", what, line,
                                                  offset - line_start + 1, reason));
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view what, int nesting_max) {
  // Two things that the parser would let pass: it skips the mark, and takes NUL for the end.
  if (text.starts_with("\xEF\xBB\xBF")) {
    return parse_failure(text, what, 0, "a byte-order mark is not part of JSON");
  }
  if (const auto nul = text.find('\0'); nul != text.npos) {
    return parse_failure(text, what, nul, "a NUL byte is not part of JSON");
  }
  ValueBuilder builder(nesting_max);
  if (Json::sax_parse(text.begin(), text.end(), &builder)) return std::move(builder.root());
  if (builder.too_deep()) {
    return parse_failure(text, what, offset_of_deepest(text, nesting_max),
                         fmt::format("nested {} levels deep, and fewer than {} are allowed",
                                     nesting_max, nesting_max));
  }
  return parse_failure(text, what, std::min(builder.error_offset(), text.size()), builder.reason());
}

}  // namespace workctl
