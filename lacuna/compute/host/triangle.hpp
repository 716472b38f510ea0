// compute/host/triangle.hpp -- the primal problem by orthogonal transformations, for the rows and folds whose leaving
// would cancel (machine/primal.hpp). Sums Z'WZ square what they add, and taking a part of them away again leaves its
// rounding behind; here rows join one by one and none ever leaves:
//
//   R'R = lambda P0 + Z'WZ,    R p = d      from the QR factorisation of [ sqrt(lambda) P0^1/2 ;  sqrt(W) Z ]
//
// and its right-hand side, so that what is lost is eps times the condition of R, the square root of that of C. About
// four times the work of the sums.
#pragma once

#include "lacuna/compute/host/features.hpp"

namespace lacuna::compute::host {

class Triangle {
 public:
  /// No rows yet. `features` must outlive it.
  Triangle(const HostFeatures& features, double lambda, Index outputs);

  void add(const RowsView& X, const Vector& beta, const Matrix& eta);
  /// Rows of the source: beta and eta have one for each of its rows.
  void add(const RowSource& X, const std::vector<Index>& rows, const Vector& beta, const Matrix& eta);

  bool usable() const;                      ///< no diagonal element is zero: all below requires it
  Matrix solution() const;                  ///< p
  Matrix solve(const Matrix& right) const;  ///< C^-1 right
  Matrix half(const RowsView& X) const;     ///< R^-T Z', one row of X to a column
  Matrix outputs(const RowsView& X) const;  ///< Z p
  Matrix lower() const;                     ///< T = R' with a positive diagonal, C = T T'

 private:
  Index size() const { return R_.rows(); }
  Matrix substitute(const Matrix& right) const;             // R^-1 right
  Matrix substitute_transposed(const Matrix& right) const;  // R^-T right

  const HostFeatures& features_;
  RowMatrix R_;  // [R | d]
};

/// visit(k, triangle of all rows but those of fold k), fold after fold; rows in no fold are in all of them. The rows of
/// m folds join log2(m) triangles each, and as many are kept at a time.
void for_each_left_out(const HostFeatures& features, const RowSource& X, const Vector& beta, const Matrix& eta,
                       double lambda, const Folds& folds,
                       const std::function<void(std::size_t, const Triangle&)>& visit);

}  // namespace lacuna::compute::host
