#include "lacuna/read/detail/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/read/detail/sniff.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna::detail {

CsvReader::CsvReader(std::string_view head, std::string source, const ReadOptions& options, std::size_t most_levels)
    : delimiter_(options.delimiter.value_or(guess_delimiter(head, options.decimal))),
      decimal_(options.decimal),
      most_levels_(most_levels) {
  if (delimiter_ == decimal_)
    fail_usage("read: the delimiter and the decimal sign are the same character; give another delimiter");
  table_.source = std::move(source);
  const HeaderGuess guess = guess_header(head, delimiter_, decimal_);
  table_.has_header = options.header.value_or(guess.header);
  read_names(head);
  if (!options.header && !guess.sure)
    table_.notes.push_back(
        {Warning::Code::header_guessed, fmt::format("{}: no cell in sight is a number; the first row was taken as {}",
                                                    table_.source, guess.header ? "names" : "data")});
  growth_.resize(width());
  force_text(options.as_text);
}

void CsvReader::refuse_quotes(const FieldScanner& scanner, std::int64_t line, std::size_t column) const {
  const std::string name = column < width() ? column_name(column) : "";
  fail_data(fmt::format("read: {}: {}", place(table_.source, line, column, name), scanner.problem()));
}

void CsvReader::refuse_ragged(FieldScanner& scanner, std::size_t fields, std::int64_t line) const {
  Field field;
  for (; !scanner.row_done(); ++fields) scanner.next(field);
  fail_data(fmt::format("read: {} line {}: {} field{} found, {} expected as in the first row", table_.source, line,
                        fields, fields == 1 ? "" : "s", width()));
}

// The first row: it fixes the number of columns, and their names when it is a header.
void CsvReader::read_names(std::string_view head) {
  FieldScanner scanner(head, delimiter_);
  if (!scanner.next_row()) fail_data(fmt::format("read: {}: the file is empty", table_.source));
  std::string storage;
  Field field;
  const std::int64_t header_line = scanner.line();
  do {
    const std::int64_t line = scanner.line();
    if (!scanner.next(field)) refuse_quotes(scanner, line, width());
    Column& column = table_.columns.emplace_back();
    column.whole = true;
    if (table_.has_header) column.name = field.text(storage);
    if (column.name.empty()) column.name = fmt::format("x{}", width());
  } while (!scanner.row_done());
  if (!table_.has_header) return;
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t j = 0; j < width(); ++j) {
    const auto [other, fresh] = seen.emplace(table_.columns[j].name, j);
    if (!fresh)
      fail_data(fmt::format("read: {} line {}: columns {} and {} are both named {}; names must differ", table_.source,
                            header_line, other->second + 1, j + 1, quoted(table_.columns[j].name)));
  }
  header_bytes_ = std::size_t(scanner.position() - head.data());
  lines_before_ = scanner.line() - 1;
}

void CsvReader::force_text(const std::vector<std::string>& as_text) {
  for (const std::string& given : as_text) {
    const auto j = find_column(table_, given);
    if (!j) {
      std::vector<std::string> names;
      for (const Column& c : table_.columns) names.push_back(c.name);
      fail_usage(fmt::format("read: {} has no column {}{}", table_.source, quoted(given), did_you_mean(given, names)));
    }
    table_.columns[*j].is_text = true;
  }
}

std::size_t CsvReader::whole_rows(std::string_view text) const {
  if (text.find('"') == std::string_view::npos) return whole_lines(text);
  FieldScanner scanner(text, delimiter_);
  Field field;
  std::size_t whole = 0;
  while (scanner.next_row()) {
    do scanner.next(field);
    while (!scanner.row_done());
    const auto end = std::size_t(scanner.position() - text.data());
    if (end < text.size() || text.back() == '\n') whole = end;
  }
  return whole;
}

// From the length of the first row, so that columns seldom grow.
void CsvReader::reserve(std::string_view window) {
  const std::size_t line_end = window.find('\n');
  const std::size_t roughly = line_end == std::string_view::npos ? 1 : window.size() / (line_end + 1) * 9 / 8 + 16;
  for (Column& c : table_.columns)
    if (!c.is_text) c.number.reserve(c.number.size() + roughly);
}

void CsvReader::read_numbers(std::string_view window) {
  FieldScanner scanner(window, delimiter_);
  std::string storage;
  Field field;
  while (scanner.next_row()) {
    const std::int64_t line = scanner.line() + lines_before_;
    table_.line.push_back(line);
    std::size_t j = 0;
    do {
      if (j == width()) refuse_ragged(scanner, j, line);
      Column& column = table_.columns[j];
      double value = 0.0;
      if (!column.is_text && decimal_ == '.' && scanner.next_number(value)) {
        column.number.push_back(value);
      } else {
        const std::int64_t field_line = scanner.line() + lines_before_;
        if (!scanner.next(field)) refuse_quotes(scanner, field_line, j);
        if (!column.is_text) grow_number(column, growth_[j], table_.rows, field.text(storage), decimal_);
      }
      ++j;
    } while (!scanner.row_done());
    if (j < width()) refuse_ragged(scanner, j, line);
    ++table_.rows;
  }
  lines_before_ += scanner.line() - 1;
}

// Returns the row after the window's last (`first_row` when no column is wanted).
std::int64_t CsvReader::read_texts(std::string_view window, std::int64_t first_row, bool late) {
  std::vector<bool> wanted(width());
  bool any = false;
  for (std::size_t j = 0; j < width(); ++j) {
    wanted[j] = table_.columns[j].is_text && growth_[j].late == late;
    any = any || wanted[j];
    if (wanted[j] && first_row == 0) begin_text(table_.columns[j]);
  }
  if (!any) return first_row;
  FieldScanner scanner(window, delimiter_);
  std::string storage;
  Field field;
  std::int64_t row = first_row;
  for (; scanner.next_row(); ++row) {
    std::size_t j = 0;
    do {
      scanner.next(field);
      if (wanted[j]) grow_text(table_.columns[j], growth_[j], row, field.text(storage), most_levels_, decimal_);
    } while (++j, !scanner.row_done());
  }
  return row;
}

void CsvReader::read(std::string_view window) {
  const std::int64_t first_row = table_.rows;
  std::vector<std::size_t> before;
  std::vector<bool> was_text;
  for (const Column& c : table_.columns) {
    before.push_back(c.number.size());
    was_text.push_back(c.is_text);
  }
  reserve(window);
  read_numbers(window);
  for (std::size_t j = 0; j < width(); ++j) {
    Column& column = table_.columns[j];
    if (column.is_text)
      growth_[j].late = growth_[j].late || (first_row > 0 && !was_text[j]);
    else
      note_values(column, before[j]);
  }
  read_texts(window, first_row, false);
}

bool CsvReader::has_late() const {
  return std::any_of(growth_.begin(), growth_.end(), [](const Growth& g) { return g.late; });
}

void CsvReader::read_again(std::string_view window) { rows_again_ = read_texts(window, rows_again_, true); }

Table CsvReader::finish() {
  if (table_.rows == 0) fail_data(fmt::format("read: {}: there are column names but no rows", table_.source));
  for (std::size_t j = 0; j < width(); ++j) {
    Column& column = table_.columns[j];
    if (column.is_text) {
      column.whole = false;
    } else if (growth_[j].offending_row >= 0) {
      fail_data(fmt::format("read: {}: {} is not a finite number; a missing value is left empty or written NA",
                            place(table_.source, table_.line[growth_[j].offending_row], j, column_name(j)),
                            quoted(growth_[j].offending_cell)));
    } else if (const Growth& g = growth_[j]; g.dates > 0) {
      column.dates = g.dates == table_.rows - column.missing;
      if (!column.dates)
        fail_data(fmt::format("read: {}: a date in a column of numbers; all of its cells must be dates, or none",
                              place(table_.source, table_.line[g.first_date], j, column_name(j))));
    }
  }
  return std::move(table_);
}

}  // namespace lacuna::detail
