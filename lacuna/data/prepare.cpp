#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/data/detail/encode_rows.hpp"
#include "lacuna/data/detail/kept.hpp"
#include "lacuna/data/detail/offset.hpp"
#include "lacuna/data/detail/place.hpp"
#include "lacuna/data/detail/sparse_features.hpp"

namespace lacuna {
namespace {

using detail::RowList;

// Where the table has what the encoding asks for.
struct Match {
  std::vector<std::size_t> columns;  // one for each column of the encoding
  std::vector<bool> needed;          // whether some feature uses it
  std::size_t offset = 0;            // when there is one
};

std::size_t named_column(const Table& table, const std::string& name) {
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (table.columns[j].name == name) return j;
  std::vector<std::string> names;
  for (const Column& c : table.columns) names.push_back(c.name);
  fail_data(fmt::format("data: {} has no column {}, which the model was trained with{}", table.source,
                        detail::quoted(name), did_you_mean(name, names)));
}

void match_by_name(const Table& table, const Encoding& encoding, Match& match) {
  for (std::size_t k = 0; k < encoding.columns.size(); ++k)
    match.columns.push_back(match.needed[k] ? named_column(table, encoding.columns[k].name) : 0);
  if (!encoding.offset_column.empty()) match.offset = named_column(table, encoding.offset_column);
}

// The training columns that a table of this width must be holding, in training order: all, all but the targets, or
// those in use.
std::vector<std::int32_t> columns_present(const Table& table, const Encoding& encoding) {
  const std::vector<std::int32_t>& targets = encoding.target_positions;
  const std::size_t all = std::size_t(encoding.table_columns), width = table.columns.size();
  std::vector<std::int32_t> used;
  for (const ColumnCode& c : encoding.columns) used.push_back(c.position);
  if (!encoding.offset_column.empty()) used.push_back(encoding.offset_position);
  std::sort(used.begin(), used.end());
  std::vector<std::int32_t> present;
  if (width == all || width + targets.size() == all)
    for (std::int32_t j = 0; j < encoding.table_columns; ++j)
      if (width == all || std::find(targets.begin(), targets.end(), j) == targets.end()) present.push_back(j);
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
    return std::size_t(std::find(present.begin(), present.end(), position) - present.begin());
  };
  for (const ColumnCode& c : encoding.columns) match.columns.push_back(find(c.position));
  if (!encoding.offset_column.empty()) match.offset = find(encoding.offset_position);
}

Match match_columns(const Table& table, const Encoding& encoding, std::vector<std::string>& notes) {
  Match match;
  match.needed.resize(encoding.columns.size());
  for (const FeatureCode& f : encoding.features) match.needed[std::size_t(f.column)] = true;
  if (encoding.has_names && table.has_header) {
    match_by_name(table, encoding, match);
  } else {
    match_by_position(table, encoding, match);
    if (encoding.has_names != table.has_header)
      notes.push_back(
          fmt::format("{} has {}; columns were matched by position", table.source,
                      table.has_header ? "column names and the training data had none" : "no column names"));
  }
  return match;
}

RowList rows_to_encode(const Table& table, const Encoding& encoding, const Match& match,
                       std::vector<std::string>& notes) {
  RowList rows;
  for (std::int64_t i = 0; i < table.rows; ++i) {
    bool gap = false;
    for (std::size_t k = 0; k < match.columns.size(); ++k) {
      const Column& c = table.columns[match.columns[k]];
      if (!match.needed[k] || c.missing == 0 || !detail::cell_missing(c, i)) continue;
      if (encoding.missing == Missing::error)
        fail_data(fmt::format("data: {}: the cell is missing, and the model was trained with --missing error",
                              detail::place(table, i, match.columns[k])));
      gap = true;
    }
    if (!encoding.offset_column.empty() && detail::cell_missing(table.columns[match.offset], i)) {
      if (encoding.missing != Missing::drop)
        fail_data(fmt::format("data: {}: the cell is missing and this column cannot be filled in",
                              detail::place(table, i, match.offset)));
      gap = true;
    }
    if (!gap || encoding.missing == Missing::mean) rows.push_back(i);
  }
  if (const auto dropped = table.rows - std::int64_t(rows.size()); dropped > 0)
    notes.push_back(fmt::format("{} row{} with missing cells left out", dropped, dropped == 1 ? "" : "s"));
  return rows;
}

}  // namespace

Prepared prepare(const Table& table, const Encoding& encoding) {
  Prepared out;
  if (encoding.sparse != table.sparse.has_value())
    fail_data(fmt::format("data: {} is {}, and the model was trained on {}", table.source,
                          table.sparse ? "sparse (LIBSVM) text" : "a table",
                          encoding.sparse ? "sparse text" : "a table"));
  RowList rows;
  if (encoding.sparse) {
    rows.resize(std::size_t(table.rows));
    std::iota(rows.begin(), rows.end(), std::int64_t(0));
    out.X = detail::encode_sparse(table, encoding, rows, out.notes);
  } else {
    const Match match = match_columns(table, encoding, out.notes);
    rows = rows_to_encode(table, encoding, match, out.notes);
    out.X = detail::encode_rows(table, encoding, match.columns, rows, out.notes);
    if (!encoding.offset_column.empty())
      out.offset = detail::read_offset(table, match.offset, encoding.offset_is_exposure, rows);
  }
  for (const std::int64_t i : rows) out.source_row.push_back(i + 1);
  return out;
}

}  // namespace lacuna
