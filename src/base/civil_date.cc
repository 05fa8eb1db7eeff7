#include "base/civil_date.h"

#include <array>
#include <cstddef>

namespace workctl {
namespace {

// The calendar repeats every 400 years. Days are counted from the 1st of March of year -400, so
// that a leap day is the last of its year and no number is negative.

constexpr std::int64_t kDaysOf400Years = 146'097;
constexpr std::int64_t kDaysTo1970 = kDaysOf400Years + 719'468;

/// Days of the months before `month`, counted from March (0) to February (11).
constexpr std::int64_t days_before_month(std::int64_t month) { return (153 * month + 2) / 5; }

bool is_leap_year(std::int64_t year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

}  // namespace

int days_in_month(std::int64_t year, int month) {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month == 2 && is_leap_year(year)) return 29;
  return kDays[static_cast<std::size_t>(month - 1)];
}

std::int64_t days_from_civil(const CivilDate& date) {
  const std::int64_t years = date.year + 400 - (date.month <= 2 ? 1 : 0);
  const std::int64_t leap_days = years / 4 - years / 100 + years / 400;
  return years * 365 + leap_days + days_before_month((date.month + 9) % 12) + date.day - 1 -
         kDaysTo1970;
}

CivilDate civil_from_days(std::int64_t days) {
  const std::int64_t from_start = days + kDaysTo1970;
  const std::int64_t cycle = from_start / kDaysOf400Years;
  const std::int64_t day_of_cycle = from_start % kDaysOf400Years;
  // Takes out the leap days that came before, so that every year is as long as any other.
  const std::int64_t year_of_cycle =
      (day_of_cycle - day_of_cycle / 1'460 + day_of_cycle / 36'524 - day_of_cycle / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
  const std::int64_t from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t month = from_march < 10 ? from_march + 3 : from_march - 9;
  const std::int64_t year = (cycle - 1) * 400 + year_of_cycle + (month <= 2 ? 1 : 0);
  return {year, month, day_of_year - days_before_month(from_march) + 1};
}

}  // namespace workctl
