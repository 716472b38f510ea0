// tests/support/sparse_rows.hpp -- dense rows without their zeros.
#pragma once

#include "lacuna/base/rows.hpp"

namespace lacuna::testing {

inline SparseMatrix sparse(const RowMatrix& X) {
  SparseMatrix out;
  out.rows = X.rows();
  out.cols = X.cols();
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index k = 0; k < X.cols(); ++k)
      if (X(i, k) != 0.0) {
        out.column.push_back(std::int32_t(k));
        out.value.push_back(X(i, k));
      }
    out.row_start.push_back(std::int64_t(out.value.size()));
  }
  return out;
}

}  // namespace lacuna::testing
