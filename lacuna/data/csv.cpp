#include "lacuna/data/csv.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/data/detail/cell.hpp"
#include "lacuna/data/detail/fields.hpp"
#include "lacuna/data/detail/place.hpp"
#include "lacuna/data/detail/sniff.hpp"

namespace lacuna {
namespace {

using detail::CellKind;
using detail::Field;
using detail::FieldScanner;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Looks texts up without making a string of each.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using LevelCodes = std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>>;

// The first cell of a column that looks like a number and is none that we can use.
struct Offence {
  std::int64_t row = -1;
  std::string value;
};

struct Reader {
  std::string_view text{};
  char delimiter = ',';
  Table table{};
  std::vector<Offence> offence{};
  std::string_view body{};     // the text after the header,
  std::int64_t body_line = 1;  // which begins on this line

  std::size_t width() const { return table.columns.size(); }
  std::string column_name(std::size_t j) const { return table.has_header ? table.columns[j].name : ""; }
  [[noreturn]] void refuse_quotes(const FieldScanner& scanner, std::int64_t line, std::size_t column) const;
  [[noreturn]] void refuse_ragged(FieldScanner& scanner, std::size_t fields, std::int64_t line) const;
  void read_names();
  void force_text(const std::vector<std::string>& as_text);
  void read_numbers();
  void number_cell(std::size_t j, std::string_view cell);
  void read_texts();
  void finish();
};

void Reader::refuse_quotes(const FieldScanner& scanner, std::int64_t line, std::size_t column) const {
  const std::string name = column < width() ? column_name(column) : "";
  fail_data(fmt::format("read: {}: {}", detail::place(table.source, line, column, name), scanner.problem()));
}

void Reader::refuse_ragged(FieldScanner& scanner, std::size_t fields, std::int64_t line) const {
  Field field;
  for (; !scanner.row_done(); ++fields) scanner.next(field);
  fail_data(fmt::format("read: {} line {}: {} field{} found, {} expected as in the first row", table.source, line,
                        fields, fields == 1 ? "" : "s", width()));
}

// The first row: it fixes the number of columns, and their names when it is a header.
void Reader::read_names() {
  FieldScanner scanner(text, delimiter);
  if (!scanner.next_row()) fail_data(fmt::format("read: {}: the file is empty", table.source));
  std::string storage;
  Field field;
  const std::int64_t header_line = scanner.line();
  do {
    const std::int64_t line = scanner.line();
    if (!scanner.next(field)) refuse_quotes(scanner, line, width());
    Column& column = table.columns.emplace_back();
    if (table.has_header) column.name = field.text(storage);
    if (column.name.empty()) column.name = fmt::format("x{}", width());
  } while (!scanner.row_done());
  body = text;
  if (!table.has_header) return;
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t j = 0; j < width(); ++j) {
    const auto [other, fresh] = seen.emplace(table.columns[j].name, j);
    if (!fresh)
      fail_data(fmt::format("read: {} line {}: columns {} and {} are both named {}; names must differ", table.source,
                            header_line, other->second + 1, j + 1, detail::quoted(table.columns[j].name)));
  }
  body = text.substr(std::size_t(scanner.position() - text.data()));
  body_line = scanner.line();
}

void Reader::force_text(const std::vector<std::string>& as_text) {
  for (const std::string& given : as_text) {
    const auto j = detail::find_column(table, given);
    if (!j) {
      std::vector<std::string> names;
      for (const Column& c : table.columns) names.push_back(c.name);
      fail_usage(
          fmt::format("read: {} has no column {}{}", table.source, detail::quoted(given), did_you_mean(given, names)));
    }
    table.columns[*j].is_text = true;
  }
}

void Reader::number_cell(std::size_t j, std::string_view cell_text) {
  Column& column = table.columns[j];
  const std::int64_t row = table.rows;
  const detail::Cell cell = detail::read_cell(cell_text);
  switch (cell.kind) {
    case CellKind::number:
      column.number.push_back(cell.number);
      return;
    case CellKind::missing:
      if (column.missing++ == 0) column.first_missing = row;
      column.number.push_back(nan);
      return;
    case CellKind::not_finite:
      if (offence[j].row < 0) offence[j] = {row, std::string(cell_text)};
      column.number.push_back(nan);
      return;
    case CellKind::text:
      column.is_text = true;
      column.number = {};
      return;
  }
}

void Reader::read_numbers() {
  const auto roughly_rows = [&] {  // from the length of the first row, so that columns seldom grow
    const std::size_t line_end = body.find('\n');
    return line_end == std::string_view::npos ? 1 : body.size() / (line_end + 1) * 9 / 8 + 16;
  }();
  for (Column& c : table.columns)
    if (!c.is_text) c.number.reserve(roughly_rows);
  table.line.reserve(roughly_rows);

  FieldScanner scanner(body, delimiter);
  std::string storage;
  Field field;
  while (scanner.next_row()) {
    const std::int64_t line = scanner.line() + body_line - 1;
    table.line.push_back(line);
    std::size_t j = 0;
    do {
      if (j == width()) refuse_ragged(scanner, j, line);
      Column& column = table.columns[j];
      double value = 0.0;
      if (!column.is_text && scanner.next_number(value)) {
        column.number.push_back(value);
      } else {
        const std::int64_t field_line = scanner.line() + body_line - 1;
        if (!scanner.next(field)) refuse_quotes(scanner, field_line, j);
        if (!column.is_text) number_cell(j, field.text(storage));
      }
      ++j;
    } while (!scanner.row_done());
    if (j < width()) refuse_ragged(scanner, j, line);
    ++table.rows;
  }
}

void Reader::read_texts() {
  std::vector<LevelCodes> codes(width());
  bool any = false;
  for (Column& c : table.columns) {
    any = any || c.is_text;
    if (!c.is_text) continue;
    c.code.reserve(std::size_t(table.rows));
    c.missing = 0;
    c.first_missing = -1;
  }
  if (!any) return;
  FieldScanner scanner(body, delimiter);
  std::string storage;
  Field field;
  for (std::int64_t row = 0; scanner.next_row(); ++row) {
    std::size_t j = 0;
    do {
      scanner.next(field);
      Column& column = table.columns[j];
      if (!column.is_text) continue;
      const std::string_view cell = field.text(storage);
      if (detail::is_missing(cell)) {
        if (column.missing++ == 0) column.first_missing = row;
        column.code.push_back(-1);
        continue;
      }
      auto known = codes[j].find(cell);
      if (known == codes[j].end()) {
        known = codes[j].emplace(cell, std::int32_t(column.levels.size())).first;
        column.levels.emplace_back(cell);
      }
      column.code.push_back(known->second);
    } while (++j, !scanner.row_done());
  }
}

void Reader::finish() {
  for (std::size_t j = 0; j < width(); ++j) {
    Column& column = table.columns[j];
    if (column.is_text) continue;
    if (offence[j].row >= 0)
      fail_data(fmt::format("read: {}: {} is not a finite number; a missing value is left empty or written NA",
                            detail::place(table.source, table.line[std::size_t(offence[j].row)], j, column_name(j)),
                            detail::quoted(offence[j].value)));
    column.whole = true;
    for (const double x : column.number) column.whole = column.whole && (x == std::floor(x) || std::isnan(x));
  }
}

}  // namespace

Table parse_csv(std::string_view text, const std::string& source, const ReadOptions& options) {
  Reader reader{.text = text, .delimiter = options.delimiter.value_or(detail::guess_delimiter(text))};
  reader.table.source = source;
  const detail::HeaderGuess guess = detail::guess_header(text, reader.delimiter);
  reader.table.has_header = options.header.value_or(guess.header);
  reader.read_names();
  if (!options.header && !guess.sure)
    reader.table.notes.push_back(fmt::format("{}: no cell in sight is a number; the first row was taken as {}", source,
                                             guess.header ? "names" : "data"));
  reader.offence.resize(reader.width());
  reader.force_text(options.as_text);
  reader.read_numbers();
  if (reader.table.rows == 0) fail_data(fmt::format("read: {}: there are column names but no rows", source));
  reader.read_texts();
  reader.finish();
  return std::move(reader.table);
}

}  // namespace lacuna
