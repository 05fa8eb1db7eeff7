#include "workload/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "workctl/workload/state.h"

namespace workctl {
namespace {

bool is_unsigned(const Json& value, std::uint64_t largest) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>() <= largest;
  // Values that were made here rather than read may be signed and positive.
  return value.is_number_integer() && value.get<std::int64_t>() >= 0 &&
         static_cast<std::uint64_t>(value.get<std::int64_t>()) <= largest;
}

bool is_signed(const Json& value, std::int64_t smallest, std::int64_t largest) {
  if (value.is_number_unsigned())
    return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(largest);
  return value.is_number_integer() && value.get<std::int64_t>() >= smallest &&
         value.get<std::int64_t>() <= largest;
}

template <class Number>
constexpr Number kLargest = std::numeric_limits<Number>::max();
template <class Number>
constexpr Number kSmallest = std::numeric_limits<Number>::min();

bool holds_only(const Json& container, bool (*is_right)(const Json&)) {
  return std::all_of(container.begin(), container.end(), is_right);
}

bool is_text(const Json& value) { return value.is_string(); }
bool is_u64(const Json& value) { return is_unsigned(value, kLargest<std::uint64_t>); }

bool is_choice(const Json& value, std::span<const std::string_view> choices) {
  return value.is_string() &&
         std::ranges::find(choices, value.get_ref<const std::string&>()) != choices.end();
}

/// Whether the value itself, without what objects hold, is of the member's type.
bool has_type(const Json& value, const Member& member) {
  switch (member.type) {
    case Type::kAny:
      return true;
    case Type::kText:
      return value.is_string();
    case Type::kState:
      return value.is_string() && parse_state(value.get_ref<const std::string&>());
    case Type::kChoice:
      return is_choice(value, member.choices);
    case Type::kU32:
      return is_unsigned(value, kLargest<std::uint32_t>);
    case Type::kU64:
      return is_u64(value);
    case Type::kI32:
      return is_signed(value, kSmallest<std::int32_t>, kLargest<std::int32_t>);
    case Type::kI64:
      return is_signed(value, kSmallest<std::int64_t>, kLargest<std::int64_t>);
    case Type::kTextSet:
    case Type::kTextList:
      return value.is_array() && holds_only(value, is_text);
    case Type::kTextMap:
      return value.is_object() && holds_only(value, is_text);
    case Type::kU64Map:
      return value.is_object() && holds_only(value, is_u64);
    case Type::kObject:
      return value.is_object();
    case Type::kObjectList:
      return value.is_array();
  }
  return false;
}

std::string describe(const Member& member) {
  const char* or_null = member.nullable == Nullable::kYes ? " or null" : "";
  switch (member.type) {
    case Type::kAny:
      return "any value";
    case Type::kText:
      return fmt::format("a string{}", or_null);
    case Type::kState:
      return fmt::format("the name of a state{}", or_null);
    case Type::kChoice:
      return fmt::format("one of {}{}", fmt::join(member.choices, ", "), or_null);
    case Type::kU32:
      return fmt::format("a whole number from 0 to {}{}", kLargest<std::uint32_t>, or_null);
    case Type::kU64:
      return fmt::format("a whole number from 0 to {}{}", kLargest<std::uint64_t>, or_null);
    case Type::kI32:
      return fmt::format("a whole number from {} to {}{}", kSmallest<std::int32_t>,
                         kLargest<std::int32_t>, or_null);
    case Type::kI64:
      return fmt::format("a whole number from {} to {}{}", kSmallest<std::int64_t>,
                         kLargest<std::int64_t>, or_null);
    case Type::kTextSet:
    case Type::kTextList:
      return fmt::format("an array of strings{}", or_null);
    case Type::kTextMap:
      return fmt::format("an object of strings{}", or_null);
    case Type::kU64Map:
      return fmt::format("an object of whole numbers{}", or_null);
    case Type::kObject:
      return fmt::format("an object{}", or_null);
    case Type::kObjectList:
      return fmt::format("an array of objects{}", or_null);
  }
  return "";
}

std::optional<std::string> find_fault_in(const Json& value, const Member& member) {
  if (value.is_null() && member.nullable == Nullable::kYes) return std::nullopt;
  if (!has_type(value, member)) return fmt::format("{} must be {}", member.name, describe(member));
  if (member.type == Type::kObject) {
    if (const auto fault = find_fault(value, *member.shape))
      return fmt::format("{}.{}", member.name, *fault);
  } else if (member.type == Type::kObjectList) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!value[i].is_object()) return fmt::format("{}[{}] must be an object", member.name, i);
      if (const auto fault = find_fault(value[i], *member.shape))
        return fmt::format("{}[{}].{}", member.name, i, *fault);
    }
  }
  return std::nullopt;
}

void sort_set(Json& value) {
  if (!value.is_array() || !holds_only(value, is_text)) return;
  auto& elements = value.get_ref<Json::array_t&>();
  std::ranges::sort(
      elements, {}, [](const Json& e) -> auto& { return e.get_ref<const std::string&>(); });
  const auto repeats = std::ranges::unique(elements);
  elements.erase(repeats.begin(), repeats.end());
}

/// Calls `visit` with each object that `member` describes in `value`.
template <class Value, class Visit>
void for_each_object(Value& value, const Member& member, const Visit& visit) {
  if (member.type == Type::kObject && value.is_object()) {
    visit(value, std::string(member.name));
  } else if (member.type == Type::kObjectList && value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (value[i].is_object()) visit(value[i], fmt::format("{}[{}]", member.name, i));
  }
}

const Member* find_member(const Shape& shape, std::string_view name) {
  const auto found = std::ranges::find(shape.members, name, &Member::name);
  return found == shape.members.end() ? nullptr : &*found;
}

}  // namespace

std::optional<std::string> find_fault(const Json& object, const Shape& shape) {
  for (const Member& member : shape.members) {
    const auto found = object.find(member.name);
    if (found == object.end()) return fmt::format("{} is missing", member.name);
    if (auto fault = find_fault_in(*found, member)) return fault;
  }
  return std::nullopt;
}

void fill_in(Json& object, const Shape& shape) {
  for (const Member& member : shape.members) {
    auto found = object.find(member.name);
    if (found == object.end()) {
      if (member.fallback == nullptr) continue;
      object.emplace(std::string(member.name), Json::parse(member.fallback));
      continue;
    }
    if (member.type == Type::kTextSet) sort_set(*found);
    for_each_object(*found, member,
                    [&](Json& nested, const std::string&) { fill_in(nested, *member.shape); });
  }
}

void drop_unknown(Json& object, const Shape& shape) {
  for (auto member = object.begin(); member != object.end();) {
    const Member* known = find_member(shape, member.key());
    if (known == nullptr) {
      member = shape.unknown == Unknown::kKept ? std::next(member) : object.erase(member);
      continue;
    }
    for_each_object(*member, *known,
                    [&](Json& nested, const std::string&) { drop_unknown(nested, *known->shape); });
    ++member;
  }
}

std::vector<std::string> unknown_members(const Json& object, const Shape& shape) {
  std::vector<std::string> unknown;
  for (const auto& [name, value] : object.get_ref<const Json::object_t&>()) {
    const Member* known = find_member(shape, name);
    if (known == nullptr) {
      if (shape.unknown == Unknown::kDropped) unknown.push_back(name);
      continue;
    }
    for_each_object(value, *known, [&](const Json& nested, const std::string& path) {
      for (const std::string& inner : unknown_members(nested, *known->shape))
        unknown.push_back(path + "." + inner);
    });
  }
  return unknown;
}

}  // namespace workctl
