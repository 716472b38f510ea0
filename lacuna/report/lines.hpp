// report/lines.hpp -- the shape of a report for people: a word, and what it is, below each other.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// "1 row", "2 rows".
inline std::string plural(Index n, std::string_view word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

/// A line of two columns.
inline std::string labelled_line(std::string_view label, std::string_view value) {
  return fmt::format("  {:<11} {}\n", label, value);
}

}  // namespace lacuna
