#include "workctl/base/json_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace workctl {
namespace {

void append_token(std::string_view token, std::string& pointer) {
  pointer += '/';
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

/// Walks two values side by side and writes down what must change.
class Difference {
 public:
  void compare(const Json& from, const Json& to) {
    if (from.is_object() && to.is_object()) {
      compare_objects(from.get_ref<const Json::object_t&>(), to.get_ref<const Json::object_t&>());
    } else if (from.is_array() && to.is_array()) {
      compare_arrays(from.get_ref<const Json::array_t&>(), to.get_ref<const Json::array_t&>());
    } else if (!same_value(from, to)) {
      note("replace", &to);
    }
  }

  Json take() { return Json(std::move(operations_)); }

 private:
  void compare_objects(const Json::object_t& from, const Json::object_t& to) {
    auto old_member = from.begin();
    auto new_member = to.begin();
    while (old_member != from.end() || new_member != to.end()) {
      const int order = old_member == from.end() ? 1
                        : new_member == to.end() ? -1
                                                 : old_member->first.compare(new_member->first);
      if (order < 0) {
        below((old_member++)->first, [&] { note("remove", nullptr); });
      } else if (order > 0) {
        below(new_member->first, [&] { note("add", &new_member->second); });
        ++new_member;
      } else {
        below(new_member->first, [&] { compare(old_member->second, new_member->second); });
        ++old_member;
        ++new_member;
      }
    }
  }

  void compare_arrays(const Json::array_t& from, const Json::array_t& to) {
    const std::size_t shared = std::min(from.size(), to.size());
    for (std::size_t i = 0; i < shared; ++i) {
      below(std::to_string(i), [&] { compare(from[i], to[i]); });
    }
    for (std::size_t i = from.size(); i > shared; --i) {
      below(std::to_string(i - 1), [&] { note("remove", nullptr); });
    }
    for (std::size_t i = shared; i < to.size(); ++i) {
      below("-", [&] { note("add", &to[i]); });
    }
  }

  template <class Step>
  void below(std::string_view token, Step step) {
    const std::size_t size = path_.size();
    append_token(token, path_);
    step();
    path_.resize(size);
  }

  void note(const char* operation, const Json* value) {
    Json::object_t members;
    members.emplace("op", operation);
    members.emplace("path", path_);
    if (value != nullptr) members.emplace("value", *value);
    operations_.emplace_back(std::move(members));
  }

  std::string path_;
  Json::array_t operations_;
};

using Tokens = std::vector<std::string>;

/// The tokens of an RFC 6901 pointer; nothing when it is none.
std::optional<Tokens> parse_pointer(std::string_view pointer) {
  if (!pointer.empty() && pointer.front() != '/') return std::nullopt;
  Tokens tokens;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    const char c = pointer[i];
    if (c == '/') {
      tokens.emplace_back();
    } else if (c != '~') {
      tokens.back() += c;
    } else if (++i < pointer.size() && (pointer[i] == '0' || pointer[i] == '1')) {
      tokens.back() += pointer[i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return tokens;
}

/// An array index of at most `size_max`: decimal without leading zeros.
std::optional<std::size_t> parse_index(std::string_view token, std::size_t size_max) {
  if (token.empty() || (token.size() > 1 && token.front() == '0')) return std::nullopt;
  std::size_t index = 0;
  const char* const end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, index);
  if (error != std::errc() || stop != end || index > size_max) return std::nullopt;
  return index;
}

/// What `token` names in `parent`, or null.
Json* find_child(Json& parent, const std::string& token) {
  if (auto* members = parent.get_ptr<Json::object_t*>()) {
    const auto found = members->find(token);
    return found == members->end() ? nullptr : &found->second;
  }
  if (auto* elements = parent.get_ptr<Json::array_t*>()) {
    const auto index = parse_index(token, elements->size());
    return index && *index < elements->size() ? &(*elements)[*index] : nullptr;
  }
  return nullptr;
}

Json* find(Json& root, std::span<const std::string> tokens) {
  Json* value = &root;
  for (const std::string& token : tokens) {
    value = find_child(*value, token);
    if (value == nullptr) return nullptr;
  }
  return value;
}

/// The array or object that holds what `tokens`, which are not empty, name; or null.
Json* find_parent(Json& root, const Tokens& tokens) {
  return find(root, std::span(tokens).first(tokens.size() - 1));
}

bool add(Json& root, const Tokens& tokens, Json value) {
  if (tokens.empty()) {
    root = std::move(value);
    return true;
  }
  Json* const parent = find_parent(root, tokens);
  if (parent == nullptr) return false;
  if (auto* members = parent->get_ptr<Json::object_t*>()) {
    members->insert_or_assign(tokens.back(), std::move(value));
    return true;
  }
  auto* const elements = parent->get_ptr<Json::array_t*>();
  if (elements == nullptr) return false;
  const auto index =
      tokens.back() == "-" ? elements->size() : parse_index(tokens.back(), elements->size());
  if (!index) return false;
  elements->insert(elements->begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
  return true;
}

bool remove(Json& root, const Tokens& tokens) {
  if (tokens.empty()) return false;
  Json* const parent = find_parent(root, tokens);
  if (parent == nullptr) return false;
  Json* const child = find_child(*parent, tokens.back());
  if (child == nullptr) return false;
  if (auto* members = parent->get_ptr<Json::object_t*>()) {
    members->erase(tokens.back());
  } else {
    auto& elements = parent->get_ref<Json::array_t&>();
    elements.erase(elements.begin() + (child - elements.data()));
  }
  return true;
}

bool move(Json& root, const Tokens& from, const Tokens& to) {
  // Nothing can move into itself.
  const bool into_itself =
      from.size() < to.size() && std::equal(from.begin(), from.end(), to.begin());
  Json* const source = find(root, from);
  if (into_itself || source == nullptr) return false;
  if (from == to) return true;
  Json value = std::move(*source);
  return remove(root, from) && add(root, to, std::move(value));
}

/// A member of a patch operation that must be a string; empty when it is not.
const std::string* text_member(const Json& operation, const char* name) {
  const auto found = operation.find(name);
  return found == operation.end() ? nullptr : found->get_ptr<const std::string*>();
}

std::optional<Tokens> pointer_member(const Json& operation, const char* name) {
  const std::string* const text = text_member(operation, name);
  return text == nullptr ? std::nullopt : parse_pointer(*text);
}

/// Applies one operation; whether it was one, and fitted.
bool apply_operation(Json& target, const Json& operation) {
  if (!operation.is_object()) return false;
  const std::string* const name = text_member(operation, "op");
  const auto path = pointer_member(operation, "path");
  if (name == nullptr || !path) return false;

  if (*name == "remove") return remove(target, *path);
  if (*name == "add" || *name == "replace" || *name == "test") {
    const auto value = operation.find("value");
    if (value == operation.end()) return false;
    if (*name == "add") return add(target, *path, *value);
    Json* const place = find(target, *path);
    if (place == nullptr) return false;
    if (*name == "test") return same_value(*place, *value);
    *place = *value;
    return true;
  }
  if (*name == "move" || *name == "copy") {
    const auto from = pointer_member(operation, "from");
    if (!from) return false;
    if (*name == "move") return move(target, *from, *path);
    const Json* const source = find(target, *from);
    return source != nullptr && add(target, *path, Json(*source));
  }
  return false;
}

}  // namespace

Json make_patch(const Json& from, const Json& to) {
  Difference difference;
  difference.compare(from, to);
  return difference.take();
}

Result<void> apply_patch(Json& target, const Json& patch) {
  const auto* const operations = patch.get_ptr<const Json::array_t*>();
  if (operations == nullptr) return failure(errc::kInvalidInput, "a patch must be an array");
  for (std::size_t i = 0; i < operations->size(); ++i) {
    if (!apply_operation(target, (*operations)[i])) {
      return failure(errc::kInvalidInput,
                     fmt::format("operation {} of the patch does not fit: {}", i + 1,
                                 canonical_text((*operations)[i]).substr(0, 200)));
    }
  }
  return {};
}

}  // namespace workctl
