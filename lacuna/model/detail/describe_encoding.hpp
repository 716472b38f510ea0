// model/detail/describe_encoding.hpp -- the fields of an Encoding, and what must hold between them so that new tables
// can be encoded without asking again: each column of the table has one role, features are in order and none is twice.
#pragma once

#include <array>
#include <set>

#include "lacuna/data/dataset.hpp"
#include "lacuna/model/detail/fields.hpp"

namespace lacuna::detail {

inline constexpr std::array<Word<Missing>, 4> missing_words{
    {{"error", Missing::error}, {"mean", Missing::mean}, {"drop", Missing::drop}, {"indicator", Missing::indicator}}};

/// What is wrong with a feature that follows `before` (null: it is the first); "" when nothing is.
inline std::string_view feature_misfit(const Encoding& e, const FeatureCode& f, const FeatureCode* before) {
  if (e.sparse) {
    if (f.column < 0 || f.column >= e.sparse_columns) return "its column does not exist";
    if (f.level != -1 || f.centre != 0.0) return "a sparse feature has a level or a centre";
    return before != nullptr && f.column <= before->column ? "columns do not ascend" : "";
  }
  if (f.column < 0 || std::size_t(f.column) >= e.columns.size()) return "its column does not exist";
  const ColumnCode& c = e.columns[std::size_t(f.column)];
  const auto levels = std::int64_t(c.levels.size());
  const bool indicator = e.missing == Missing::indicator && f.level == levels;
  if (!indicator && (c.categorical ? f.level < 0 || f.level >= levels : f.level != -1))
    return "its level does not exist";
  const bool ascends = before == nullptr || before->column < f.column ||
                       (before->column == f.column && before->level < f.level);  // numbers: once, since -1 < -1 fails
  return ascends ? "" : "columns and levels do not ascend";
}

/// What is wrong with the places of the columns; "" when nothing is.
inline std::string_view position_misfit(const Encoding& e) {
  std::vector<std::int32_t> positions = e.target_positions;
  for (const ColumnCode& c : e.columns) positions.push_back(c.position);
  if (!e.offset_column.empty()) positions.push_back(e.offset_position);
  if (!e.weight_column.empty()) positions.push_back(e.weight_position);
  std::set<std::int32_t> known;
  for (const std::int32_t p : positions) {
    if (p < 0 || p >= e.table_columns) return "a column of the table does not exist";
    if (!known.insert(p).second) return "a column of the table has two roles";
  }
  return "";
}

template <class At>
void describe(At& at, Encoding& e) {
  at.flag("sparse", e.sparse);
  at.flag("has_names", e.has_names);
  at.whole("sparse_columns", e.sparse_columns, 0, most_of<std::int32_t>);
  at.flag("sparse_zero_based", e.sparse_zero_based);
  at.choice("missing", e.missing, missing_words);
  at.list("columns", e.columns, [](auto& of, ColumnCode& c) {
    of.text("name", c.name);
    of.flag("categorical", c.categorical);
    if (of.optional("date", c.date)) of.flag("date", c.date);
    of.require(!c.categorical || !c.date, "a column of categories has dates");
    of.texts("levels", c.levels, Texts::distinct);
    of.require(c.categorical || c.levels.empty(), "a column of numbers has levels");
    of.number("fill", c.fill, Number::finite);
    of.whole("position", c.position, 0);
  });
  at.list("features", e.features, [&e](auto& of, FeatureCode& f) {
    of.whole("column", f.column, 0);
    of.whole("level", f.level, -1);
    of.number("centre", f.centre, Number::finite);
    of.number("scale", f.scale, Number::positive);
    of.text("name", f.name);
    const std::string_view why = feature_misfit(e, f, &f == e.features.data() ? nullptr : &f - 1);
    of.require(why.empty(), why);
  });
  at.whole("table_columns", e.table_columns, 0);
  at.wholes("target_positions", e.target_positions, 0);
  at.whole("offset_position", e.offset_position, -1);
  at.text("offset_column", e.offset_column);
  at.flag("offset_is_exposure", e.offset_is_exposure);
  if (at.optional("weight_column", !e.weight_column.empty())) {
    at.text("weight_column", e.weight_column);
    at.whole("weight_position", e.weight_position, 0);
  }
  if (at.optional("train_weight_column", !e.train_weight_column.empty()))
    at.text("train_weight_column", e.train_weight_column);
  if (at.optional("select_weight_column", !e.select_weight_column.empty()))
    at.text("select_weight_column", e.select_weight_column);
  at.require(!e.sparse || e.columns.empty(), "a sparse encoding has named columns");
  const std::string_view why = position_misfit(e);
  at.require(why.empty(), why);
  std::set<std::string_view> names;
  if (e.has_names)
    for (const ColumnCode& c : e.columns) at.require(names.insert(c.name).second, "two columns have the same name");
}

}  // namespace lacuna::detail
