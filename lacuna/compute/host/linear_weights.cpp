#include "lacuna/compute/host/linear_weights.hpp"

#include <algorithm>

#include "lacuna/compute/parallel.hpp"

namespace lacuna {
namespace {

// f(column, value) for the entries of row i.
template <class F>
void each_entry(const RowsView& rows, Index i, const F& f) {
  if (rows.is_sparse()) {
    const SparseView& sparse = rows.sparse();
    for (std::int64_t e = sparse.row_start[i]; e < sparse.row_start[i + 1]; ++e) f(sparse.column[e], sparse.value[e]);
  } else {
    const auto dense = rows.dense().eigen();
    for (Index k = 0; k < rows.cols(); ++k) f(k, dense(i, k));
  }
}

}  // namespace

LinearWeights::LinearWeights(const RowsView& Y, const Matrix& A)
    : columns_(Y.cols()), outputs_(A.cols()), w_(std::size_t(Y.cols() * A.cols()), Twofold<double>{0.0, 0.0}) {
  for (Index j = 0; j < Y.rows(); ++j)
    each_entry(Y, j, [&](Index k, double y) {
      Twofold<double>* w = &w_[std::size_t(k * outputs_)];
      for (Index c = 0; c < outputs_; ++c) w[c] = w[c] + two_product(y, A(j, c));
    });
}

LinearWeights::LinearWeights(const Matrix& w) : columns_(w.rows()), outputs_(w.cols()) {
  for (Index k = 0; k < columns_; ++k)
    for (Index c = 0; c < outputs_; ++c) w_.push_back({w(k, c), 0.0});
}

Matrix LinearWeights::times(const RowsView& X) const {
  Matrix out(X.rows(), outputs_);
  parallel_ranges(X.rows(), 64, [&](Index first, Index last) {
    std::vector<Twofold<double>> z(std::size_t(outputs_), Twofold<double>{0.0, 0.0});
    for (Index i = first; i < last; ++i) {
      std::fill(z.begin(), z.end(), Twofold<double>{0.0, 0.0});
      each_entry(X, i, [&](Index k, double x) {
        const Twofold<double>* w = &w_[std::size_t(k * outputs_)];
        for (Index c = 0; c < outputs_; ++c) z[std::size_t(c)] = z[std::size_t(c)] + w[c] * x;
      });
      for (Index c = 0; c < outputs_; ++c) out(i, c) = z[std::size_t(c)].high;
    }
  });
  return out;
}

Twofold<RowMatrix> LinearWeights::values() const {
  Twofold<RowMatrix> out{RowMatrix(columns_, outputs_), RowMatrix(columns_, outputs_)};
  for (std::size_t k = 0; k < w_.size(); ++k) {
    out.high.data()[k] = w_[k].high;
    out.low.data()[k] = w_[k].low;
  }
  return out;
}

}  // namespace lacuna
