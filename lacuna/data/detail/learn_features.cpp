#include "lacuna/data/detail/learn_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "lacuna/base/error.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/data/detail/levels.hpp"
#include "lacuna/data/standardise.hpp"
#include "lacuna/read/cell.hpp"
#include "lacuna/read/cell_store.hpp"
#include "lacuna/read/date.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna::detail {
namespace {

std::uint64_t fingerprint(std::span<const double> x) {
  std::uint64_t h = 0;
  for (const double v : x) h = (std::rotl(h, 5) ^ std::bit_cast<std::uint64_t>(v)) * 0x9e3779b97f4a7c15U;
  return h;
}

// The share of the weight that each level has.
std::vector<double> level_shares(const Levels& levels, const Vector& weights) {
  const double unit = weights.size() > 0 ? weights.maxCoeff() : 1.0;
  std::vector<double> share(levels.names.size());
  double all = 0.0;
  for (std::size_t i = 0; i < levels.of_row.size(); ++i) {
    const double w = weights.size() > 0 ? weights[Index(i)] / unit : 1.0;
    all += w;
    if (levels.of_row[i] >= 0) share[std::size_t(levels.of_row[i])] += w;
  }
  for (double& s : share) s /= all;
  return share;
}

// More categories than this are seldom meant.
constexpr std::size_t many_levels = 100;

// Indicators of single days would be learned by heart.
void refuse_doubtful_dates(const Table& table, std::size_t j) {
  const Column& column = table.columns[j];
  const auto doubtful = std::ranges::find_if(column.levels, is_doubtful_date);
  if (!column.is_text || 2 * std::ranges::count_if(column.levels, is_doubtful_date) <= std::ssize(column.levels))
    return;
  fail_data(fmt::format(
      "data: {}, {}: {} looks like a date, and which of its numbers is the month nobody can tell; write dates "
      "as 2021-04-03, which are taken as days, or `ignore={}` leaves the column out",
      table.source, column_words(table, j), quoted(*doubtful), column.name));
}

struct Learner {
  const Table& table;
  const DataOptions& options;
  const RowList& rows;
  const Vector& weights;
  Encoding& encoding;
  Warnings& notes;
  std::vector<std::string> filled{};                                   // "column (missing cells)"
  std::vector<std::string> twin_columns{};                             // "b = a"
  std::vector<std::string> constant{};                                 // names of features left out
  std::vector<std::string> dates{};                                    // names of columns
  std::vector<std::string> long_lists{};                               // "column (levels)"
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> seen{};  // numeric columns by fingerprint

  void start_column(std::size_t j, bool categorical);
  void learn_number(std::size_t j);
  void learn_levels(std::size_t j);
  void note_twin(std::size_t j, std::span<const double> x);
  void add(std::string name, std::int32_t level, const Moments& moments);
  void add_indicator(const std::vector<std::int32_t>& level);
};

// Of the missing cells of the last column, where it is asked for.
void Learner::add_indicator(const std::vector<std::int32_t>& level) {
  const ColumnCode& code = encoding.columns.back();
  if (options.missing != Missing::indicator || !options.encode_features) return;
  Levels gaps{.names = {"missing"}, .of_row = {}};
  for (const std::int32_t c : level) gaps.of_row.push_back(c == missing_level(code) ? 0 : -1);
  add(code.name + " missing", missing_level(code), indicator_moments(level_shares(gaps, weights)[0]));
}

void Learner::add(std::string name, std::int32_t level, const Moments& moments) {
  if (moments.constant && options.encode_features) {
    constant.push_back(std::move(name));
    return;
  }
  const bool scaled = options.standardise && options.encode_features;
  encoding.features.push_back({.column = std::int32_t(encoding.columns.size()) - 1,
                               .level = level,
                               .centre = scaled ? moments.centre : 0.0,
                               .scale = scaled ? moments.scale : 1.0,
                               .name = std::move(name)});
}

void Learner::start_column(std::size_t j, bool categorical) {
  ColumnCode& code = encoding.columns.emplace_back();
  code.name = table.columns[j].name;
  code.categorical = categorical;
  code.position = std::int32_t(j);
}

void Learner::note_twin(std::size_t j, std::span<const double> x) {
  std::vector<std::size_t>& twins = seen[fingerprint(x)];
  for (const std::size_t k : twins) {
    const Vector other = gather(table, k, rows);
    if (!std::equal(x.begin(), x.end(), other.begin())) continue;
    twin_columns.push_back(fmt::format("{} = {}", table.columns[j].name, table.columns[k].name));
    break;
  }
  twins.push_back(j);
}

void Learner::learn_number(std::size_t j) {
  const LoadedColumn column(table, j);
  start_column(j, false);
  // The cells that are present, and their weights: copied only where that is not all of them.
  std::vector<double> some, some_weights;
  std::span<const double> present(column->number), present_weights = as_span(weights);
  if (column->missing > 0 || std::int64_t(rows.size()) < table.rows) {
    some.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double x = column->number[std::size_t(rows[i])];
      if (std::isnan(x)) continue;
      some.push_back(x);
      if (weights.size() > 0) some_weights.push_back(weights[Index(i)]);
    }
    present = some;
    present_weights = some_weights;
  }
  const Moments known = weighted_moments(present, present_weights);
  encoding.columns.back().fill = known.centre;
  if (present.size() == rows.size()) {
    add(column->name, -1, known);
    if (!known.constant && options.encode_features) note_twin(j, present);
    return;
  }
  const RawColumn complete = raw_column(table, j, encoding.columns.back(), rows);
  add(column->name, -1, weighted_moments(complete.number, as_span(weights)));
  if (present.empty()) return;
  filled.push_back(fmt::format("{} ({})", column->name, rows.size() - present.size()));
  add_indicator(complete.level);
}

void Learner::learn_levels(std::size_t j) {
  const Column& column = table.columns[j];
  if (!options.encode_features) require_numeric(table, j, "a precomputed kernel holds numbers only");
  Levels levels = levels_of(table, j, rows);
  const std::size_t count = levels.names.size();
  const std::size_t most = std::min<std::size_t>(1000, std::max<std::size_t>(2, rows.size() / 2));
  if (count > most)
    fail_data(
        fmt::format("data: {}, {}: {} categories in {} rows, and at most {} can be encoded; `ignore={}` leaves the "
                    "column out",
                    table.source, column_words(table, j), count, rows.size(), most, column.name));
  if (count > many_levels) long_lists.push_back(fmt::format("{} ({})", column.name, count));
  std::int64_t missing = 0;
  start_column(j, true);
  for (const std::int32_t c : levels.of_row) missing += c < 0;
  if (missing > 0 && count > 0) filled.push_back(fmt::format("{} ({})", column.name, missing));
  const std::vector<double> share = level_shares(levels, weights);
  for (std::size_t c = 0; c < count; ++c)
    add(fmt::format("{}={}", column.name, levels.names[c]), std::int32_t(c), indicator_moments(share[c]));
  if (count == 0) constant.push_back(column.name);
  encoding.columns.back().levels = std::move(levels.names);
  if (missing == 0 || count == 0) return;
  for (std::int32_t& c : levels.of_row)
    if (c < 0) c = std::int32_t(count);
  add_indicator(levels.of_row);
}

// "a, b, c and 4 more"
std::string list_some(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  std::string out;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) out += (k ? ", " : "") + names[k];
  if (names.size() > most) out += fmt::format(" and {} more", names.size() - most);
  return out;
}

}  // namespace

void learn_features(const Table& table, const Roles& roles, const DataOptions& options, const RowList& rows,
                    const Vector& weights, Encoding& encoding, Warnings& notes) {
  Learner learner{table, options, rows, weights, encoding, notes};
  for (const std::size_t j : roles.features) {
    const Column& column = table.columns[j];
    if (!roles.categorical[j] && options.encode_features) {
      refuse_doubtful_dates(table, j);
      refuse_stray_text(
          table, j, fmt::format("mend the cell, or `categorical={}` takes all its values as categories", column.name));
      if (column.dates) learner.dates.push_back(column.name);
    }
    if (column.is_text || (roles.categorical[j] && options.encode_features))
      learner.learn_levels(j);
    else
      learner.learn_number(j);
  }
  if (!learner.filled.empty())
    notes.push_back(
        {Warning::Code::missing_filled,
         fmt::format("missing cells filled with the column's mean, or encoded as none of its categories{}: {}",
                     options.missing == Missing::indicator ? "; a feature of its own says where" : "",
                     list_some(learner.filled))});
  if (!learner.dates.empty())
    notes.push_back({Warning::Code::dates_as_days,
                     fmt::format("dates were taken as days since 1970-01-01: {}; `ignore=COL` leaves a column out",
                                 list_some(learner.dates))});
  if (!learner.long_lists.empty())
    notes.push_back({Warning::Code::many_categories,
                     fmt::format("many categories, each a feature of its own: {}; `ignore=COL` leaves a column out",
                                 list_some(learner.long_lists))});
  if (!learner.twin_columns.empty())
    notes.push_back({Warning::Code::equal_columns,
                     fmt::format("columns with the same numbers: {}", list_some(learner.twin_columns))});
  note_constant(learner.constant, table.source, encoding, notes);
}

void note_constant(const std::vector<std::string>& constant, const std::string& source, const Encoding& encoding,
                   Warnings& notes) {
  if (encoding.features.empty())
    fail_data(fmt::format("data: {}: no feature is left; constant: {}", source, list_some(constant)));
  if (!constant.empty())
    notes.push_back(
        {Warning::Code::constant_features, fmt::format("{} constant feature{} left out: {}", constant.size(),
                                                       constant.size() == 1 ? "" : "s", list_some(constant))});
}

}  // namespace lacuna::detail
