// data/table.hpp -- a file as it was read: named columns of numbers or of text, before anything is decided about them.
//
// read_table() takes CSV/TSV (delimiter, header, quotes, CRLF, BOM detected; gzip unpacked; "-" is stdin) and LIBSVM
// sparse text. A column is numeric when every cell that is not missing is a number, else text. Missing cells are those
// that are empty, NA, N/A, ?, null or NULL; blank lines are skipped. data/csv.hpp and data/libsvm.hpp say the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/data/rows.hpp"

namespace lacuna {

/// One column. Text cells are codes into `levels` (distinct texts in order of appearance); -1 is a missing cell.
/// Numeric cells are doubles; a missing cell is NaN. A numeric column also remembers whether all its values are
/// whole numbers. "nan", "inf" and their like are refused by the reader as neither missing nor finite numbers.
struct Column {
  std::string name;
  bool is_text = false;
  std::vector<double> number;
  std::vector<std::int32_t> code;
  std::vector<std::string> levels;
  std::int64_t missing = 0;         ///< how many cells are missing
  std::int64_t first_missing = -1;  ///< row (from 0) of the first
  bool whole = false;               ///< numeric, and every value is a whole number
};

struct Table {
  std::string source;                  ///< file name for messages; "standard input" for "-"
  std::vector<Column> columns;         ///< CSV
  std::optional<SparseMatrix> sparse;  ///< LIBSVM: the features; columns then holds the one column "target"
  bool zero_based = false;             ///< LIBSVM: index 0 occurs, so that column j is index j (else it is index j + 1)
  std::int64_t rows = 0;
  bool has_header = false;
  std::vector<std::int64_t> line;  ///< line number in the file (from 1) where row i starts
  std::vector<std::string> notes;  ///< what was guessed and may surprise

  const Column* find(std::string_view name) const;  ///< null: no such column
};

struct ReadOptions {
  enum class Format { automatic, csv, libsvm } format = Format::automatic;
  std::optional<char> delimiter{};     ///< empty: detected among , ; tab | and space
  std::optional<bool> header{};        ///< empty: detected
  std::vector<std::string> as_text{};  ///< columns (by name or 1-based index) that stay text even if all are numbers
};

/// Requires: a readable file. Throws Error(data) naming file, line, column, value and rule.
Table read_table(const std::string& path, const ReadOptions& options = {});
/// The same from memory (already unpacked); `source` is used in messages.
Table parse_table(std::string_view text, const std::string& source, const ReadOptions& options = {});

}  // namespace lacuna
