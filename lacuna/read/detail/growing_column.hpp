// read/detail/growing_column.hpp -- a column while its cells are being read. It holds numbers until a cell shows that
// it holds text; its texts are then read from the beginning, and become levels.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lacuna/read/table.hpp"

namespace lacuna::detail {

/// What reading a column needs beside the column itself.
struct Growth {
  // Looks texts up without making a string of each.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct LevelKind {
    bool number = false, date = false, other_decimal = false;
  };
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> codes{};
  std::vector<LevelKind> kinds{};   // of the levels
  std::int64_t offending_row = -1;  // of the first cell that looks like a number and is none that we can use
  std::string offending_cell{};
  bool takes_dates = true;
  std::int64_t dates = 0, first_date = -1;  // cells that are dates, and the row of the first
  bool late = false;                        // the first text came when earlier cells were no longer at hand
};

/// Reads a cell of a column of numbers that is not plainly a number; a date is one of days. A text makes the column one
/// of text, and empties it.
void grow_number(Column& column, Growth& growth, std::int64_t row, std::string_view cell, char decimal);

/// Reads a cell of a column of text. Levels beyond `most_levels` share the code -2.
void grow_text(Column& column, Growth& growth, std::int64_t row, std::string_view cell, std::size_t most_levels,
               char decimal);
/// Before the first of them.
void begin_text(Column& column);

/// Notes whether the numbers from `first` on are whole, and the largest.
void note_values(Column& column, std::size_t first);

}  // namespace lacuna::detail
