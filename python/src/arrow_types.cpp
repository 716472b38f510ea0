#include "arrow_types.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna::python {
namespace {

constexpr std::string_view as_numbers = "convert them to numbers, such as days since a date, or leave the column out";
constexpr std::string_view spread_out = "give each of their values a column of its own, or leave the column out";
constexpr std::string_view as_text = "convert them to text to take them as categories, or leave the column out";

// By how the format begins; the first that fits.
constexpr std::array<std::pair<std::string_view, std::pair<std::string_view, std::string_view>>, 14> kinds{{
    {"td", {"dates", as_numbers}},
    {"ts", {"dates with times", as_numbers}},
    {"tt", {"times of day", as_numbers}},
    {"tD", {"durations", "convert them to numbers, such as seconds, or leave the column out"}},
    {"ti", {"calendar intervals", as_numbers}},
    {"z", {"bytes", as_text}},
    {"Z", {"bytes", as_text}},
    {"vz", {"bytes", as_text}},
    {"w:", {"bytes", as_text}},
    {"+s", {"structures of several values", spread_out}},
    {"+m", {"maps", spread_out}},
    {"+u", {"values of several types", as_text}},
    {"+r", {"runs of values", "expand them, or leave the column out"}},
    {"+", {"lists", spread_out}},
}};

int number_at(std::string_view& text) {
  int out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  text.remove_prefix(std::size_t(end - text.data()));
  if (!text.empty()) text.remove_prefix(1);  // the comma
  return error == std::errc() ? out : 0;
}

std::int32_t int_at(const char*& at) {
  std::int32_t out = 0;
  std::memcpy(&out, at, sizeof out);
  at += sizeof out;
  return out;
}

std::string_view text_at(const char*& at) {
  const std::int32_t size = int_at(at);
  const std::string_view out(at, std::size_t(size));
  at += size;
  return out;
}

}  // namespace

Decimal decimal_of(const ArrowSchema& schema) {
  std::string_view format = schema.format;
  if (!format.starts_with("d:")) return {};
  format.remove_prefix(2);
  number_at(format);  // the precision
  Decimal out{.bits = 128, .scale = number_at(format)};
  if (!format.empty()) out.bits = number_at(format);
  return out;
}

// The integer is in two's complement, the least byte first.
double decimal_number(const std::uint8_t* at, Decimal decimal) {
  std::vector<std::uint8_t> left(at, at + decimal.bits / 8);
  const bool negative = (left.back() & 0x80) != 0;
  if (negative) {
    int carry = 1;
    for (std::uint8_t& byte : left) {
      carry += std::uint8_t(~byte);
      byte = std::uint8_t(carry);
      carry >>= 8;
    }
  }
  std::string digits;
  while (std::ranges::any_of(left, [](std::uint8_t byte) { return byte != 0; })) {
    int rest = 0;
    for (std::size_t j = left.size(); j-- > 0;) {
      rest = rest * 256 + left[j];
      left[j] = std::uint8_t(rest / 10);
      rest %= 10;
    }
    digits.insert(digits.begin(), char('0' + rest));
  }
  if (digits.empty()) return 0.0;
  digits += "e" + std::to_string(-decimal.scale);
  double out = 0.0;
  std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return negative ? -out : out;
}

// A sign, five bits of exponent, ten of fraction.
double half_number(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const double size = exponent == 31 ? (fraction != 0 ? std::nan("") : std::numeric_limits<double>::infinity())
                      : exponent > 0 ? std::ldexp(1024 + fraction, exponent - 25)
                                     : std::ldexp(fraction, -24);
  return (bits & 0x8000) != 0 ? -size : size;
}

std::string extension_of(const ArrowSchema& schema) {
  const char* at = schema.metadata;
  if (at == nullptr) return "";
  for (std::int32_t left = int_at(at); left > 0; --left) {
    const std::string_view key = text_at(at), value = text_at(at);
    if (key == "ARROW:extension:name") return std::string(value);
  }
  return "";
}

std::string other_values(const ArrowSchema& schema) {
  if (const std::string name = extension_of(schema); !name.empty())
    return "values of the type \"" + name + "\"; " + std::string(as_text);
  const std::string_view format = schema.format;
  for (const auto& [start, words] : kinds)
    if (format.starts_with(start)) return std::string(words.first) + "; " + std::string(words.second);
  return "values of the Arrow type \"" + std::string(format) + "\"; " + std::string(as_text);
}

}  // namespace lacuna::python
