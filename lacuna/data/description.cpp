#include "lacuna/data/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/data/detail/learn_features.hpp"
#include "lacuna/data/detail/offset.hpp"
#include "lacuna/data/detail/roles.hpp"
#include "lacuna/read/cell.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna {
namespace {

using detail::quoted;
using detail::RowList;

// The parts of a table have to agree before they are seen together.
void check_options(const DataOptions& options) {
  if (options.missing == Missing::indicator)
    fail_usage("data: rows in parts have no features of missing cells; take `missing=mean` or `missing=drop`");
  if (!options.prices.empty())
    fail_usage("data: rows in parts have no prices of their own; take one price for all rows, or weights");
  if (options.group || options.train_weights || options.select_weights)
    fail_usage("data: rows in parts have one column of weights, and no groups");
}
void check_part(const Table& part, const DataOptions& options) {
  if (part.sparse) fail_usage("data: rows in parts are tables; sparse rows come in one piece");
  check_options(options);
}

bool as_classes(const DataOptions& options) { return options.task == DataOptions::TaskRequest::classification; }

void describe_cells(const Column& column, const RowList& rows, const Vector& weights, ColumnDescription& out) {
  const auto weight = [&](std::size_t i) { return weights.size() > 0 ? weights[Index(i)] : 1.0; };
  std::vector<ColumnDescription::Level> of_code(column.levels.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = std::size_t(rows[i]);
    if (detail::cell_missing(column, rows[i])) {
      ++out.missing;
    } else if (column.is_text) {
      auto& level = of_code[std::size_t(column.code[row])];
      ++level.rows;
      level.weight.add(weight(i));
    } else if (const double x = column.number[row]; out.listed) {
      auto& level = out.levels[number_text(x)];
      ++level.rows;
      level.weight.add(weight(i));
    } else {
      const double w = weight(i), square = x * x;
      out.low = std::min(out.low, x);
      out.high = std::max(out.high, x);
      out.weight.add(w);
      out.first.add(x, w);
      out.second.add(square, w);
      out.second.add(std::fma(x, x, -square), w);
    }
  }
  for (std::size_t c = 0; c < of_code.size(); ++c)
    if (of_code[c].rows > 0) out.levels.emplace(column.levels[c], of_code[c]);
}

ColumnDescription describe_column(const Table& part, std::size_t j, bool listed, const RowList& rows,
                                  const Vector& weights) {
  const Column& column = part.columns[j];
  ColumnDescription out{.name = column.name, .position = std::int32_t(j)};
  const bool some = column.missing < part.rows;
  out.text = column.is_text && some;
  out.numbers = !column.is_text && some;
  out.dates = !some || column.dates;
  out.listed = listed || column.is_text;
  describe_cells(column, rows, weights, out);
  return out;
}

void add_column(ColumnDescription& to, const ColumnDescription& from) {
  if (to.name != from.name)
    fail_data(fmt::format("data: one part has a column {} where another has {}", quoted(to.name), quoted(from.name)));
  to.text = to.text || from.text;
  to.numbers = to.numbers || from.numbers;
  if (to.text && to.numbers && !(to.listed && from.listed))
    fail_data(
        fmt::format("data: column {} holds numbers in one part and texts in another; `categorical={}` takes all "
                    "its values as categories",
                    to.name, to.name));
  to.dates = to.dates && from.dates;
  to.listed = to.listed || from.listed;
  to.missing += from.missing;
  to.low = std::min(to.low, from.low);
  to.high = std::max(to.high, from.high);
  to.weight.add(from.weight);
  to.first.add(from.first);
  to.second.add(from.second);
  for (const auto& [name, level] : from.levels) {
    auto& sum = to.levels[name];
    sum.rows += level.rows;
    sum.weight.add(level.weight);
  }
}

bool has_values(const ColumnDescription& column) { return column.text || column.numbers; }

void add_columns(std::vector<ColumnDescription>& to, const std::vector<ColumnDescription>& from) {
  if (to.size() != from.size()) fail_data("data: the parts have different columns");
  for (std::size_t k = 0; k < to.size(); ++k) add_column(to[k], from[k]);
}

void add_rows(CountedRows& to, const CountedRows& from) {
  to.rows += from.rows;
  add_columns(to.features, from.features);
  add_columns(to.targets, from.targets);
  to.unit.add(from.unit);
  to.weight.add(from.weight);
}

// Columns are there without rows too: a part says whether it holds numbers or texts.
void describe_rows(const Table& part, const DataOptions& options, const detail::Roles& roles, const RowList& rows,
                   CountedRows& out) {
  const Vector weights = roles.weights ? detail::gather(part, *roles.weights, rows) : Vector();
  out.rows = std::int64_t(rows.size());
  out.unit.add(weights);
  for (std::size_t i = 0; i < rows.size(); ++i) out.weight.add(weights.size() > 0 ? weights[Index(i)] : 1.0);
  for (const std::size_t j : roles.features)
    out.features.push_back(describe_column(part, j, roles.categorical[j] && options.encode_features, rows, weights));
  for (const std::size_t j : roles.targets)
    out.targets.push_back(describe_column(part, j, as_classes(options), rows, weights));
}

std::vector<std::string> names_of_levels(const ColumnDescription& column) {
  std::vector<std::string> names;
  for (const auto& [name, level] : column.levels) names.push_back(name);
  sort_labels(names);
  return names;
}

detail::ColumnFacts facts_of(const ColumnDescription& column, const Description& all) {
  detail::ColumnFacts facts{.name = column.name,
                            .words = fmt::format("column {}", column.name),
                            .position = column.position,
                            .categorical = column.listed && (column.text || column.numbers),
                            .dates = column.numbers && column.dates && !column.listed,
                            .missing = column.missing};
  if (facts.categorical) {
    facts.levels = names_of_levels(column);
    for (const std::string& name : facts.levels)
      facts.share.push_back(column.levels.at(name).weight.value() / all.weight.value());
    return facts;
  }
  const auto moments = [&](const ExactSum& weight) {
    return moments_of_sums(column.weight, column.first, column.second, column.low, column.high, weight);
  };
  facts.present = moments(column.weight);
  facts.complete = moments(all.weight);
  if (!std::isfinite(facts.complete.scale) || !std::isfinite(facts.complete.centre))
    fail_data(fmt::format("data: column {}: numbers up to {} are too large to be computed with", column.name,
                          number_text(column.high)));
  return facts;
}

void learn_classes(const ColumnDescription& target, const DataOptions& options, double unit, DescribedTable& out) {
  std::vector<std::string>& classes = out.code.classes;
  classes = names_of_levels(target);
  if (classes.size() < 2)
    fail_data(fmt::format(
        "data: column {}: {}; two classes are needed", target.name,
        classes.empty() ? "there is no class" : fmt::format("every row is of class {}", quoted(classes[0]))));
  const std::size_t most = std::min<std::size_t>(1000, std::max<std::size_t>(10, std::size_t(out.rows) / 2));
  if (classes.size() > most)
    fail_data(
        fmt::format("data: column {}: {} different labels in {} rows, and at most {} are allowed; is this column "
                    "the target?",
                    target.name, classes.size(), out.rows, most));
  if (options.positive) {
    const auto at = std::ranges::find(classes, *options.positive);
    if (at == classes.end() || classes.size() > 2)
      fail_usage(fmt::format("data: {} is not one of two classes", quoted(*options.positive)));
    if (at == classes.begin()) std::swap(classes[0], classes[1]);
  }
  out.code.task = classes.size() == 2 ? Task::binary : Task::multiclass;
  out.of_class.resize(Index(classes.size()));
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto& level = target.levels.at(classes[c]);
    out.of_class[Index(c)] = level.weight.value() / unit;
    if (level.rows == 1)
      out.notes.push_back(
          {Warning::Code::single_row_class,
           fmt::format("class {} has a single row; with that row left out, no machine has seen the class",
                       quoted(classes[c]))});
  }
}

void learn_targets(const Description& all, const DataOptions& options, DescribedTable& out) {
  for (const ColumnDescription& target : all.targets) out.code.target_names.push_back(target.name);
  if (all.targets[0].listed) return learn_classes(all.targets[0], options, out.code.weight_unit, out);
  out.code.task = options.task == DataOptions::TaskRequest::counts ? Task::counts : Task::regression;
  out.mean_target.resize(Index(all.targets.size()));
  for (std::size_t k = 0; k < all.targets.size(); ++k) {
    const ColumnDescription& target = all.targets[k];
    if (target.low == target.high && out.code.task == Task::regression)
      fail_data(fmt::format("data: column {}: the target is {} in every row; there is nothing to learn", target.name,
                            number_text(target.low)));
    out.mean_target[Index(k)] = target.first.value() / target.weight.value();
  }
}

}  // namespace

Description& Description::operator+=(const Description& others) {
  rows_read += others.rows_read;
  if (features.empty() && targets.empty()) {
    const std::int64_t before = rows_read;
    *this = others;
    rows_read = before;
    return *this;
  }
  if (others.features.empty() && others.targets.empty()) return *this;
  if (has_names != others.has_names || offset_column != others.offset_column || weight_column != others.weight_column)
    fail_data("data: the parts have different columns");
  add_rows(*this, others);
  for (const CountedRows& more : others.pending) {
    const auto same = std::ranges::find(pending, more.empty, &CountedRows::empty);
    if (same == pending.end())
      pending.push_back(more);
    else
      add_rows(*same, more);
  }
  return *this;
}

Description settled(Description all) {
  for (const CountedRows& rows : all.pending)
    if (std::ranges::none_of(rows.empty, [&](std::int32_t k) { return has_values(all.features[std::size_t(k)]); }))
      add_rows(all, rows);
  all.pending.clear();
  return all;
}

Description describe(const Table& part, const DataOptions& options) {
  check_part(part, options);
  const detail::Roles roles = detail::assign_roles(part, options);
  const bool text = part.columns[roles.targets[0]].is_text;
  if (options.task == DataOptions::TaskRequest::automatic && !text && part.rows > 0)
    fail_usage("data: rows in parts: name the task, `task=classification`, `task=regression` or `task=counts`");
  Description out;
  Warnings dropped;
  const std::vector<std::size_t> features = detail::features_with_values(part, roles);
  const RowList rows = detail::kept_rows_of_part(part, roles, options.missing, features, dropped);
  out.rows_read = part.rows;
  out.table_columns = std::int32_t(part.columns.size());
  out.has_names = part.has_header;
  if (roles.weights) {
    out.weight_column = part.columns[*roles.weights].name;
    out.weight_position = std::int32_t(*roles.weights);
  }
  const bool certain = options.missing != Missing::drop || part.rows == 0 || features.size() == roles.features.size();
  describe_rows(part, options, roles, certain ? rows : RowList{}, out);
  if (!certain) {
    CountedRows& some = out.pending.emplace_back();
    for (std::size_t k = 0; k < roles.features.size(); ++k)
      if (std::ranges::find(features, roles.features[k]) == features.end()) some.empty.push_back(std::int32_t(k));
    describe_rows(part, options, roles, rows, some);
  }
  if (const auto j = roles.exposure ? roles.exposure : roles.offset) {
    out.offset_column = part.columns[*j].name;
    out.offset_position = std::int32_t(*j);
  }
  return out;
}

DescribedTable learn_code(const Description& parts, const DataOptions& options) {
  const Description all = settled(parts);
  if (all.rows == 0) fail_data("data: there are no rows, or none that counts");
  DescribedTable out;
  out.rows = all.rows;
  out.code.options = options;
  out.code.weight_unit = all.unit.value();
  learn_targets(all, options, out);
  Encoding& encoding = out.code.encoding;
  encoding.missing = options.missing;
  encoding.has_names = all.has_names;
  encoding.table_columns = all.table_columns;
  for (const ColumnDescription& target : all.targets) encoding.target_positions.push_back(target.position);
  encoding.offset_column = all.offset_column;
  encoding.offset_is_exposure = options.exposure.has_value();
  encoding.offset_position = all.offset_position;
  encoding.weight_column = all.weight_column;
  encoding.weight_position = all.weight_position;
  std::vector<detail::ColumnFacts> facts;
  for (const ColumnDescription& column : all.features) {
    if (options.missing == Missing::error && column.missing > 0 && column.missing < all.rows)
      fail_data(
          fmt::format("data: column {}: {} cells are missing; `missing=mean` fills such cells in, `missing=drop` "
                      "leaves their rows out",
                      column.name, column.missing));
    if (!has_values(column)) out.code.empty.push_back(column.name);
    facts.push_back(facts_of(column, all));
  }
  detail::learn_features(std::move(facts), "the parts", all.rows, options, encoding, out.notes);
  return out;
}

DescribedTable learn_code(const Table& table, const Encoded& all, const DataOptions& options) {
  check_options(options);
  const Dataset& data = all.data;
  DescribedTable out{.code = {.options = options,
                              .encoding = all.encoding,
                              .task = data.task,
                              .classes = data.classes,
                              .target_names = data.target_names,
                              .weight_unit = data.weight_unit.value_or(1.0)},
                     .rows = data.size(),
                     .notes = data.notes};
  const Vector weights = data.weights.size() > 0 ? data.weights : Vector(Vector::Ones(data.size()));
  out.of_class = Vector::Zero(Index(data.classes.size()));
  for (Index i = 0; i < Index(data.label.size()); ++i) out.of_class[data.label[std::size_t(i)]] += weights[i];
  if (data.targets.cols() > 0) out.mean_target = data.targets.transpose() * weights / weights.sum();
  for (const std::size_t j : detail::assign_roles(table, options).features)
    if (table.columns[j].missing == table.rows) out.code.empty.push_back(table.columns[j].name);
  return out;
}

Dataset encode_part(const Table& part, const TableCode& code, std::int64_t first_row) {
  check_part(part, code.options);
  const detail::Roles roles = detail::assign_roles(part, code.options);
  Dataset data;
  data.task = code.task;
  data.classes = code.classes;
  data.target_names = code.target_names;
  std::vector<std::size_t> features = roles.features;
  std::erase_if(features,
                [&](std::size_t j) { return std::ranges::find(code.empty, part.columns[j].name) != code.empty.end(); });
  const RowList rows = detail::kept_rows_of_part(part, roles, code.options.missing, features, data.notes);
  for (const std::int64_t i : rows) data.source_row.push_back(first_row + i + 1);
  const auto l = Index(rows.size());
  if (roles.weights) {
    data.weights = detail::gather(part, *roles.weights, rows);
    for (double& w : data.weights) w = without_unit(w, code.weight_unit);
    data.weight_unit = code.weight_unit;
  }
  if (const auto j = roles.exposure ? roles.exposure : roles.offset; j && l > 0)
    data.offset = detail::read_offset(part, *j, roles.exposure.has_value(), rows);
  if (!code.classes.empty()) {
    const Column& column = part.columns[roles.targets[0]];
    ColumnCode labels{.name = column.name, .categorical = true, .levels = code.classes};
    const detail::RawColumn raw = detail::raw_column(part, roles.targets[0], labels, rows);
    if (raw.unseen > 0)
      fail_data(fmt::format("data: {}: class {} is none of those planned for",
                            detail::place(part, raw.first_unseen, roles.targets[0]), detail::quoted(raw.first_text)));
    data.label.assign(raw.level.begin(), raw.level.end());
  } else {
    data.targets.resize(l, Index(roles.targets.size()));
    for (std::size_t k = 0; k < roles.targets.size(); ++k) {
      if (l > 0) detail::require_numeric(part, roles.targets[k], "the target must be numbers");
      if (l > 0) data.targets.col(Index(k)) = detail::gather(part, roles.targets[k], rows);
    }
  }
  const Encoding& encoding = code.encoding;
  std::vector<std::size_t> source;
  for (std::size_t k = 0; k < encoding.columns.size(); ++k) {
    if (!part.has_header) {
      source.push_back(std::size_t(encoding.columns[k].position));
      continue;
    }
    const Column* column = part.find(encoding.columns[k].name);
    if (column == nullptr) fail_data(fmt::format("data: a part has no column {}", encoding.columns[k].name));
    source.push_back(std::size_t(column - part.columns.data()));
  }
  data.X = l > 0 ? detail::encode_rows(part, encoding, source, rows, data.notes)
                 : RowMatrix(0, Index(encoding.features.size()));
  for (const FeatureCode& feature : encoding.features) {
    data.feature_names.push_back(feature.name);
    data.feature_column.push_back(feature.column);
  }
  return data;
}

}  // namespace lacuna
