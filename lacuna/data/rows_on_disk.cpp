#include "lacuna/data/rows_on_disk.hpp"

#include <memory>
#include <numeric>

#include "lacuna/data/detail/encode.hpp"
#include "lacuna/data/detail/stored_rows.hpp"

namespace lacuna {

StreamedEncoded encode_streamed(Table table, const DataOptions& options) {
  Dataset data;
  Encoding encoding;
  detail::RowList rows = detail::encode_all_but_inputs(table, options, data, encoding);
  const auto features = Index(encoding.features.size());
  std::vector<std::size_t> source;
  for (const ColumnCode& code : encoding.columns) source.push_back(std::size_t(code.position));
  RowSource X = detail::stored_rows(std::move(table), encoding, source, std::move(rows), data.notes);
  return {{std::move(data), std::move(X), features}, std::move(encoding)};
}

Dataset take_rows(const StreamedDataset& data, std::span<const Index> rows) {
  Dataset out = take_rows(data.rows, rows);
  out.X = data.X.copy(rows);
  return out;
}

StreamedDataset as_streamed(Dataset data) {
  const auto X = std::make_shared<const Rows>(std::move(data.X));
  data.X = {};
  const auto read = [X](Index first, Index count) {
    std::vector<Index> which(static_cast<std::size_t>(count));
    std::iota(which.begin(), which.end(), first);
    return take_rows(RowsView(*X), which);
  };
  return {.rows = std::move(data), .X = RowSource(X->rows(), read), .features = X->cols()};
}

}  // namespace lacuna
