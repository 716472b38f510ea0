// report/csv_line.hpp -- one line of CSV, cell by cell. It ends when the object does.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/base/matrix.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna {

/// A text as one cell: quoted when it holds what would end it.
inline std::string csv_cell(std::string_view text) {
  const bool blank_edge = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!blank_edge && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

class CsvLine {
 public:
  explicit CsvLine(std::ostream& out) : out_(out) {}
  ~CsvLine() { out_ << '\n'; }
  CsvLine(const CsvLine&) = delete;
  CsvLine& operator=(const CsvLine&) = delete;

  CsvLine& operator<<(const std::string& already_a_cell) {
    if (!first_) out_ << ',';
    first_ = false;
    out_ << already_a_cell;
    return *this;
  }
  /// The number of the row that the line is about.
  CsvLine& number(std::int64_t row) {
    row_ = row;
    return *this << std::to_string(row);
  }
  /// The shortest decimals that read back the same. What is no number is not written: a result without one is none.
  CsvLine& operator<<(double value) {
    if (!std::isfinite(value)) fail_data(fmt::format("write: row {}: a result is not a finite number", row_));
    return *this << number_text(value);
  }
  CsvLine& row(const Matrix& m, Index i) {
    for (Index c = 0; c < m.cols(); ++c) *this << m(i, c);
    return *this;
  }
  CsvLine& empty(std::size_t n) {
    for (; n > 0; --n) *this << "";
    return *this;
  }
  /// "output", or "output:A,output:B" where there are several.
  CsvLine& heading(const std::string& what, const std::vector<std::string>& of) {
    if (of.empty()) return *this << what;
    for (const std::string& one : of) *this << csv_cell(fmt::format("{}:{}", what, one));
    return *this;
  }

 private:
  std::ostream& out_;
  bool first_ = true;
  std::int64_t row_ = 0;
};

}  // namespace lacuna
