// read/detail/csv_reader.hpp -- reads delimited text into a Table, window by window (read/csv.hpp says what is read and
// what is refused; read/detail/libsvm_reader.hpp is its sibling).
//
// Each window of whole rows is read twice: every field as a number, straight from the buffer; then, where columns have
// shown a text, those as text. A text that first shows in a later window is late: the column's earlier cells are gone,
// and a second pass over all windows reads them as text. With the whole text as one window nothing is ever late.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "lacuna/read/detail/field_scanner.hpp"
#include "lacuna/read/detail/growing_column.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna::detail {

class CsvReader {
 public:
  /// Guesses delimiter and header from `head`, the beginning of the text, and reads the names.
  CsvReader(std::string_view head, std::string source, const ReadOptions& options,
            std::size_t most_levels = std::numeric_limits<std::int32_t>::max());

  std::size_t header_bytes() const { return header_bytes_; }  ///< the first window begins after these
  /// How many leading bytes of a text that begins with a row are whole rows.
  std::size_t whole_rows(std::string_view text) const;

  /// Adds the rows of the next window to the table.
  void read(std::string_view window);
  /// Whether there are late columns; they have no cells until each window was read again.
  bool has_late() const;
  void read_again(std::string_view window);
  std::int64_t rows_again() const { return rows_again_; }

  Table& table() { return table_; }
  /// After the last window. Throws Error(data) for what could only be judged now.
  Table finish();

 private:
  std::size_t width() const { return table_.columns.size(); }
  std::string column_name(std::size_t j) const { return table_.has_header ? table_.columns[j].name : ""; }
  [[noreturn]] void refuse_quotes(const FieldScanner& scanner, std::int64_t line, std::size_t column) const;
  [[noreturn]] void refuse_ragged(FieldScanner& scanner, std::size_t fields, std::int64_t line) const;
  void read_names(std::string_view head);
  void force_text(const std::vector<std::string>& as_text);
  void reserve(std::string_view window);
  void read_numbers(std::string_view window);
  std::int64_t read_texts(std::string_view window, std::int64_t first_row, bool late);

  Table table_;
  char delimiter_, decimal_;
  std::size_t most_levels_;
  std::size_t header_bytes_ = 0;
  std::int64_t lines_before_ = 0;  // lines of the text before the next window
  std::int64_t rows_again_ = 0;    // rows read again
  std::vector<Growth> growth_;
};

}  // namespace lacuna::detail
