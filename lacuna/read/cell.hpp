// read/cell.hpp -- what one cell of a text file is: missing, a number, something that only looks like one, or
// text.
//
//   missing      the empty cell, NA, N/A, NaN, nan, ?, null, NULL (exactly these spellings)
//   number       decimal, with an optional sign, fraction and exponent: 7  -0.5  +1e-3  .5  5.
//   not finite   inf, infinity, other nan in any case and with any sign; decimals too large for a double
//   text         everything else (hexadecimal, thousands separators and decimal commas among it, but for files that
//                are said to have decimal commas: there the decimal point is)
// A decimal too small for a double is the number 0.
#pragma once

#include <array>
#include <string_view>

namespace lacuna::detail {

enum class CellKind { missing, number, not_finite, text };

struct Cell {
  CellKind kind = CellKind::missing;
  double number = 0.0;  ///< set when kind is number
};

inline constexpr std::array<const char*, 8> missing_texts{"", "NA", "N/A", "NaN", "nan", "?", "null", "NULL"};
bool is_missing(std::string_view text);

/// Requires: no surrounding blanks.
Cell read_cell(std::string_view text, char decimal = '.');

/// Tries to read a finite number that starts at `first`. Returns the end of the longest number, or null when there is
/// none (also for nan and inf, which read_cell() judges).
const char* read_number(const char* first, const char* last, double& value);

}  // namespace lacuna::detail
