#include "lacuna/data/libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "lacuna/base/error.hpp"
#include "lacuna/data/detail/cell.hpp"
#include "lacuna/data/detail/place.hpp"

namespace lacuna {
namespace {

using detail::CellKind;
using detail::quoted;

// One below the largest std::int32_t, so that the number of columns fits it too, counting from 0.
constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max() - 1;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The next word of a line, which loses it; empty at the end.
std::string_view next_word(std::string_view& line) {
  std::size_t start = 0;
  while (start < line.size() && is_blank(line[start])) ++start;
  std::size_t stop = start;
  while (stop < line.size() && !is_blank(line[stop])) ++stop;
  const std::string_view word = line.substr(start, stop - start);
  line.remove_prefix(stop);
  return word;
}

// The next line of the text, which loses it and its end (LF, CRLF or CR).
std::string_view next_line(std::string_view& text) {
  const std::size_t stop = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, stop);
  const bool crlf = text.substr(stop, 2) == "\r\n";
  text.remove_prefix(std::min(text.size(), stop + (crlf ? 2 : 1)));
  return line;
}

struct Reader {
  const std::string& source;
  std::int64_t line_number = 0;
  std::int64_t previous = -1;  // index before this one in the row
  bool zero_based = false;
  SparseMatrix X{};

  [[noreturn]] void refuse(const std::string& what) const {
    fail_data(fmt::format("read: {} line {}: {}", source, line_number, what));
  }
  void read_pair(std::string_view word);
};

void Reader::read_pair(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) refuse(fmt::format("{} is not of the form index:value", quoted(word)));
  if (word.substr(0, colon) == "qid") refuse("ranking data (qid) are not supported");
  std::int64_t index = 0;
  const char* stop = word.data() + colon;
  const auto [end, code] = std::from_chars(word.data(), stop, index);
  const bool whole_number = end == stop && colon > 0 && word[0] != '-';
  if (!whole_number || code == std::errc::invalid_argument)
    refuse(
        fmt::format("index {} of {} must be a whole number, 0 or more", quoted(word.substr(0, colon)), quoted(word)));
  if (code == std::errc::result_out_of_range || index > largest_index)
    refuse(fmt::format("index of {} is too large; at most {} is possible", quoted(word), largest_index));
  if (index <= previous) refuse(fmt::format("index {} follows index {}; indices must ascend", index, previous));
  const detail::Cell value = detail::read_cell(word.substr(colon + 1));
  if (value.kind != CellKind::number)
    refuse(fmt::format("value {} of index {} is not a finite number", quoted(word.substr(colon + 1)), index));
  previous = index;
  zero_based = zero_based || index == 0;
  X.cols = std::max<Index>(X.cols, index + 1);
  if (value.number == 0.0) return;  // a zero written out says only that the column exists
  X.column.push_back(std::int32_t(index));
  X.value.push_back(value.number);
}

// Numbers when every label is one, else words.
Column label_column(const std::vector<std::string_view>& labels, const Table& table, bool as_text) {
  Column out;
  out.name = "target";
  out.is_text = as_text;
  std::size_t offence = labels.size();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const detail::Cell cell = detail::read_cell(labels[i]);
    if (cell.kind == CellKind::missing && out.missing++ == 0) out.first_missing = std::int64_t(i);
    if (cell.kind == CellKind::text) out.is_text = true;
    if (cell.kind == CellKind::not_finite) offence = std::min(offence, i);
    out.number.push_back(cell.kind == CellKind::number ? cell.number : std::nan(""));
  }
  if (!out.is_text) {
    if (offence < labels.size())
      fail_data(fmt::format("read: {}: label {} is not a finite number", detail::place(table, std::int64_t(offence)),
                            quoted(labels[offence])));
    out.whole =
        std::all_of(out.number.begin(), out.number.end(), [](double x) { return x == std::floor(x) || std::isnan(x); });
    return out;
  }
  out.number.clear();
  std::unordered_map<std::string_view, std::int32_t> codes;
  for (const std::string_view label : labels) {
    if (detail::is_missing(label)) {
      out.code.push_back(-1);
      continue;
    }
    const auto [known, fresh] = codes.emplace(label, std::int32_t(codes.size()));
    if (fresh) out.levels.emplace_back(label);
    out.code.push_back(known->second);
  }
  return out;
}

}  // namespace

Table parse_libsvm(std::string_view text, const std::string& source, const ReadOptions& options) {
  Table table;
  table.source = source;
  table.has_header = true;  // the one column has a name
  Reader reader{.source = source};
  std::vector<std::string_view> labels;
  while (!text.empty()) {
    std::string_view line = next_line(text);
    ++reader.line_number;
    line = line.substr(0, line.find('#'));
    const std::string_view label = next_word(line);
    if (label.empty()) continue;
    if (label.find(':') != std::string_view::npos)
      reader.refuse(fmt::format("{} stands where the label should be; write ? for an unknown label", quoted(label)));
    labels.push_back(label);
    table.line.push_back(reader.line_number);
    reader.previous = -1;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) reader.read_pair(word);
    reader.X.row_start.push_back(std::int64_t(reader.X.value.size()));
  }
  if (labels.empty()) fail_data(fmt::format("read: {}: the file is empty", source));
  table.rows = std::int64_t(labels.size());
  SparseMatrix& X = reader.X;
  X.rows = table.rows;
  table.zero_based = reader.zero_based;
  if (table.zero_based) {
    table.notes.push_back(fmt::format("{}: index 0 occurs, so indices were taken to count from 0", source));
  } else {
    for (std::int32_t& j : X.column) --j;
    X.cols = std::max<Index>(0, X.cols - 1);
  }
  const bool as_text = std::find(options.as_text.begin(), options.as_text.end(), "target") != options.as_text.end();
  table.columns.push_back(label_column(labels, table, as_text));
  table.sparse = std::move(X);
  return table;
}

}  // namespace lacuna
