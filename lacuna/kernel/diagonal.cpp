#include "lacuna/kernel/diagonal.hpp"

namespace lacuna {

Vector kernel_diagonal(const Kernel& kernel, const RowsView& X) {
  Vector out(X.rows());
  std::vector<double> x(std::size_t(X.cols()));
  for (Index i = 0; i < X.rows(); ++i) {
    dense_row(X, i, x.data());
    out[i] = pair_value(kernel, x, x, i);
  }
  return out;
}

}  // namespace lacuna
