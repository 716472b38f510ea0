#include "lacuna/read/detail/sniff.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "lacuna/read/cell.hpp"
#include "lacuna/read/date.hpp"
#include "lacuna/read/detail/field_scanner.hpp"

namespace lacuna::detail {
namespace {

constexpr int sample_rows = 100;
constexpr std::size_t sample_bytes = std::size_t(1) << 20;

// The beginning of the text, whole lines only.
std::string_view sample(std::string_view text) {
  if (text.size() <= sample_bytes) return text;
  const std::size_t line_end = text.substr(0, sample_bytes).find_last_of("\r\n");
  return line_end == std::string_view::npos ? text : text.substr(0, line_end + 1);
}

bool is_pair(std::string_view token) {
  const std::size_t colon = token.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::all_of(token.begin(), token.begin() + std::ptrdiff_t(colon), digit) &&
         read_cell(token.substr(colon + 1)).kind == CellKind::number;
}

// How many of the sampled rows have as many fields as the first, as a fraction; 0 when the first has only one.
double agreement(std::string_view text, char delimiter) {
  FieldScanner scanner(text, delimiter);
  Field field;
  long rows = 0, agree = 0, expected = 0;
  while (rows < sample_rows && scanner.next_row()) {
    long fields = 0;
    bool well = true;
    do {
      well = scanner.next(field) && well;
      ++fields;
    } while (!scanner.row_done());
    if (rows == 0) expected = fields;
    if (well && fields == expected) ++agree;
    ++rows;
  }
  return expected > 1 ? double(agree) / double(rows) : 0.0;
}

std::vector<std::string> row_texts(FieldScanner& scanner) {
  std::vector<std::string> out;
  std::string storage;
  Field field;
  do {
    scanner.next(field);
    out.emplace_back(field.text(storage));
  } while (!scanner.row_done());
  return out;
}

// A number or a day: no name of a column. A month may be one, of a table with a column for each.
bool is_value(std::string_view text, char decimal) {
  const CellKind kind = read_cell(text, decimal).kind;
  return kind == CellKind::number || kind == CellKind::not_finite || read_day(text);
}

bool looks_like_libsvm(std::string_view text) {
  FieldScanner scanner(sample(text), ' ');
  int rows = 0, shaped = 0;
  while (rows < sample_rows && scanner.next_row()) {
    const std::vector<std::string> tokens = row_texts(scanner);
    const auto comment = std::find_if(tokens.begin(), tokens.end(), [](const auto& t) { return t[0] == '#'; });
    if (comment == tokens.begin()) continue;
    ++rows;
    if (comment - tokens.begin() > 1 && std::all_of(tokens.begin() + 1, comment, is_pair)) ++shaped;
  }
  return shaped > 0 && 2 * shaped >= rows;
}

}  // namespace

bool is_libsvm(std::string_view text, const ReadOptions& options) {
  using Format = ReadOptions::Format;
  if (options.format != Format::automatic) return options.format == Format::libsvm;
  return !options.delimiter && looks_like_libsvm(text);
}

char guess_delimiter(std::string_view text, char decimal) {
  text = sample(text);
  char best = decimal == ',' ? ';' : ',';
  double most = 0.0;
  for (const char candidate : {'\t', ';', ',', '|'}) {
    if (candidate == decimal) continue;
    const double a = agreement(text, candidate);
    if (a > most) {
      most = a;
      best = candidate;
    }
  }
  if (most <= 0.5 && agreement(text, ' ') > most) return ' ';
  return best;
}

HeaderGuess guess_header(std::string_view text, char delimiter, char decimal) {
  FieldScanner scanner(sample(text), delimiter);
  if (!scanner.next_row()) return {};
  const std::vector<std::string> first = row_texts(scanner);
  if (std::any_of(first.begin(), first.end(), [&](const auto& t) { return is_value(t, decimal); })) return {};
  bool repeated = false;
  int rows = 0;
  for (; rows < sample_rows && scanner.next_row(); ++rows) {
    const std::vector<std::string> row = row_texts(scanner);
    for (std::size_t j = 0; j < std::min(row.size(), first.size()); ++j) {
      if (is_value(row[j], decimal)) return {.header = true};
      repeated = repeated || row[j] == first[j];
    }
  }
  return {.header = !repeated, .sure = rows == 0};
}

}  // namespace lacuna::detail
