// read/detail/libsvm_reader.hpp -- reads LIBSVM's sparse text into a Table, window by window (read/libsvm.hpp says what
// is read and what is refused). The labels are read as the columns of a CSV are: as numbers, and when one of them is a
// word, once more as words; see read/detail/csv_reader.hpp for late columns.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "lacuna/read/detail/field_scanner.hpp"
#include "lacuna/read/detail/growing_column.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna::detail {

class LibsvmReader {
 public:
  LibsvmReader(std::string source, const ReadOptions& options,
               std::size_t most_levels = std::numeric_limits<std::int32_t>::max());

  static std::size_t header_bytes() { return 0; }
  static std::size_t whole_rows(std::string_view text) { return whole_lines(text); }

  /// Adds the rows of the next window to the table; their entries keep the file's indices until finish().
  void read(std::string_view window);
  bool has_late() const { return growth_.late; }
  void read_again(std::string_view window);
  std::int64_t rows_again() const { return rows_again_; }

  Table& table() { return table_; }
  /// After the last window: indices count from 0 from now on. Throws Error(data) for what could only be judged now.
  Table finish();

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  void read_pair(std::string_view word);
  void read_labels(std::string_view window, std::int64_t first_row);

  Table table_;
  std::size_t most_levels_;
  std::int64_t line_ = 0;       // of the row being read
  std::int64_t previous_ = -1;  // index before this one in the row
  std::int64_t rows_again_ = 0;
  Growth growth_{.takes_dates = false};
};

}  // namespace lacuna::detail
