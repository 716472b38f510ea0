// data/encode.cpp (of dataset.hpp) -- columns of a table as features, by a code learned before.
#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/data/detail/encode.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/data/detail/learn_features.hpp"
#include "lacuna/data/detail/levels.hpp"
#include "lacuna/data/detail/offset.hpp"
#include "lacuna/data/detail/roles.hpp"
#include "lacuna/data/detail/sparse_features.hpp"
#include "lacuna/data/detail/target.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna {

namespace detail {

RowList encode_all_but_inputs(const Table& table, const DataOptions& options, Dataset& data, Encoding& encoding) {
  if (table.rows == 0) fail_data(fmt::format("data: {}: there are no rows", table.source));
  const Roles roles = assign_roles(table, options);
  data.notes = table.notes;
  RowList rows = kept_rows(table, roles, options.missing, data.notes);
  data.source_row.reserve(rows.size());
  for (const std::int64_t i : rows) data.source_row.push_back(i + 1);

  if (roles.weights) {
    data.weights = gather(table, *roles.weights, rows);
    encoding.weight_column = table.columns[*roles.weights].name;
    encoding.weight_position = std::int32_t(*roles.weights);
  }
  if (roles.train_weights) {
    data.train_weights = gather(table, *roles.train_weights, rows);
    encoding.train_weight_column = table.columns[*roles.train_weights].name;
  }
  if (roles.select_weights) {
    data.select_weights = gather(table, *roles.select_weights, rows);
    encoding.select_weight_column = table.columns[*roles.select_weights].name;
  }
  take_units_out(data);
  if (roles.group) {
    Levels groups = levels_of(table, *roles.group, rows);
    data.group.assign(groups.of_row.begin(), groups.of_row.end());
    data.group_names = std::move(groups.names);
  }
  if (const auto j = roles.exposure ? roles.exposure : roles.offset) {
    encoding.offset_column = table.columns[*j].name;
    encoding.offset_is_exposure = roles.exposure.has_value();
    encoding.offset_position = std::int32_t(*j);
    data.offset = read_offset(table, *j, encoding.offset_is_exposure, rows);
  }
  data.prices = read_prices(table, options.prices, rows);
  encode_target(table, roles, options, rows, data);

  encoding.missing = options.missing;
  encoding.has_names = table.has_header;
  encoding.table_columns = std::int32_t(table.columns.size());
  for (const std::size_t j : roles.targets) encoding.target_positions.push_back(std::int32_t(j));
  if (table.sparse)
    learn_sparse(table, options, rows, data.weights, encoding, data.notes);
  else
    learn_features(table, roles, options, rows, data.weights, encoding, data.notes);
  if (!table.sparse)
    for (const FeatureCode& feature : encoding.features) {
      data.feature_names.push_back(feature.name);
      data.feature_column.push_back(feature.column);
    }
  return rows;
}

}  // namespace detail

Encoded encode(const Table& table, const DataOptions& options) {
  Encoded out;
  auto& [data, encoding] = out;
  const detail::RowList rows = detail::encode_all_but_inputs(table, options, data, encoding);
  if (table.sparse) {
    data.X = detail::encode_sparse(table, encoding, rows, data.notes);
  } else {
    std::vector<std::size_t> source;
    for (const ColumnCode& c : encoding.columns) source.push_back(std::size_t(c.position));
    data.X = detail::encode_rows(table, encoding, source, rows, data.notes);
  }
  return out;
}

}  // namespace lacuna
