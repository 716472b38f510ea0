// read/csv.hpp -- delimited text (CSV, TSV and their like) to a Table; read_table() is the usual door.
//
// Two passes over the text in memory. The first reads every field as a number, straight from the buffer; a column that
// shows a text gives up its numbers. The second, only when there are such columns, collects their levels
// (read/detail/csv_reader.hpp, which read/table_on_disk.hpp uses too). Cells follow
// read/cell.hpp (missing: empty, NA, N/A, NaN, nan, ?, null, NULL; never inf), fields read/detail/field_scanner.hpp.
//
// Refused, with file, line, column and value: an empty file; a header without rows; two columns of one name; a row with
// more or fewer fields than the first; quotes that do not match; inf and numbers beyond double precision in a column of
// numbers, and dates among numbers.
#pragma once

#include <string>
#include <string_view>

#include "lacuna/read/table.hpp"

namespace lacuna {

/// Requires: `text` is unpacked and without byte-order mark. Throws Error(data) as above.
Table parse_csv(std::string_view text, const std::string& source, const ReadOptions& options);

}  // namespace lacuna
