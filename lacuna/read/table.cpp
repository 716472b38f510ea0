#include "lacuna/read/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/read/csv.hpp"
#include "lacuna/read/detail/bytes.hpp"
#include "lacuna/read/detail/sniff.hpp"
#include "lacuna/read/detail/windows.hpp"
#include "lacuna/read/libsvm.hpp"

namespace lacuna {
std::int64_t LineNumbers::operator[](std::int64_t row) const {
  const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), row,
                                      [](std::int64_t r, const Stretch& s) { return r < s.row; });
  return after[-1].line + row - after[-1].row;
}

const Column* Table::find(std::string_view name) const {
  for (const Column& c : columns)
    if (c.name == name) return &c;
  return nullptr;
}

Table take_rows(const Table& table, std::span<const Index> rows) {
  Table out;
  out.source = table.source;
  out.zero_based = table.zero_based;
  out.has_header = table.has_header;
  out.rows = std::int64_t(rows.size());
  for (const Index i : rows) out.line.push_back(table.line[i]);
  if (table.sparse) out.sparse = take_rows(RowsView(*table.sparse), rows).sparse();
  for (const Column& all : table.columns) {
    Column& c = out.columns.emplace_back();
    c.name = all.name;
    c.is_text = all.is_text;
    c.levels = all.levels;
    c.whole = all.whole;
    c.largest = all.largest;
    c.levels_complete = all.levels_complete;
    for (const Index i : rows) {
      bool gap = false;
      if (all.is_text) {
        c.code.push_back(all.code[std::size_t(i)]);
        gap = c.code.back() < 0;
      } else {
        c.number.push_back(all.number[std::size_t(i)]);
        gap = std::isnan(c.number.back());
      }
      if (gap && c.missing++ == 0) c.first_missing = std::int64_t(c.is_text ? c.code.size() : c.number.size()) - 1;
    }
  }
  return out;
}

Table parse_table(std::string_view text, const std::string& source, const ReadOptions& options) {
  text = detail::plain_text(text, source);
  return detail::is_libsvm(text, options) ? parse_libsvm(text, source, options) : parse_csv(text, source, options);
}

namespace {

// Whether the text and its cells fit side by side, by counting what separates them: "1,1,1" grows to four times its
// length.
void require_room(std::string_view text, const std::string& source, const ReadOptions& options) {
  const auto count = [&](char c) { return double(std::count(text.begin(), text.end(), c)); };
  const bool sparse = detail::is_libsvm(text, options);
  const double cells =
      sparse ? 12.0 * count(':') + 16.0 * count('\n')
             : 8.0 * (count(options.delimiter.value_or(detail::guess_delimiter(text, options.decimal))) + count('\n'));
  const double needed = double(text.size()) + cells;
  if (needed > *options.most_bytes)
    fail_data(
        fmt::format("read: {}: {:.3g} MB of text are too much: with their cells they need {:.3g} MB of memory, and "
                    "{:.3g} MB are allowed; {}",
                    source, double(text.size()) / 1e6, needed / 1e6, *options.most_bytes / 1e6, detail::less_text));
}

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options) {
  detail::TextReader reader(path, options);
  const detail::Bytes text = detail::read_text(reader, options.most_bytes);
  if (options.most_bytes) require_room(text.view(), reader.source(), options);
  return parse_table(text.view(), reader.source(), options);
}

std::string number_text(double value) {
  return fmt::format("{}", value == 0.0 ? 0.0 : value);  // minus zero is zero
}

}  // namespace lacuna
