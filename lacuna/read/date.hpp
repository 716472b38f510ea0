// read/date.hpp -- dates in cells. A date in digits with the year first is a number of days, a month that of its first
// day. One that could be read two ways (3/4/2021) is never guessed, and words are not read.
//
//   2021-04-03   2021/04/03   2021.04.03   2021-04-03 17:30   2021-04-03T17:30:05.25Z   2021-04-03T17:30:05+02:00
//   2021-04   2021/04
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lacuna::detail {

/// Days since 1970-01-01 (UTC where a zone is given), with a fraction for the time of day; nothing for other text and
/// for days that no calendar has.
std::optional<double> read_day(std::string_view text);
/// The first day of a month of the years 1800 to 2199.
std::optional<double> read_month(std::string_view text);
/// Either.
std::optional<double> read_date(std::string_view text);

/// 2021-04-03, or 2021-04-03 17:30 where it is not the beginning of a day, to the minute; the number of days in years
/// that have not four digits.
std::string date_text(double days);

/// 3/4/2021, 03.04.21, 3-4-2021: day, month and year in an order that only its writer knows.
bool is_doubtful_date(std::string_view text);
/// 29 Jan 2020, Sep-10-2020, 29jan2020, Saturday 29 February 2020, Jan 2020: a month by its English name, with a
/// number.
bool is_worded_date(std::string_view text);

/// 20210403: a number whose digits are a day of the years 1800 to 2199.
bool has_digits_of_day(double number);

}  // namespace lacuna::detail
