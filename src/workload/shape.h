#pragma once

/// What JSON objects must hold, as tables: one row a member. Checking, filling in what was left
/// out, dropping and naming unknown members are four walks over the same table.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workctl/base/json.h"

namespace workctl {

enum class Type {
  kAny,
  kText,
  kState,
  kChoice,  ///< one of `Member::choices`
  kU32,
  kU64,
  kI32,
  kI64,
  kTextSet,   ///< an array of strings; `fill_in` sorts it and removes repeats
  kTextList,  ///< an array of strings, in an order that means something
  kTextMap,   ///< an object of strings
  kU64Map,    ///< an object of unsigned 64-bit numbers
  kObject,    ///< of `Member::shape`
  kObjectList,
};

enum class Nullable { kNo, kYes };

struct Shape;

struct Member {
  std::string_view name;
  Type type = Type::kAny;
  Nullable nullable = Nullable::kNo;
  /// JSON text of the value that an absent member stands for; null: it must be present.
  const char* fallback = nullptr;
  const Shape* shape = nullptr;
  std::span<const std::string_view> choices{};
};

/// What `drop_unknown` does with members that a shape does not name.
enum class Unknown { kDropped, kKept };

struct Shape {
  std::span<const Member> members;
  Unknown unknown = Unknown::kDropped;
};

/// What is first found wrong with `object`, as `attempts[2].status: ...`; nothing when it has the
/// shape. Members that the shape does not name are not looked at.
std::optional<std::string> find_fault(const Json& object, const Shape& shape);

/// Adds absent members that have a fallback, at every depth, and puts sets in order. Values of
/// another type are left for `find_fault`.
void fill_in(Json& object, const Shape& shape);

/// Removes members that the shape does not name, at every depth that it describes, save in shapes
/// that keep them.
void drop_unknown(Json& object, const Shape& shape);

/// Paths of the members that `drop_unknown` would remove.
std::vector<std::string> unknown_members(const Json& object, const Shape& shape);

}  // namespace workctl
