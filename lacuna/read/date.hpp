// read/date.hpp -- dates in cells. A date whose order nobody can doubt is a number of days; one that could be read two
// ways (3/4/2021) is never guessed.
//
//   2021-04-03   2021/04/03   2021-04-03 17:30   2021-04-03T17:30:05.25Z   2021-04-03T17:30:05+02:00
#pragma once

#include <optional>
#include <string_view>

namespace lacuna::detail {

/// Days since 1970-01-01 (UTC where a zone is given), with a fraction for the time of day; nothing for other text and
/// for days that no calendar has.
std::optional<double> read_date(std::string_view text);

/// 3/4/2021, 03.04.21, 3-4-2021: day, month and year in an order that only its writer knows.
bool is_doubtful_date(std::string_view text);

}  // namespace lacuna::detail
