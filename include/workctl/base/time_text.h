#pragma once

/// Durations and instants as people write them.

#include <cstdint>
#include <string>
#include <string_view>

#include "workctl/base/clock.h"
#include "workctl/base/error.h"

namespace workctl {

/// A duration in milliseconds from text: one or more of a whole number and a unit, largest unit
/// first, each unit once: `w d h m s ms`, as in `90s`, `15m`, `2h30m`, `1500ms`; `0` needs no unit.
/// `kInvalidInput`, naming the text, for anything else or more than u64 milliseconds.
Result<std::uint64_t> parse_duration_ms(std::string_view text);

/// An instant from text: RFC 3339 with an offset or `Z` (fractions of a second are cut off), whole
/// unix seconds, or a duration from `now` as `+15m` or `-15m`. A local time without an offset is
/// refused. `kInvalidInput`, naming the text, for dates that do not exist and for all else.
Result<Instant> parse_instant(std::string_view text, Instant now);

/// RFC 3339 in UTC, as `2026-11-30T20:07:10Z`. Instants outside the years 0000 to 9999 are written
/// as unix seconds.
std::string format_instant(Instant instant);

/// The text `parse_duration_ms` reads back: `2h30m`, `1500ms`, `0s`.
std::string format_duration_ms(std::uint64_t milliseconds);

}  // namespace workctl
