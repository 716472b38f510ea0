#include "lacuna/read/detail/field_scanner.hpp"

#include <algorithm>
#include <cstring>

#include "lacuna/read/cell.hpp"

namespace lacuna::detail {

std::string_view Field::text(std::string& storage) const {
  if (!doubled) return raw;
  storage.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    storage += raw[i];
    if (raw[i] == '"') ++i;  // the second of the two
  }
  return storage;
}

std::size_t whole_lines(std::string_view text) {
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  const std::size_t end = text.find_last_of("\r\n");
  return end == std::string_view::npos ? 0 : end + 1;
}

void FieldScanner::skip_blanks() {
  while (p_ < end_ && is_blank(*p_)) ++p_;
}

void FieldScanner::end_line() {
  if (p_ < end_ && *p_ == '\r') ++p_;
  if (p_ < end_ && *p_ == '\n') ++p_;
  ++line_;
}

bool FieldScanner::next_row() {
  for (;;) {
    const char* start = p_;
    skip_blanks();
    if (p_ == end_) return false;
    if (!at_line_end()) {
      if (!blanks_) p_ = start;
      return true;
    }
    end_line();
  }
}

// After a field's content: consumes the delimiter, or the end of the line.
void FieldScanner::end_field() {
  if (blanks_) skip_blanks();
  row_done_ = at_line_end();
  if (row_done_)
    end_line();
  else if (!blanks_)
    ++p_;
}

bool FieldScanner::next_number(double& value) {
  skip_blanks();
  const char* q = read_number(p_, end_, value);
  if (!q) return false;
  if (q < end_ && *q != delimiter_ && *q != '\n' && *q != '\r') return false;
  p_ = q;
  end_field();
  return true;
}

bool FieldScanner::next(Field& field) {
  skip_blanks();
  field = {};
  if (p_ < end_ && *p_ == '"') return next_quoted(field);
  const char* start = p_;
  if (blanks_)
    while (!at_line_end() && !is_blank(*p_)) ++p_;
  else
    while (p_ < end_ && *p_ != delimiter_ && *p_ != '\n' && *p_ != '\r') ++p_;
  const char* stop = p_;
  while (stop > start && is_blank(stop[-1])) --stop;
  field.raw = {start, std::size_t(stop - start)};
  end_field();
  return true;
}

bool FieldScanner::next_quoted(Field& field) {
  field.quoted = true;
  const char* start = ++p_;
  for (;;) {
    const auto* quote = static_cast<const char*>(std::memchr(p_, '"', std::size_t(end_ - p_)));
    if (!quote) {
      problem_ = "a quote is opened here and never closed";
      p_ = end_;
      row_done_ = true;
      return false;
    }
    p_ = quote + 1;
    if (p_ == end_ || *p_ != '"') break;
    field.doubled = true;
    ++p_;
  }
  field.raw = {start, std::size_t(p_ - 1 - start)};
  // Lines inside the quotes: CRLF counts once.
  for (std::size_t i = 0; i < field.raw.size(); ++i)
    if (field.raw[i] == '\n' || (field.raw[i] == '\r' && (i + 1 == field.raw.size() || field.raw[i + 1] != '\n')))
      ++line_;
  const char* after = p_;
  skip_blanks();
  const bool well = at_line_end() || *p_ == delimiter_ || (blanks_ && p_ > after);
  if (!well) {
    problem_ = "text follows a closing quote (a quote inside quotes is written twice)";
    while (!at_line_end()) ++p_;
  }
  end_field();
  return well;
}

}  // namespace lacuna::detail
