// read/detail/field_scanner.hpp -- cuts delimited text into fields, as RFC 4180 has it and a little more:
//
//   * a line ends with LF, CRLF or CR; the last one may end with the text;
//   * a field that begins with a double quote ends with the next single one ("" inside stands for "), and may hold
//     delimiters and line ends; blanks around the quotes are dropped;
//   * blanks around an unquoted field are dropped; a quote in its middle is an ordinary character;
//   * with the blank as delimiter, runs of blanks and tabs are one delimiter, and those at both ends of a line are
//   none;
//   * blank lines are no rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lacuna::detail {

struct Field {
  std::string_view raw;  ///< without the quotes, doubled quotes still doubled
  bool quoted = false;
  bool doubled = false;  ///< has doubled quotes

  /// The text of the field; `storage` is used when quotes must be undoubled.
  std::string_view text(std::string& storage) const;
};

/// How many leading bytes of a text are whole lines. A CR at its very end counts for none: an LF may follow.
std::size_t whole_lines(std::string_view text);

class FieldScanner {
 public:
  FieldScanner(std::string_view text, char delimiter)
      : p_(text.data()), end_(text.data() + text.size()), delimiter_(delimiter), blanks_(delimiter == ' ') {}

  /// Moves to the next row that is not blank; false at the end of the text.
  bool next_row();
  /// Line (from 1) of the scanner's position.
  std::int64_t line() const { return line_; }
  /// Where the next field begins.
  const char* position() const { return p_; }

  /// Reads one field; afterwards row_done() tells whether it was the row's last.
  /// Returns false (and has moved on to the next line) when a quoted field is malformed; problem() then says how.
  bool next(Field& field);
  bool row_done() const { return row_done_; }
  const char* problem() const { return problem_; }

  /// Reads one field if it is a plain finite number that fills the field; else returns false and next() reads the same
  /// field.
  bool next_number(double& value);

 private:
  bool at_line_end() const { return p_ == end_ || *p_ == '\n' || *p_ == '\r'; }
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }
  void skip_blanks();
  void end_line();
  void end_field();
  bool next_quoted(Field& field);

  const char* p_;
  const char* end_;
  char delimiter_;
  bool blanks_;  // the delimiter is any run of blanks
  bool row_done_ = true;
  std::int64_t line_ = 1;
  const char* problem_ = nullptr;
};

}  // namespace lacuna::detail
