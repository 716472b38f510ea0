// read/table.hpp -- a file as it was read: named columns of numbers or of text, before anything is decided about them.
//
// read_table() takes CSV/TSV (delimiter, header, quotes, CRLF, BOM detected; gzip unpacked; "-" is stdin) and LIBSVM
// sparse text. A column is numeric when every cell that is not missing is a number, else text. Missing cells are those
// that are empty, NA, N/A, NaN, nan, ?, null or NULL; a column of dates (read/date.hpp) is numeric, in days since
// 1970-01-01; blank lines are skipped. read/csv.hpp and read/libsvm.hpp say the rest.
// stream_table() (read/table_on_disk.hpp) reads the same into a file: such a table has everything but its cells in
// memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/base/rows.hpp"
#include "lacuna/base/warning.hpp"

namespace lacuna {

namespace detail {
class CellStore;
}

/// What the cells of a text column are, missing ones apart.
struct TextCells {
  std::int64_t cells = 0;
  std::int64_t numbers = 0;         ///< cells that are numbers all the same,
  std::int64_t dates = 0;           ///< or dates,
  std::int64_t other_decimals = 0;  ///< or would be numbers with the other decimal sign, a comma or a point
  std::int64_t first_stray = -1;    ///< row (from 0) of the first that is neither number nor date,
  std::string stray{};              ///< and its text
};

/// One column. Text cells are codes into `levels` (distinct texts in order of appearance); -1 is a missing cell.
/// Numeric cells are doubles; a missing cell is NaN. A numeric column also remembers whether all its values are
/// whole numbers. "inf" and its like are refused by the reader as neither missing nor finite numbers.
struct Column {
  std::string name;
  bool is_text = false;
  std::vector<double> number;
  std::vector<std::int32_t> code;
  std::vector<std::string> levels;
  std::int64_t missing = 0;         ///< how many cells are missing
  std::int64_t first_missing = -1;  ///< row (from 0) of the first
  bool whole = false;               ///< numeric, and every value is a whole number
  bool dates = false;               ///< numeric, and every value was a date
  double largest = 0.0;             ///< numeric, as read: the largest magnitude
  TextCells text{};                 ///< text, as read
  bool levels_complete = true;      ///< false: a streamed column with more texts than could be kept (their code is -2)
};

/// The lines (from 1) on which rows start. Rows on consecutive lines cost nothing.
class LineNumbers {
 public:
  LineNumbers() = default;
  LineNumbers(const std::vector<std::int64_t>& lines) {  // NOLINT: a list of lines is what this is
    for (const std::int64_t line : lines) push_back(line);
  }
  void push_back(std::int64_t line) {
    if (size_ == 0 || line != last_ + 1) stretches_.push_back({size_, line});
    last_ = line;
    ++size_;
  }
  std::int64_t size() const { return size_; }
  std::int64_t operator[](std::int64_t row) const;
  bool operator==(const LineNumbers&) const = default;

 private:
  struct Stretch {
    std::int64_t row, line;  // where it begins
    bool operator==(const Stretch&) const = default;
  };
  std::vector<Stretch> stretches_;
  std::int64_t size_ = 0, last_ = 0;
};

struct Table {
  std::string source;                  ///< file name for messages; "standard input" for "-"
  std::vector<Column> columns;         ///< CSV
  std::optional<SparseMatrix> sparse;  ///< LIBSVM: the features; columns then holds the one column "target"
  bool zero_based = false;             ///< LIBSVM: index 0 occurs, so that column j is index j (else it is index j + 1)
  std::int64_t rows = 0;
  bool has_header = false;
  LineNumbers line;  ///< line number in the file (from 1) where row i starts
  Warnings notes;    ///< what was guessed and may surprise
  /// Where the cells are, when they are not in columns and sparse (which then has its row_start only); null: in memory.
  std::shared_ptr<const detail::CellStore> store{};

  const Column* find(std::string_view name) const;  ///< null: no such column
};

struct ReadOptions {
  enum class Format { automatic, csv, libsvm } format = Format::automatic;
  std::optional<char> delimiter{};     ///< empty: detected among , ; tab | and space
  char decimal = '.';                  ///< or a comma
  std::optional<bool> header{};        ///< empty: detected
  std::optional<double> most_bytes{};  ///< of memory: read_table() refuses text that needs more, with its cells
  std::vector<std::string> as_text{};  ///< columns (by name or 1-based index) that stay text even if all are numbers
};

/// A copy of the chosen rows (from 0), in the order given; levels stay, whether or not a row still has them. Requires:
/// a table in memory.
Table take_rows(const Table& table, std::span<const Index> rows);

/// Requires: a readable file. Throws Error(data) naming file, line, column, value and rule.
Table read_table(const std::string& path, const ReadOptions& options = {});
/// The same from memory (already unpacked); `source` is used in messages.
Table parse_table(std::string_view text, const std::string& source, const ReadOptions& options = {});

/// "3" for 3.0, shortest round-trip decimal otherwise: how numeric labels are written everywhere.
std::string number_text(double value);

}  // namespace lacuna
