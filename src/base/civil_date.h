#pragma once

/// Dates of the Gregorian calendar, as far back as it is reckoned, and days on a line. For the
/// years 0 to 9999.

#include <cstdint>

namespace workctl {

struct CivilDate {
  std::int64_t year;
  std::int64_t month;  ///< from 1
  std::int64_t day;    ///< from 1
};

/// Days of a month (1 to 12).
int days_in_month(std::int64_t year, int month);

/// Days from 1970-01-01 to `date`; negative before.
std::int64_t days_from_civil(const CivilDate& date);

/// The date that many days after 1970-01-01.
CivilDate civil_from_days(std::int64_t days);

}  // namespace workctl
