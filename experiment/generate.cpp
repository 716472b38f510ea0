#include "experiment/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <ostream>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/base/random.hpp"

namespace lacuna {
namespace {

// Fills x with the features of row i and returns its target (for classes, a number or an index into `words`).
using RowGenerator = double (*)(Random& random, Index i, std::vector<double>& x);

struct Generator {
  int features;
  const char* target;
  RowGenerator row;
  std::vector<std::string> words{};    // text labels; empty: the target is a number
  const char* last_feature = nullptr;  // its name, where it is not x<d>
};

double ripley(Random& random, Index i, std::vector<double>& x) {
  constexpr double means[2][2][2] = {{{-0.7, 0.3}, {0.3, 0.3}}, {{-0.3, 0.7}, {0.4, 0.7}}};
  const auto c = std::size_t(i % 2);
  const auto& mean = means[c][random.below(2)];
  for (std::size_t j = 0; j < 2; ++j) x[j] = mean[j] + std::sqrt(0.03) * random.normal();
  return double(c);
}

double annulus(Random& random, Index i, std::vector<double>& x) {
  if (i % 2 == 0) {
    for (double& v : x) v = 0.25 * random.normal();
    return 1.0;
  }
  const double angle = 2.0 * std::numbers::pi * random.uniform();
  const double radius = 1.0 + 0.15 * random.normal();
  x = {radius * std::cos(angle), radius * std::sin(angle)};
  return -1.0;
}

double twonorm(Random& random, Index i, std::vector<double>& x) {
  const double label = i % 2 == 0 ? 1.0 : -1.0;
  for (double& v : x) v = label * 2.0 / std::sqrt(20.0) + random.normal();
  return label;
}

double ringnorm(Random& random, Index i, std::vector<double>& x) {
  const bool wide = i % 2 == 0;
  for (double& v : x) v = wide ? 2.0 * random.normal() : 2.0 / std::sqrt(20.0) + random.normal();
  return wide ? 1.0 : -1.0;
}

double waveform(Random& random, Index i, std::vector<double>& x) {
  constexpr int shift[3] = {0, 4, -4};  // h1, h2, h3
  constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  const auto c = std::size_t(i % 3);
  const auto triangle = [&](int which, int at) { return std::max(6.0 - std::abs(at - shift[which] - 11), 0.0); };
  const double u = random.uniform();
  for (std::size_t j = 0; j < x.size(); ++j) {
    const int at = int(j) + 1;
    x[j] = u * triangle(pairs[c][0], at) + (1.0 - u) * triangle(pairs[c][1], at) + random.normal();
  }
  return double(c);
}

double friedman1(Random& random, Index, std::vector<double>& x) {
  for (double& v : x) v = random.uniform();
  return 10.0 * std::sin(std::numbers::pi * x[0] * x[1]) + 20.0 * (x[2] - 0.5) * (x[2] - 0.5) + 10.0 * x[3] +
         5.0 * x[4] + random.normal();
}

double sinc(Random& random, Index, std::vector<double>& x) {
  x[0] = random.uniform(-10.0, 10.0);
  return (x[0] == 0.0 ? 1.0 : std::sin(x[0]) / x[0]) + 0.1 * random.normal();
}

double counts(Random& random, Index, std::vector<double>& x) {
  for (std::size_t j = 0; j < 4; ++j) x[j] = random.normal();
  const double exposure = x[4] = random.uniform(0.1, 2.0);
  const double rate = std::exp(0.5 + 0.6 * std::sin(2.0 * x[0]) + 0.4 * x[1] - 0.3 * x[2] * x[2]);
  return random.poisson(exposure * rate);
}

const std::array<std::string, 8> all_names{"ripley",   "annulus",   "twonorm", "ringnorm",
                                           "waveform", "friedman1", "sinc",    "counts"};

Generator generator(std::string_view name) {
  if (name == "ripley") return {2, "label", ripley};
  if (name == "annulus") return {2, "label", annulus};
  if (name == "twonorm") return {20, "label", twonorm};
  if (name == "ringnorm") return {20, "label", ringnorm};
  if (name == "waveform") return {21, "label", waveform, {"A", "B", "C"}};
  if (name == "friedman1") return {10, "y", friedman1};
  if (name == "sinc") return {1, "y", sinc};
  if (name == "counts") return {5, "count", counts, {}, "exposure"};
  fail_usage(fmt::format("generate: unknown name '{}'{}; the names are {}", name, did_you_mean(name, all_names),
                         join(all_names)));
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n;\t| ") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

std::span<const std::string> generator_names() { return all_names; }

Generation::Generation(std::string_view name, std::uint64_t seed) : name_(name), random_(seed) { generator(name); }

Table Generation::next(Index rows) {
  const Generator g = generator(name_);
  if (rows < 1) fail_usage(fmt::format("generate: {} rows; must be at least 1", rows));
  Table table;
  table.source = name_;
  table.has_header = true;
  table.rows = rows;
  table.columns.resize(std::size_t(g.features) + 1);
  for (std::size_t j = 0; j + 1 < table.columns.size(); ++j) table.columns[j].name = fmt::format("x{}", j + 1);
  if (g.last_feature) table.columns[std::size_t(g.features) - 1].name = g.last_feature;
  Column& target = table.columns.back();
  target.name = g.target;
  target.is_text = !g.words.empty();
  target.levels = g.words;
  std::vector<double> x(std::size_t(g.features));
  for (const Index end = made_ + rows; made_ < end; ++made_) {
    const double t = g.row(random_, made_, x);
    for (std::size_t j = 0; j < x.size(); ++j) table.columns[j].number.push_back(x[j]);
    if (target.is_text)
      target.code.push_back(std::int32_t(t));
    else
      target.number.push_back(t);
    table.line.push_back(made_ + 2);  // where write_csv() puts it
  }
  for (Column& c : table.columns)
    c.whole = !c.is_text && std::all_of(c.number.begin(), c.number.end(), [](double v) { return v == std::floor(v); });
  return table;
}

Table generate(std::string_view name, Index rows, std::uint64_t seed) { return Generation(name, seed).next(rows); }

void write_csv(const Table& table, std::ostream& out, bool with_names) {
  fmt::memory_buffer line;
  const auto end_line = [&] {
    line.push_back('\n');
    out.write(line.data(), std::streamsize(line.size()));
    line.clear();
  };
  const auto put = [&](std::size_t j, std::string_view text) {
    if (j > 0) line.push_back(',');
    line.append(text);
  };
  for (std::size_t j = 0; with_names && j < table.columns.size(); ++j) put(j, csv_text(table.columns[j].name));
  if (with_names) end_line();
  for (std::size_t i = 0; i < std::size_t(table.rows); ++i) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      const Column& c = table.columns[j];
      put(j, "");
      if (c.is_text) {
        if (c.code[i] >= 0) line.append(csv_text(c.levels[std::size_t(c.code[i])]));
      } else if (!std::isnan(c.number[i])) {
        fmt::format_to(std::back_inserter(line), "{}", c.number[i]);
      }
    }
    end_line();
  }
}

}  // namespace lacuna
