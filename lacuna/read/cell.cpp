#include "lacuna/read/cell.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace lacuna::detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<double, 23> powers_of_ten{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Whether a decimal that from_chars() found out of range is below the range: its leading digit stands at 10^(<= 0).
bool is_tiny(const char* first, const char* last) {
  std::int64_t place = 0;  // exponent of the leading non-zero digit, plus one
  bool point = false, leading = false;
  const char* p = first;
  for (; p < last && (is_digit(*p) || *p == '.'); ++p) {
    if (*p == '.') {
      point = true;
      continue;
    }
    if (*p != '0') leading = true;
    if (!point && leading) ++place;
    if (point && !leading) --place;
  }
  std::int64_t exponent = 0;
  if (p < last && (*p == 'e' || *p == 'E')) {
    ++p;
    const bool negative = p < last && *p == '-';
    if (p < last && (*p == '-' || *p == '+')) ++p;
    for (; p < last && is_digit(*p) && exponent < 1'000'000'000; ++p) exponent = 10 * exponent + (*p - '0');
    if (negative) exponent = -exponent;
  }
  return place + exponent <= 0;
}

const char* read_any_number(const char* first, const char* last, double& value) {
  const bool negative = first < last && *first == '-';
  const char* digits = first + (negative || (first < last && *first == '+') ? 1 : 0);
  if (digits == last || !(is_digit(*digits) || *digits == '.')) return nullptr;  // also: no second sign, nan, inf
  const auto [end, code] = std::from_chars(digits, last, value);
  if (code == std::errc::invalid_argument) return nullptr;
  if (code == std::errc::result_out_of_range) {
    if (!is_tiny(digits, last)) return nullptr;
    value = 0.0;
  }
  if (negative) value = -value;
  return end;
}

bool equal_ignoring_case(std::string_view a, std::string_view lower) {
  if (a.size() != lower.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char c = a[i] >= 'A' && a[i] <= 'Z' ? char(a[i] - 'A' + 'a') : a[i];
    if (c != lower[i]) return false;
  }
  return true;
}

bool is_not_finite(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (equal_ignoring_case(text, "nan") || equal_ignoring_case(text, "inf") || equal_ignoring_case(text, "infinity"))
    return true;
  double value = 0.0;  // a well-formed decimal that read_number() refused is too large
  if (text.empty() || !(is_digit(text[0]) || text[0] == '.')) return false;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc::result_out_of_range && end == text.data() + text.size();
}

}  // namespace

const char* read_number(const char* first, const char* last, double& value) {
  // Most cells are short decimals without exponent: digits m, of which k are decimals. When m < 2^53 and k <= 22 both
  // m and 10^k are exact doubles, so m / 10^k is correctly rounded; everything else goes to from_chars().
  const char* p = first;
  const bool negative = p < last && *p == '-';
  if (negative) ++p;
  std::uint64_t m = 0;
  const char* start = p;
  for (; p < last && is_digit(*p); ++p) m = 10 * m + std::uint64_t(*p - '0');
  std::ptrdiff_t n_digits = p - start, decimals = 0;
  if (p < last && *p == '.') {
    const char* fraction = ++p;
    for (; p < last && is_digit(*p); ++p) m = 10 * m + std::uint64_t(*p - '0');
    decimals = p - fraction;
    n_digits += decimals;
  }
  const bool exact = n_digits > 0 && n_digits <= 19 && m < (std::uint64_t(1) << 53);
  if (!exact || (p < last && (*p == 'e' || *p == 'E'))) return read_any_number(first, last, value);
  const double magnitude = double(m) / powers_of_ten[std::size_t(decimals)];
  value = negative ? -magnitude : magnitude;
  return p;
}

bool is_missing(std::string_view text) {
  return std::find(missing_texts.begin(), missing_texts.end(), text) != missing_texts.end();
}

Cell read_cell(std::string_view text, char decimal) {
  if (is_missing(text)) return {};
  if (decimal != '.') {
    if (text.find('.') != std::string_view::npos) return {CellKind::text, 0.0};
    std::string with_point(text);
    std::replace(with_point.begin(), with_point.end(), decimal, '.');
    return read_cell(with_point);
  }
  double value = 0.0;
  if (read_number(text.data(), text.data() + text.size(), value) == text.data() + text.size())
    return {CellKind::number, value};
  return {is_not_finite(text) ? CellKind::not_finite : CellKind::text, 0.0};
}

}  // namespace lacuna::detail
