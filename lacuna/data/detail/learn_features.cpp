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
void refuse_other_dates(const Table& table, std::size_t j) {
  const Column& column = table.columns[j];
  const auto other = [](const std::string& text) { return is_doubtful_date(text) || is_worded_date(text); };
  if (!column.is_text || 2 * std::ranges::count_if(column.levels, other) <= std::ssize(column.levels)) return;
  const std::string& date = *std::ranges::find_if(column.levels, other);
  fail_data(fmt::format(
      "data: {}, {}: {} looks like a date, and {}; write dates as 2021-04-03, which are taken as days, or `ignore={}` "
      "leaves the column out",
      table.source, column_words(table, j), quoted(date),
      is_worded_date(date) ? "only digits with the year first are read"
                           : "which of its numbers is the month nobody can tell",
      column.name));
}

// Codes from what is known of columns, and what is to be said of them.
struct Learner {
  const std::string& source;
  std::int64_t rows;
  const DataOptions& options;
  Encoding& encoding;
  std::vector<std::string> filled{};        // "column (missing cells)"
  std::vector<std::string> twin_columns{};  // "b = a"
  std::vector<std::string> constant{};      // names of features left out
  std::vector<std::string> dates{};         // names of columns
  std::vector<std::string> eight_digits{};  // names of columns
  std::vector<std::string> long_lists{};    // "column (levels)"

  void learn(ColumnFacts facts);
  void add(std::string name, std::int32_t level, const Moments& moments);
  void add_indicator(const ColumnFacts& facts);
  void say(Warnings& notes) const;
};

// What the rows of a table say of one column after another.
struct Reader {
  const Table& table;
  const DataOptions& options;
  const RowList& rows;
  const Vector& weights;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> seen{};  // numeric columns by fingerprint

  ColumnFacts numbers(std::size_t j);
  ColumnFacts levels(std::size_t j) const;
  double missing_share(std::vector<std::int32_t> level, std::int32_t missing) const;
  std::string twin(std::size_t j, std::span<const double> x);
};

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

// Of the missing cells of the last column, where it is asked for.
void Learner::add_indicator(const ColumnFacts& facts) {
  if (options.missing == Missing::indicator && options.encode_features && facts.missing > 0)
    add(facts.name + " missing", missing_level(encoding.columns.back()), indicator_moments(facts.missing_share));
}

void Learner::learn(ColumnFacts facts) {
  ColumnCode& code = encoding.columns.emplace_back();
  code.name = facts.name;
  code.categorical = facts.categorical;
  code.position = facts.position;
  const bool some = facts.categorical ? !facts.levels.empty() : facts.missing < rows;
  if (facts.missing > 0 && some) filled.push_back(fmt::format("{} ({})", facts.name, facts.missing));
  if (!facts.categorical) {
    code.fill = facts.present.centre;
    code.date = facts.dates;
    if (facts.dates) dates.push_back(facts.name);
    if (facts.digits_of_days) eight_digits.push_back(facts.name);
    if (!facts.twin.empty() && !facts.complete.constant && options.encode_features)
      twin_columns.push_back(fmt::format("{} = {}", facts.name, facts.twin));
    add(facts.name, -1, facts.complete);
    if (some) add_indicator(facts);
    return;
  }
  const std::size_t count = facts.levels.size();
  const std::size_t most = std::min<std::size_t>(1000, std::max<std::size_t>(2, std::size_t(rows) / 2));
  if (count > most)
    fail_data(
        fmt::format("data: {}, {}: {} categories in {} rows, and at most {} can be encoded; `ignore={}` leaves the "
                    "column out",
                    source, facts.words, count, rows, most, facts.name));
  if (count > many_levels) long_lists.push_back(fmt::format("{} ({})", facts.name, count));
  for (std::size_t c = 0; c < count; ++c)
    add(fmt::format("{}={}", facts.name, facts.levels[c]), std::int32_t(c), indicator_moments(facts.share[c]));
  if (count == 0) constant.push_back(facts.name);
  encoding.columns.back().levels = std::move(facts.levels);
  if (count > 0) add_indicator(facts);
}

// The share of the weight of the rows whose level stands for a missing cell.
double Reader::missing_share(std::vector<std::int32_t> level, std::int32_t missing) const {
  for (std::int32_t& c : level) c = c == missing ? 0 : -1;
  return level_shares({.names = {"missing"}, .of_row = std::move(level)}, weights)[0];
}

std::string Reader::twin(std::size_t j, std::span<const double> x) {
  std::string name;
  std::vector<std::size_t>& twins = seen[fingerprint(x)];
  for (const std::size_t k : twins) {
    const Vector other = gather(table, k, rows);
    if (!std::equal(x.begin(), x.end(), other.begin())) continue;
    name = table.columns[k].name;
    break;
  }
  twins.push_back(j);
  return name;
}

ColumnFacts Reader::numbers(std::size_t j) {
  const LoadedColumn column(table, j);
  ColumnFacts facts{.name = column->name, .words = column_words(table, j), .position = std::int32_t(j)};
  facts.dates = table.columns[j].dates;
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
  facts.digits_of_days = !facts.dates && !present.empty() && std::ranges::all_of(present, has_digits_of_day);
  facts.present = facts.complete = weighted_moments(present, present_weights);
  facts.missing = std::int64_t(rows.size() - present.size());
  if (facts.missing == 0) {
    if (!facts.complete.constant && options.encode_features) facts.twin = twin(j, present);
    return facts;
  }
  ColumnCode code;
  code.fill = facts.present.centre;
  RawColumn complete = raw_column(table, j, code, rows);
  facts.complete = weighted_moments(complete.number, as_span(weights));
  facts.missing_share = missing_share(std::move(complete.level), missing_level(code));
  return facts;
}

ColumnFacts Reader::levels(std::size_t j) const {
  const Column& column = table.columns[j];
  if (!options.encode_features) require_numeric(table, j, "a precomputed kernel holds numbers only");
  ColumnFacts facts{.name = column.name, .words = column_words(table, j), .position = std::int32_t(j)};
  facts.categorical = true;
  Levels levels = levels_of(table, j, rows);
  for (const std::int32_t c : levels.of_row) facts.missing += c < 0;
  facts.share = level_shares(levels, weights);
  if (facts.missing > 0) facts.missing_share = missing_share(std::move(levels.of_row), -1);
  facts.levels = std::move(levels.names);
  return facts;
}

// "a, b, c and 4 more"
std::string list_some(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  std::string out;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) out += (k ? ", " : "") + names[k];
  if (names.size() > most) out += fmt::format(" and {} more", names.size() - most);
  return out;
}

void Learner::say(Warnings& notes) const {
  if (!filled.empty())
    notes.push_back(
        {Warning::Code::missing_filled,
         fmt::format("missing cells filled with the column's mean, or encoded as none of its categories{}: {}",
                     options.missing == Missing::indicator ? "; a feature of its own says where" : "",
                     list_some(filled))});
  if (!dates.empty())
    notes.push_back({Warning::Code::dates_as_days,
                     fmt::format("dates were taken as days since 1970-01-01: {}; `ignore=COL` leaves a column out",
                                 list_some(dates))});
  if (!eight_digits.empty())
    notes.push_back({Warning::Code::dates_as_numbers,
                     fmt::format("eight digits that are days of a calendar were taken as the numbers that they are: "
                                 "{}; written as 2021-04-03 they are taken as days",
                                 list_some(eight_digits))});
  if (!long_lists.empty())
    notes.push_back({Warning::Code::many_categories,
                     fmt::format("many categories, each a feature of its own: {}; `ignore=COL` leaves a column out",
                                 list_some(long_lists))});
  if (!twin_columns.empty())
    notes.push_back(
        {Warning::Code::equal_columns, fmt::format("columns with the same numbers: {}", list_some(twin_columns))});
  note_constant(constant, source, encoding, notes);
}

}  // namespace

void learn_features(const Table& table, const Roles& roles, const DataOptions& options, const RowList& rows,
                    const Vector& weights, Encoding& encoding, Warnings& notes) {
  Reader reader{table, options, rows, weights};
  Learner learner{table.source, std::int64_t(rows.size()), options, encoding};
  for (const std::size_t j : roles.features) {
    const Column& column = table.columns[j];
    if (!roles.categorical[j] && options.encode_features) {
      refuse_other_dates(table, j);
      refuse_stray_text(
          table, j, fmt::format("mend the cell, or `categorical={}` takes all its values as categories", column.name));
    }
    const bool categories = column.is_text || (roles.categorical[j] && options.encode_features);
    ColumnFacts facts = categories ? reader.levels(j) : reader.numbers(j);
    facts.dates = facts.dates && !roles.categorical[j] && options.encode_features;
    learner.learn(std::move(facts));
  }
  learner.say(notes);
}

void learn_features(std::vector<ColumnFacts> columns, const std::string& source, std::int64_t rows,
                    const DataOptions& options, Encoding& encoding, Warnings& notes) {
  Learner learner{source, rows, options, encoding};
  for (ColumnFacts& facts : columns) learner.learn(std::move(facts));
  learner.say(notes);
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
