// data/prepare.cpp (of dataset.hpp) -- a table as a dataset: roles, targets, weights, and the code of its columns.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/data/detail/encode_rows.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/data/detail/levels.hpp"
#include "lacuna/data/detail/offset.hpp"
#include "lacuna/data/detail/sparse_features.hpp"
#include "lacuna/data/detail/stored_rows.hpp"
#include "lacuna/data/rows_on_disk.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna {
namespace {

using detail::RowList;

// Where the table has what the encoding asks for.
struct Match {
  std::vector<std::size_t> columns;  // one for each column of the encoding
  std::vector<bool> needed;          // whether some feature uses it
  std::size_t offset = 0;            // when there is one
};

// All of them, so that they can be mended at once.
[[noreturn]] void refuse_absent(const Table& table, const std::vector<std::string>& absent) {
  constexpr std::size_t most = 20;
  std::vector<std::string> shown, names;
  for (const std::string& name : absent)
    if (shown.size() < most) shown.push_back(detail::quoted(name));
  for (const Column& c : table.columns) names.push_back(c.name);
  fail_data(fmt::format("data: {} has no column{} {}{}, which the model was trained with{}", table.source,
                        absent.size() == 1 ? "" : "s", join(shown),
                        absent.size() > most ? fmt::format(" and {} more", absent.size() - most) : "",
                        absent.size() == 1 ? did_you_mean(absent[0], names) : ""));
}

void match_by_name(const Table& table, const Encoding& encoding, Match& match) {
  std::unordered_map<std::string_view, std::size_t> places;  // there may be a hundred thousand
  for (std::size_t j = 0; j < table.columns.size(); ++j) places.try_emplace(table.columns[j].name, j);
  std::vector<std::string> absent;
  const auto place = [&](const std::string& name) {
    if (const auto at = places.find(name); at != places.end()) return at->second;
    absent.push_back(name);
    return std::size_t(0);
  };
  for (std::size_t k = 0; k < encoding.columns.size(); ++k)
    match.columns.push_back(match.needed[k] ? place(encoding.columns[k].name) : 0);
  if (!encoding.offset_column.empty()) match.offset = place(encoding.offset_column);
  if (!absent.empty()) refuse_absent(table, absent);
}

// The training columns that a table of this width must be holding, in training order (ascending): all, all but the
// targets, or those in use.
std::vector<std::int32_t> columns_present(const Table& table, const Encoding& encoding) {
  const std::vector<std::int32_t>& targets = encoding.target_positions;
  const std::size_t all = std::size_t(encoding.table_columns), width = table.columns.size();
  std::vector<std::int32_t> used;
  for (const ColumnCode& c : encoding.columns) used.push_back(c.position);
  if (!encoding.offset_column.empty()) used.push_back(encoding.offset_position);
  std::sort(used.begin(), used.end());
  std::vector<std::int32_t> present;
  if (width == all || width + targets.size() == all) {
    std::vector<bool> is_target(all);  // looked up once for each column, and there may be many of both
    if (width != all)
      for (const std::int32_t j : targets) is_target[std::size_t(j)] = true;
    for (std::int32_t j = 0; j < encoding.table_columns; ++j)
      if (!is_target[std::size_t(j)]) present.push_back(j);
  }
  if (present.size() == width) return present;
  if (used.size() == width) return used;
  std::string expected = fmt::format("{} (as in training) or {} (without the target)", all, all - targets.size());
  if (used.size() + targets.size() < all) expected += fmt::format(" or {} (what the model uses)", used.size());
  fail_data(fmt::format("data: {}: {} column{} found; without names to go by, {} are expected", table.source, width,
                        width == 1 ? "" : "s", expected));
}

void match_by_position(const Table& table, const Encoding& encoding, Match& match) {
  const std::vector<std::int32_t> present = columns_present(table, encoding);
  const auto find = [&](std::int32_t position) {
    return std::size_t(std::lower_bound(present.begin(), present.end(), position) - present.begin());
  };
  for (const ColumnCode& c : encoding.columns) match.columns.push_back(find(c.position));
  if (!encoding.offset_column.empty()) match.offset = find(encoding.offset_position);
}

Match match_columns(const Table& table, const Encoding& encoding, Warnings& notes) {
  Match match;
  match.needed.resize(encoding.columns.size());
  for (const FeatureCode& f : encoding.features) match.needed[std::size_t(f.column)] = true;
  if (encoding.has_names && table.has_header) {
    match_by_name(table, encoding, match);
  } else {
    match_by_position(table, encoding, match);
    if (encoding.has_names != table.has_header)
      notes.push_back(
          {Warning::Code::matched_by_position,
           fmt::format("{} has {}; columns were matched by position", table.source,
                       table.has_header ? "column names and the training data had none" : "no column names")});
  }
  return match;
}

// "u (3), v (1)": columns with missing cells, and how many.
void note_filled(const Table& table, const std::vector<std::size_t>& columns, Warnings& notes) {
  constexpr std::size_t most = 10;
  std::vector<std::string> filled;
  for (const std::size_t j : columns)
    if (const Column& c = table.columns[j]; c.missing > 0) filled.push_back(fmt::format("{} ({})", c.name, c.missing));
  if (filled.empty()) return;
  const std::size_t more = filled.size() > most ? filled.size() - most : 0;
  filled.resize(filled.size() - more);
  notes.push_back({Warning::Code::missing_filled,
                   fmt::format("missing cells filled with the mean of the training rows, or encoded as none of the "
                               "column's categories: {}{}",
                               join(filled), more > 0 ? fmt::format(" and {} more columns", more) : "")});
}

// The rows that stay, by the policy of training or another one.
RowList rows_to_encode(const Table& table, const Encoding& encoding, std::optional<Missing> wanted, const Match& match,
                       Warnings& notes) {
  const Missing missing = wanted.value_or(encoding.missing);
  std::vector<std::size_t> looked_at;
  for (std::size_t k = 0; k < match.columns.size(); ++k)
    if (match.needed[k]) looked_at.push_back(match.columns[k]);
  const std::vector<std::size_t> offset(encoding.offset_column.empty() ? 0 : 1, match.offset);
  RowList rows = detail::all_rows(table);
  if (missing == Missing::drop) {
    looked_at.insert(looked_at.end(), offset.begin(), offset.end());
    return detail::without_gaps(table, looked_at, std::move(rows), notes);
  }
  if (missing == Missing::error)
    if (const auto gap = detail::first_missing(table, looked_at, rows); gap.row >= 0)
      fail_data(fmt::format("data: {}: the cell is missing{}", detail::place(table, gap.row, gap.column),
                            wanted ? "; `missing=mean` fills it in as training would have, `missing=drop` leaves the "
                                     "row without a prediction"
                                   : ", and the model was trained with `missing=error`"));
  if (fills(missing)) note_filled(table, looked_at, notes);
  if (const auto gap = detail::first_missing(table, offset, rows); gap.row >= 0)
    fail_data(fmt::format("data: {}: the cell is missing and this column cannot be filled in",
                          detail::place(table, gap.row, gap.column)));
  return rows;
}

// What there is to know before a feature is encoded.
struct Plan {
  Match match;
  RowList rows;
  Vector offset;
  Warnings notes;

  std::vector<std::int64_t> source_row() const {
    std::vector<std::int64_t> out;
    out.reserve(rows.size());
    for (const std::int64_t i : rows) out.push_back(i + 1);
    return out;
  }
};

Plan plan_for(const Table& table, const Encoding& encoding, std::optional<Missing> missing) {
  if (encoding.sparse != table.sparse.has_value())
    fail_data(fmt::format("data: {} is {}, and the model was trained on {}", table.source,
                          table.sparse ? "sparse (LIBSVM) text" : "a table",
                          encoding.sparse ? "sparse text" : "a table"));
  Plan plan;
  if (encoding.sparse) {
    plan.rows = detail::all_rows(table);
    return plan;
  }
  plan.match = match_columns(table, encoding, plan.notes);
  plan.rows = rows_to_encode(table, encoding, missing, plan.match, plan.notes);
  if (!encoding.offset_column.empty())
    plan.offset = detail::read_offset(table, plan.match.offset, encoding.offset_is_exposure, plan.rows);
  return plan;
}

}  // namespace

Prepared prepare(const Table& table, const Encoding& encoding, std::optional<Missing> missing) {
  Plan plan = plan_for(table, encoding, missing);
  Prepared out;
  out.source_row = plan.source_row();
  if (encoding.sparse)
    out.X = detail::encode_sparse(table, encoding, plan.rows, plan.notes);
  else
    out.X = detail::encode_rows(table, encoding, plan.match.columns, plan.rows, plan.notes);
  out.offset = std::move(plan.offset);
  out.notes = std::move(plan.notes);
  return out;
}

StreamedPrepared prepare_streamed(Table table, const Encoding& encoding, std::optional<Missing> missing) {
  Plan plan = plan_for(table, encoding, missing);
  StreamedPrepared out;
  out.source_row = plan.source_row();
  // One column in memory at a time: texts where numbers belong, and categories that training did not have.
  for (std::size_t k = 0; k < plan.match.columns.size(); ++k) {
    const ColumnCode& code = encoding.columns[k];
    if (!plan.match.needed[k]) continue;
    const std::size_t j = plan.match.columns[k];
    if (!code.categorical) {
      detail::require_numeric(table, j, detail::numbers_in_training);
      continue;
    }
    detail::require_all_levels(table, j);
    detail::note_unseen(table, code, detail::raw_column(table, j, code, plan.rows), plan.notes);
  }
  out.X = detail::stored_rows(std::move(table), encoding, plan.match.columns, std::move(plan.rows), plan.notes);
  out.offset = std::move(plan.offset);
  out.notes = std::move(plan.notes);
  return out;
}

}  // namespace lacuna
