#include "workctl/base/time_text.h"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <utility>

namespace workctl {
namespace {

constexpr Instant kNow = 1'000'000;
constexpr std::uint64_t kLongest = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("time_text: durations are whole numbers with units, from large to small") {
  const std::pair<const char*, std::uint64_t> durations[] = {
      {"0", 0},
      {"0s", 0},
      {"0ms", 0},
      {"1ms", 1},
      {"1500ms", 1500},
      {"90s", 90'000},
      {"15m", 900'000},
      {"2h30m", 9'000'000},
      {"1d", 86'400'000},
      {"1w2d3h4m5s6ms", 788'645'006},
      {"0h5m", 300'000},
      {"18446744073709551615ms", kLongest},
      {"30500568904w", 18446744073139200000U},
  };
  for (const auto& [text, milliseconds] : durations) {
    CAPTURE(text);
    const auto parsed = parse_duration_ms(text);
    REQUIRE_MESSAGE(parsed, parsed.error().message);
    CHECK(*parsed == milliseconds);
  }
}

TEST_CASE("time_text: what is no duration is refused by name") {
  for (const char* text : {"",
                           " ",
                           "5",
                           "00",
                           "s",
                           "ms5",
                           "-5s",
                           "+5s",
                           "1.5h",
                           "1,5h",
                           "5 s",
                           " 5s",
                           "5s ",
                           "010s",
                           "00s",
                           "1m2h",
                           "1m2m",
                           "1s1000ms5s",
                           "5S",
                           "5M",
                           "5min",
                           "5sec",
                           "5y",
                           "5us",
                           "0x5s",
                           "1e3s",
                           "1h30",
                           "h",
                           "5\xC2\xB5s",
                           "18446744073709551616ms",
                           "18446744073709552s",
                           "30500568905w",
                           "18446744073709551ms1s",
                           "99999999999999999999999s"}) {
    CAPTURE(text);
    const auto parsed = parse_duration_ms(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == errc::kInvalidInput);
    CHECK(parsed.error().message.starts_with(std::string("\"") + text + "\" is not a duration: "));
    CHECK_FALSE(parsed.error().hint.empty());
  }
  CHECK_FALSE(parse_duration_ms("18446744073709551s616ms"));
  CHECK(parse_duration_ms("18446744073709551s615ms") == kLongest);
}

TEST_CASE("time_text: messages show text whole, and only what is fit to be shown") {
  CHECK(parse_duration_ms("\x1B[0m").error().message.starts_with("\"\\x1b[0m\" is not a duration"));
  CHECK(parse_duration_ms(std::string(100, 'x')).error().message.size() < 300);
}

TEST_CASE("time_text: durations are written as they are read") {
  CHECK(format_duration_ms(0) == "0s");
  CHECK(format_duration_ms(1500) == "1s500ms");
  CHECK(format_duration_ms(9'000'000) == "2h30m");
  CHECK(format_duration_ms(604'800'000) == "1w");
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t milliseconds = random() >> (i % 64);
    CHECK(parse_duration_ms(format_duration_ms(milliseconds)) == milliseconds);
  }
  CHECK(parse_duration_ms(format_duration_ms(kLongest)) == kLongest);
}

TEST_CASE("time_text: instants are RFC 3339 with an offset, unix seconds, or relative") {
  const std::pair<const char*, Instant> instants[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"1969-12-31T23:59:59Z", -1},
      {"2026-11-30T20:07:10Z", 1'796'069'230},
      {"2026-11-30t20:07:10z", 1'796'069'230},
      {"2026-11-30 20:07:10Z", 1'796'069'230},
      {"2026-11-30T20:07:10.999999Z", 1'796'069'230},
      {"1969-12-31T23:59:59.5Z", -1},
      {"2026-11-30T21:07:10+01:00", 1'796'069'230},
      {"2026-11-30T14:37:10-05:30", 1'796'069'230},
      {"2026-11-30T20:07:10-00:00", 1'796'069'230},
      {"2000-02-29T00:00:00Z", 951'782'400},
      {"2024-02-29T23:59:59+23:59", 1'709'164'859},
      {"2100-02-28T00:00:00Z", 4'107'456'000},
      {"2100-03-01T00:00:00Z", 4'107'542'400},
      {"0000-01-01T00:00:00Z", -62'167'219'200},
      {"0000-02-29T00:00:00Z", -62'162'121'600},
      {"0000-01-01T00:00:00+00:01", -62'167'219'260},
      {"9999-12-31T23:59:59Z", 253'402'300'799},
      {"9999-12-31T23:59:59-00:01", 253'402'300'859},
      {"0", 0},
      {"-0", 0},
      {"-5", -5},
      {"1796069230", 1'796'069'230},
      {"9223372036854775807", std::numeric_limits<Instant>::max()},
      {"+15m", kNow + 900},
      {"-15m", kNow - 900},
      {"+0", kNow},
      {"+999ms", kNow},
      {"-1500ms", kNow - 1},
      {"+1h30m", kNow + 5400},
  };
  for (const auto& [text, instant] : instants) {
    CAPTURE(text);
    const auto parsed = parse_instant(text, kNow);
    REQUIRE_MESSAGE(parsed, parsed.error().message);
    CHECK(*parsed == instant);
  }
}

TEST_CASE("time_text: what is no instant is refused by name") {
  const std::pair<const char*, const char*> refusals[] = {
      {"", "it is empty"},
      {"now", "the year must have 4 digits"},
      {"2026-11-30T20:07:10", "it has no offset (Z for UTC, or one like +01:00)"},
      {"2026-11-30T20:07:10.5", "it has no offset (Z for UTC, or one like +01:00)"},
      {"2026-11-30", "'T' between date and time is missing"},
      {"2026-11-30T20:07Z", "':' after the minute is missing"},
      {"2026-13-01T00:00:00Z", "there is no month 13"},
      {"2026-00-01T00:00:00Z", "there is no month 0"},
      {"2026-11-31T00:00:00Z", "there is no day 31"},
      {"2026-11-00T00:00:00Z", "there is no day 0"},
      {"2025-02-29T00:00:00Z", "there is no day 29"},
      {"2100-02-29T00:00:00Z", "there is no day 29"},
      {"1900-02-29T00:00:00Z", "there is no day 29"},
      {"2026-11-30T24:00:00Z", "there is no hour 24"},
      {"2026-11-30T20:60:00Z", "there is no minute 60"},
      {"2016-12-31T23:59:60Z", "there is no second 60"},
      {"2026-11-30T20:07:10+24:00", "there is no offset hour 24"},
      {"2026-11-30T20:07:10+01:60", "there is no offset minute 60"},
      {"2026-11-30T20:07:10+0100", "':' in the offset is missing"},
      {"2026-11-30T20:07:10+1", "the offset hour must have 2 digits"},
      {"2026-11-30T20:07:10 Z", "the offset, Z or one like +01:00, is missing"},
      {"2026-11-30T20:07:10.Z", "the fraction of a second has no digits"},
      {"2026-11-30T20:07:10Zx", "there is more after the offset"},
      {"26-11-30T20:07:10Z", "the year must have 4 digits"},
      {"2026-1-30T20:07:10Z", "the month must have 2 digits"},
      {"12026-11-30T20:07:10Z", "'-' after the year is missing"},
      {" 1796069230", "the year must have 4 digits"},
      {"1796069230.5", "'-' after the year is missing"},
      {"010", "it is no number of seconds that can be counted"},
      {"9223372036854775808", "it is no number of seconds that can be counted"},
      {"+", "\"\" is not a duration: it is empty"},
      {"+5", "\"5\" is not a duration: its unit is missing"},
      {"--5s", "\"-5s\" is not a duration: a whole number must come before each unit"},
      {"-5x", "\"5x\" is not a duration: \"x\" is not one of w, d, h, m, s, ms"},
  };
  for (const auto& [text, reason] : refusals) {
    CAPTURE(text);
    const auto parsed = parse_instant(text, kNow);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == errc::kInvalidInput);
    CHECK(parsed.error().message == std::string("\"") + text + "\" is not an instant: " + reason);
  }
}

TEST_CASE("time_text: relative instants stop at the ends of the range") {
  constexpr Instant kFirst = std::numeric_limits<Instant>::min();
  constexpr Instant kLast = std::numeric_limits<Instant>::max();
  CHECK(parse_instant("+1s", kLast) == kLast);
  CHECK(parse_instant("-1s", kFirst) == kFirst);
  CHECK(parse_instant("-2s", kFirst + 1) == kFirst);
}

TEST_CASE("time_text: instants are written in UTC, or as seconds outside of four-digit years") {
  CHECK(format_instant(0) == "1970-01-01T00:00:00Z");
  CHECK(format_instant(-1) == "1969-12-31T23:59:59Z");
  CHECK(format_instant(1'796'069'230) == "2026-11-30T20:07:10Z");
  CHECK(format_instant(-62'167'219'200) == "0000-01-01T00:00:00Z");
  CHECK(format_instant(-62'167'219'201) == "-62167219201");
  CHECK(format_instant(253'402'300'799) == "9999-12-31T23:59:59Z");
  CHECK(format_instant(253'402'300'800) == "253402300800");
  CHECK(format_instant(std::numeric_limits<Instant>::min()) == "-9223372036854775808");
}

TEST_CASE("time_text: every day of four-digit years is read back from its text") {
  Instant previous_midnight = -62'167'219'200 - 86'400;
  for (int year = 0; year <= 9999; ++year) {
    // The days around the end of February and of the year, where the calendar has its seams.
    for (const char* day : {"01-01", "02-28", "03-01", "12-31"}) {
      char text[32];
      std::snprintf(text, sizeof text, "%04d-%sT00:00:00Z", year, day);
      const auto midnight = parse_instant(text, 0);
      REQUIRE(midnight);
      REQUIRE(format_instant(*midnight) == text);
      if (std::string_view(day) == "01-01") REQUIRE(*midnight == previous_midnight + 86'400);
      previous_midnight = *midnight;
    }
  }
  for (Instant midnight = 946'684'800; midnight < 1'262'304'000; midnight += 86'400) {
    REQUIRE(parse_instant(format_instant(midnight + 45'296), 0) == midnight + 45'296);
  }
}

}  // namespace workctl
