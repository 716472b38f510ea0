#include "lacuna/data/streamed.hpp"

#include <memory>
#include <numeric>

namespace lacuna {

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
