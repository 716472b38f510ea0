#include "lacuna/data/row_source.hpp"

namespace lacuna {

RowSource::Block RowSource::block(Index first, Index count) const {
  if (seen_) seen_(count);
  if (read_) return Block(read_(first, count));
  return Block(middle_rows(view_, first, count));
}

Rows RowSource::copy(std::span<const Index> which) const {
  if (seen_) seen_(Index(which.size()));
  if (!read_) return take_rows(view_, which);
  // One read for each run of neighbours, joined.
  RowMatrix dense;
  SparseMatrix sparse;
  bool is_sparse = false;
  for (std::size_t k = 0; k < which.size();) {
    std::size_t end = k + 1;
    while (end < which.size() && which[end] == which[end - 1] + 1) ++end;
    const Rows part = read_(which[k], Index(end - k));
    is_sparse = part.is_sparse();
    if (is_sparse) {
      const SparseMatrix& s = part.sparse();
      const auto shift = std::int64_t(sparse.value.size());
      for (Index i = 1; i <= s.rows; ++i) sparse.row_start.push_back(shift + s.row_start[std::size_t(i)]);
      sparse.column.insert(sparse.column.end(), s.column.begin(), s.column.end());
      sparse.value.insert(sparse.value.end(), s.value.begin(), s.value.end());
      sparse.cols = s.cols;
      sparse.rows += s.rows;
    } else {
      if (dense.size() == 0) dense.resize(Index(which.size()), part.cols());
      dense.middleRows(Index(k), Index(end - k)) = part.dense();
    }
    k = end;
  }
  if (is_sparse) return sparse;
  return dense;
}

}  // namespace lacuna
