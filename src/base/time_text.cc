#include "workctl/base/time_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "base/civil_date.h"
#include "workctl/base/text.h"

namespace workctl {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t milliseconds;
};

/// Largest first.
constexpr std::array<Unit, 6> kUnits{{
    {"w", 7 * 24 * 3'600'000ULL},
    {"d", 24 * 3'600'000ULL},
    {"h", 3'600'000},
    {"m", 60'000},
    {"s", 1000},
    {"ms", 1},
}};

constexpr Instant kSecondsPerDay = 86'400;
/// Of 0000-01-01T00:00:00Z and of the second after 9999-12-31T23:59:59Z.
constexpr Instant kYear0 = -62'167'219'200;
constexpr Instant kYear10000 = 253'402'300'800;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Cuts the leading digits off `text`.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

/// A decimal without sign or leading zeros, which others would read as octal.
template <class Integer>
std::optional<Integer> parse_decimal(std::string_view digits) {
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  Integer value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

/// Text that a message can show whole.
std::string quoted(std::string_view text) {
  constexpr std::size_t kShownMax = 60;
  const bool whole = text.size() <= kShownMax;
  return fmt::format("\"{}\"{}", printable(whole ? text : text.substr(0, kShownMax)),
                     whole ? "" : "...");
}

std::unexpected<Error> bad_duration(std::string_view text, std::string_view reason) {
  return failure(errc::kInvalidInput, fmt::format("{} is not a duration: {}", quoted(text), reason),
                 "write it like 90s, 15m, 2h30m or 1500ms");
}

std::unexpected<Error> bad_instant(std::string_view text, std::string_view reason) {
  return failure(errc::kInvalidInput, fmt::format("{} is not an instant: {}", quoted(text), reason),
                 "write it like 2026-11-30T20:07:10Z, 1796069230, +15m or -2h");
}

/// Reads RFC 3339 from left to right; the first thing that does not fit is kept as the reason.
class TimestampReader {
 public:
  explicit TimestampReader(std::string_view text) : rest_(text) {}

  std::optional<Instant> read() {
    const Instant year = number(4, 0, 9999, "year");
    literal("-", "'-' after the year");
    const int month = number(2, 1, 12, "month");
    literal("-", "'-' after the month");
    const int day_max = reason_.empty() ? days_in_month(year, month) : 31;
    const int day = number(2, 1, day_max, "day");
    literal("Tt ", "'T' between date and time");
    const int hour = number(2, 0, 23, "hour");
    literal(":", "':' after the hour");
    const int minute = number(2, 0, 59, "minute");
    literal(":", "':' after the minute");
    const int second = number(2, 0, 59, "second");
    fraction();
    const Instant offset = offset_seconds();
    if (reason_.empty() && !rest_.empty()) reason_ = "there is more after the offset";
    if (!reason_.empty()) return std::nullopt;
    return days_from_civil({year, month, day}) * kSecondsPerDay + hour * 3600 + minute * 60 +
           second - offset;
  }

  const std::string& reason() const { return reason_; }

 private:
  int number(std::size_t digit_count, int min, int max, const char* name) {
    if (!reason_.empty()) return min;
    int value = 0;
    for (std::size_t i = 0; i < digit_count; ++i) {
      if (i == rest_.size() || !is_digit(rest_[i])) {
        reason_ = fmt::format("the {} must have {} digits", name, digit_count);
        return min;
      }
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digit_count);
    if (value < min || value > max) {
      reason_ = fmt::format("there is no {} {}", name, value);
      return min;
    }
    return value;
  }

  void literal(std::string_view any_of, const char* name) {
    if (!reason_.empty()) return;
    if (rest_.empty() || any_of.find(rest_.front()) == any_of.npos) {
      reason_ = fmt::format("{} is missing", name);
      return;
    }
    rest_.remove_prefix(1);
  }

  void fraction() {
    if (!reason_.empty() || rest_.empty() || rest_.front() != '.') return;
    rest_.remove_prefix(1);
    if (take_digits(rest_).empty()) reason_ = "the fraction of a second has no digits";
  }

  Instant offset_seconds() {
    if (!reason_.empty()) return 0;
    if (rest_.empty()) {
      reason_ = "it has no offset (Z for UTC, or one like +01:00)";
      return 0;
    }
    const char sign = rest_.front();
    literal("Zz+-", "the offset, Z or one like +01:00,");
    if (sign == 'Z' || sign == 'z') return 0;
    const int hours = number(2, 0, 23, "offset hour");
    literal(":", "':' in the offset");
    const int minutes = number(2, 0, 59, "offset minute");
    const Instant seconds = hours * 3600 + minutes * 60;
    return sign == '-' ? -seconds : seconds;
  }

  std::string_view rest_;
  std::string reason_;
};

Instant subtract_milliseconds(Instant instant, std::uint64_t milliseconds) {
  Instant difference = 0;
  return __builtin_sub_overflow(instant, static_cast<Instant>(milliseconds / 1000), &difference)
             ? std::numeric_limits<Instant>::min()
             : difference;
}

/// Whole unix seconds, if that is what `text` is made of: digits, after at most one minus sign.
bool looks_like_unix_seconds(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !take_digits(text).empty() && text.empty();
}

}  // namespace

Result<std::uint64_t> parse_duration_ms(std::string_view text) {
  if (text.empty()) return bad_duration(text, "it is empty");
  if (text == "0") return 0;
  std::uint64_t total = 0;
  std::size_t next_unit = 0;  // units before this one are used up
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view digits = take_digits(rest);
    if (digits.empty()) return bad_duration(text, "a whole number must come before each unit");
    std::size_t letters = 0;
    while (letters < rest.size() && !is_digit(rest[letters])) ++letters;
    const std::string_view name = rest.substr(0, letters);
    rest.remove_prefix(letters);
    if (name.empty()) return bad_duration(text, "its unit is missing");

    std::size_t unit = 0;
    while (unit < kUnits.size() && kUnits[unit].name != name) ++unit;
    if (unit == kUnits.size()) {
      return bad_duration(text, fmt::format("{} is not one of w, d, h, m, s, ms", quoted(name)));
    }
    if (unit < next_unit) return bad_duration(text, "units go from large to small, each once");
    next_unit = unit + 1;

    if (digits.size() > 1 && digits.front() == '0') {
      return bad_duration(text, "a number begins with 0");
    }
    const auto count = parse_decimal<std::uint64_t>(digits);
    std::uint64_t part = 0;
    if (!count || __builtin_mul_overflow(*count, kUnits[unit].milliseconds, &part) ||
        __builtin_add_overflow(total, part, &total)) {
      return bad_duration(text, "it is too long");
    }
  }
  return total;
}

Result<Instant> parse_instant(std::string_view text, Instant now) {
  if (text.empty()) return bad_instant(text, "it is empty");
  if (looks_like_unix_seconds(text)) {
    const bool negative = text.front() == '-';
    const auto seconds = parse_decimal<Instant>(negative ? text.substr(1) : text);
    if (!seconds) return bad_instant(text, "it is no number of seconds that can be counted");
    return negative ? -*seconds : *seconds;
  }
  if (text.front() == '+' || text.front() == '-') {
    const auto milliseconds = parse_duration_ms(text.substr(1));
    if (!milliseconds) return bad_instant(text, milliseconds.error().message);
    return text.front() == '+' ? add_milliseconds(now, *milliseconds)
                               : subtract_milliseconds(now, *milliseconds);
  }
  TimestampReader reader(text);
  if (const auto instant = reader.read()) return *instant;
  return bad_instant(text, reader.reason());
}

std::string format_instant(Instant instant) {
  if (instant < kYear0 || instant >= kYear10000) return std::to_string(instant);
  const Instant since_year0 = instant - kYear0;
  const CivilDate date = civil_from_days(since_year0 / kSecondsPerDay + kYear0 / kSecondsPerDay);
  const Instant second = since_year0 % kSecondsPerDay;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", date.year, date.month, date.day,
                     second / 3600, second / 60 % 60, second % 60);
}

std::string format_duration_ms(std::uint64_t milliseconds) {
  if (milliseconds == 0) return "0s";
  std::string text;
  for (const Unit& unit : kUnits) {
    if (milliseconds >= unit.milliseconds) {
      text += std::to_string(milliseconds / unit.milliseconds);
      text += unit.name;
      milliseconds %= unit.milliseconds;
    }
  }
  return text;
}

}  // namespace workctl
