#pragma once

/// JSON values, read strictly and written in one canonical way.
///
/// The canonical text is what is hashed, stored and compared, so it must be the same on every
/// machine and in every version: the rules are those of `workctl-workloads(7)`, section "Canonical
/// text". Reading is RFC 8259 with nothing added: no comments, no byte-order mark, valid UTF-8
/// only, fewer than 128 levels of nesting, nothing after the value; of members with one name the
/// last counts.
///
/// All functions are pure and may be called from any thread.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "workctl/base/error.h"

namespace workctl {

using Json = nlohmann::json;

/// Nesting of this many levels is refused: destroying and writing a value recurse once a level.
inline constexpr int kJsonNestingMax = 128;

/// Reads one JSON value. On failure `kInvalidInput`: `what: line L, column C: reason`, where `what`
/// is for example "--input" or "requests.jsonl", and line and column count from 1, the column in
/// bytes. `nesting_max` levels are refused.
Result<Json> parse_json(std::string_view text, std::string_view what,
                        int nesting_max = kJsonNestingMax);

/// Appends the canonical text of `value`. Every string in it must be valid UTF-8 and every number
/// finite, which is so for all that came through `parse_json`.
void append_canonical_text(const Json& value, std::string& out);
std::string canonical_text(const Json& value);

/// Appends `text` as a JSON string: quotes, and the escapes of the canonical text.
void append_json_string(std::string_view text, std::string& out);

/// Whether two values have the same canonical text. Unlike `==` on Json, `1` and `1.0` differ, and
/// so do `0.0` and `-0.0`.
bool same_value(const Json& a, const Json& b);

/// Lower-case hex SHA-256 of the canonical text: the contract's `hash(value)`.
std::string hash_value(const Json& value);

}  // namespace workctl
