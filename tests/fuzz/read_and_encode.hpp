// What both readers' fuzz targets do with their bytes. The first byte chooses the options, so that all policies are
// met.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/data/duplicates.hpp"

namespace lacuna::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void require_finite(const RowsView& X) {
  std::vector<double> row(std::size_t(X.cols()));
  for (Index i = 0; i < X.rows(); ++i) {
    dense_row(X, i, row.data());
    for (const double x : row) require(std::isfinite(x));
  }
}

inline DataOptions choose_options(std::uint8_t choice, const Table& table) {
  DataOptions options;
  options.targets = {table.columns.back().name};
  options.missing = Missing(choice % 3);
  options.task = DataOptions::TaskRequest((choice / 3) % 4);
  options.standardise = choice % 2 == 0;
  if (table.columns.size() > 2 && choice % 5 == 0) options.weights = "1";
  if (table.columns.size() > 3 && choice % 7 == 0) options.categorical = {"2"};
  return options;
}

inline void read_and_encode(const std::uint8_t* data, std::size_t size, ReadOptions::Format format) {
  if (size == 0) return;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const Table table = parse_table(text, "fuzz", {.format = format});
    require(table.rows > 0 && std::int64_t(table.line.size()) == table.rows);
    for (const Column& c : table.columns)
      require(std::int64_t(c.is_text ? c.code.size() : c.number.size()) == table.rows);
    const Encoded encoded = encode(table, choose_options(data[0], table));
    require(encoded.data.X.cols() == Index(encoded.encoding.features.size()));
    require_finite(encoded.data.X);
    require(count_copies(encoded.data) < encoded.data.size());
    const Prepared again = prepare(table, encoded.encoding);
    require_finite(again.X);
    require(again.X.cols() == encoded.data.X.cols() && again.X.rows() >= encoded.data.X.rows());
  } catch (const Error&) {  // a refusal
  }
}

}  // namespace lacuna::fuzz
