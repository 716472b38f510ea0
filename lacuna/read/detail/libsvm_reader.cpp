#include "lacuna/read/detail/libsvm_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lacuna/base/error.hpp"
#include "lacuna/read/cell.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna::detail {
namespace {

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

// The next line of the text, which loses it and its end (LF, CRLF or CR); comments are left out.
std::string_view next_line(std::string_view& text) {
  const std::size_t stop = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, stop);
  const bool crlf = text.substr(stop, 2) == "\r\n";
  text.remove_prefix(std::min(text.size(), stop + (crlf ? 2 : 1)));
  return line.substr(0, line.find('#'));
}

}  // namespace

LibsvmReader::LibsvmReader(std::string source, const ReadOptions& options, std::size_t most_levels)
    : most_levels_(most_levels) {
  table_.source = std::move(source);
  table_.has_header = true;  // the one column has a name
  Column& labels = table_.columns.emplace_back();
  labels.name = "target";
  labels.is_text = std::find(options.as_text.begin(), options.as_text.end(), "target") != options.as_text.end();
  labels.whole = true;
  table_.sparse.emplace();
}

void LibsvmReader::refuse(const std::string& what) const {
  fail_data(fmt::format("read: {} line {}: {}", table_.source, line_, what));
}

void LibsvmReader::read_pair(std::string_view word) {
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
  if (index <= previous_) refuse(fmt::format("index {} follows index {}; indices must ascend", index, previous_));
  const Cell value = read_cell(word.substr(colon + 1));
  if (value.kind != CellKind::number)
    refuse(fmt::format("value {} of index {} is not a finite number", quoted(word.substr(colon + 1)), index));
  previous_ = index;
  table_.zero_based = table_.zero_based || index == 0;
  SparseMatrix& X = *table_.sparse;
  X.cols = std::max<Index>(X.cols, index + 1);
  if (value.number == 0.0) return;  // a zero written out says only that the column exists
  X.column.push_back(std::int32_t(index));
  X.value.push_back(value.number);
}

void LibsvmReader::read(std::string_view window) {
  const std::int64_t first_row = table_.rows;
  Column& labels = table_.columns[0];
  SparseMatrix& X = *table_.sparse;
  const bool was_text = labels.is_text;
  const std::size_t before = labels.number.size();
  // Entries that a streaming caller has taken away still count.
  const std::int64_t entries_before = X.row_start.back() - std::int64_t(X.value.size());
  for (std::string_view text = window; !text.empty();) {
    std::string_view line = next_line(text);
    ++line_;
    const std::string_view label = next_word(line);
    if (label.empty()) continue;
    if (label.find(':') != std::string_view::npos)
      refuse(fmt::format("{} stands where the label should be; write ? for an unknown label", quoted(label)));
    if (!labels.is_text) grow_number(labels, growth_, table_.rows, label, '.');
    table_.line.push_back(line_);
    previous_ = -1;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) read_pair(word);
    X.row_start.push_back(entries_before + std::int64_t(X.value.size()));
    ++table_.rows;
  }
  X.rows = table_.rows;
  if (!labels.is_text) return note_values(labels, before);
  growth_.late = growth_.late || (first_row > 0 && !was_text);
  if (!growth_.late) read_labels(window, first_row);
}

void LibsvmReader::read_labels(std::string_view window, std::int64_t first_row) {
  if (first_row == 0) begin_text(table_.columns[0]);
  rows_again_ = first_row;
  while (!window.empty()) {
    std::string_view line = next_line(window);
    const std::string_view label = next_word(line);
    if (!label.empty()) grow_text(table_.columns[0], growth_, rows_again_++, label, most_levels_, '.');
  }
}

void LibsvmReader::read_again(std::string_view window) { read_labels(window, rows_again_); }

Table LibsvmReader::finish() {
  if (table_.rows == 0) fail_data(fmt::format("read: {}: the file is empty", table_.source));
  SparseMatrix& X = *table_.sparse;
  if (table_.zero_based) {
    table_.notes.push_back({Warning::Code::indices_from_zero,
                            fmt::format("{}: index 0 occurs, so indices were taken to count from 0", table_.source)});
  } else {
    for (std::int32_t& j : X.column) --j;
    X.cols = std::max<Index>(0, X.cols - 1);
  }
  Column& labels = table_.columns[0];
  labels.whole = labels.whole && !labels.is_text;
  if (!labels.is_text && growth_.offending_row >= 0)
    fail_data(fmt::format("read: {}: label {} is not a finite number", place(table_, growth_.offending_row),
                          quoted(growth_.offending_cell)));
  return std::move(table_);
}

}  // namespace lacuna::detail
