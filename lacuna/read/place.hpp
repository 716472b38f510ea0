// read/place.hpp -- where in the data something is, in the words every refusal uses:
// `houses.csv line 18, column 4 (rooms)`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lacuna/read/table.hpp"

namespace lacuna::detail {

/// A cell's text in double quotes, cut when long, control characters made visible.
std::string quoted(std::string_view text);

/// "houses.csv line 18, column 4 (rooms)"; without a name "houses.csv line 18, column 4". `column` counts from 0.
std::string place(std::string_view source, std::int64_t line, std::size_t column, std::string_view name);

/// The place of a cell of a table (row and column from 0).
std::string place(const Table& table, std::int64_t row, std::size_t column);

/// The place of a row of a table: "houses.csv line 18".
std::string place(const Table& table, std::int64_t row);

/// A column of a table as messages name it: "column 4 (rooms)".
std::string column_words(const Table& table, std::size_t column);

/// The cell as a text for messages.
std::string cell_text(const Column& column, std::int64_t row);

/// The index (from 0) of a column given by name, or by 1-based index where no name matches.
std::optional<std::size_t> find_column(const Table& table, std::string_view given);

}  // namespace lacuna::detail
