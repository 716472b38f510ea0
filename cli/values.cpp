// cli/values.cpp (of program.hpp) -- numbers, sizes, times and lists from words on the command line.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "cli/program.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"

namespace lacuna::cli {
namespace {

// The number at the front of `text`, which is shortened to what follows it.
std::optional<double> leading_number(std::string_view& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return {};
  text.remove_prefix(std::size_t(end - text.data()));
  return value;
}

[[noreturn]] void refuse(const std::string& option, const std::string& text, const std::string& rule) {
  fail_usage(fmt::format("{} {}: {}", option, text.empty() ? "\"\"" : text, rule));
}

struct Unit {
  std::string_view name;
  double factor;
};

double with_unit(const std::string& option, const std::string& text, std::initializer_list<Unit> units,
                 const std::string& rule) {
  std::string_view rest = text;
  const auto value = leading_number(rest);
  if (!value || *value <= 0.0) refuse(option, text, rule);
  std::string unit(rest);
  for (char& c : unit) c = char(std::toupper(static_cast<unsigned char>(c)));
  for (const Unit& u : units)
    if (u.name == unit) return *value * u.factor;
  refuse(option, text, rule);
}

}  // namespace

double positive_number(const std::string& option, const std::string& text) {
  std::string_view rest = text;
  const auto value = leading_number(rest);
  if (!value || !rest.empty()) refuse(option, text, "must be a number > 0");
  if (*value <= 0.0) refuse(option, text, "must be > 0");
  return *value;
}

double number_from_zero(const std::string& option, const std::string& text) {
  std::string_view rest = text;
  const auto value = leading_number(rest);
  if (!value || !rest.empty() || *value < 0.0) refuse(option, text, "must be a number >= 0");
  return *value;
}

std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    refuse(option, text, fmt::format("must be a whole number from {} to {}", low, high));
  return value;
}

double bytes_of(const std::string& option, const std::string& text) {
  return with_unit(option, text,
                   {{"", 1.0},
                    {"B", 1.0},
                    {"K", 1e3},
                    {"KB", 1e3},
                    {"KIB", 1024.0},
                    {"M", 1e6},
                    {"MB", 1e6},
                    {"MIB", 1048576.0},
                    {"G", 1e9},
                    {"GB", 1e9},
                    {"GIB", 1073741824.0},
                    {"T", 1e12},
                    {"TB", 1e12},
                    {"TIB", 1099511627776.0}},
                   "must be a size such as 500M, 4G or 1.5GiB");
}

std::string size_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
  return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

double seconds_of(const std::string& option, const std::string& text) {
  return with_unit(option, text, {{"", 1.0}, {"S", 1.0}, {"M", 60.0}, {"H", 3600.0}},
                   "must be a time such as 90 (seconds), 5m or 2h");
}

std::vector<std::string> comma_list(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, ',');)
    if (!one.empty()) out.push_back(one);
  return out;
}

std::vector<std::string> model_list(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& part : comma_list(text)) {
    const bool parameter = part.find('=') < part.find(':') || part == "logistic" || part == "probit";
    if (parameter && !out.empty())
      out.back() += "," + part;
    else
      out.push_back(part);
  }
  return out;
}

std::size_t choice(const std::string& option, const std::string& given, const std::vector<std::string>& choices) {
  const auto at = std::find(choices.begin(), choices.end(), given);
  if (at == choices.end())
    refuse(option, given, fmt::format("unknown{}; it is one of {}", did_you_mean(given, choices), join(choices)));
  return std::size_t(at - choices.begin());
}

}  // namespace lacuna::cli
