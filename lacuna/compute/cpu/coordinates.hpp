// compute/cpu/coordinates.hpp -- the coordinates in which the cpu back end sees rows through a basis
// (compute/features.hpp).
//
// Sums of k k' lose digits when the basis vectors are nearly dependent: rounding errors of the sum, as large as eps
// |K|^2, are divided by the smallest eigenvalue of K twice. So each vector's part along earlier ones is taken off row
// by row, before the sum. Taking off all of it (whitening, K = L L' and k -> L^-1 k) is a substitution for every row in
// every pass. Mostly less will do: the vectors are cut into groups, in the order of a pivoted Cholesky factorisation,
// and only what lies along earlier groups is taken off,
//
//   f_g = k_g - sum_{h < g} A_gh f_h,     A_gh = L_gh L_hh^-1,     P0 = E_1 (+) E_2 (+) ...,   E_g = L_gg L_gg'
//
// A group ends where one of its vectors would keep less than a hundredth of its (remaining) squared norm with the
// others of the group projected out. What that costs is seen beside the larger of lambda and the rows' own say in each
// direction, so it is for many rows. One group costs nothing; where groups would be many, whitening costs no more than
// they do.
#pragma once

#include <vector>

#include "lacuna/compute/cpu/buffer.hpp"

namespace lacuna::compute::cpu {

class Coordinates {
 public:
  Coordinates() = default;
  /// For the vectors of K (lower triangle used) in their order; fewer where K is not positive definite to the end:
  /// size() says how many. Not grouped: whitened.
  Coordinates(const Matrix& K, bool grouped);

  Index size() const { return n_; }
  bool whitened() const { return whitened_; }
  /// Where groups begin, and size(): {0, n} for one group. Not for whitened ones.
  const std::vector<Index>& groups() const { return start_; }

  // Each works on the first size() rows of a matrix with one row of data (or one p) to a column.
  void features(Matrix& k) const;  ///< k -> f = B k
  void adjoint(Matrix& g) const;   ///< g -> B'g: adjoints of f to adjoints of k; and p -> coefficients a
  void penalise(Matrix& p) const;  ///< p -> P0 p
  void add_penalty(double lambda, double* C, Index ld) const;  ///< the lower triangle of C += lambda P0
  double along_penalty(const Matrix& G) const;                 ///< <G, P0>, G symmetric

 private:
  void cut();

  Index n_ = 0;
  Buffer L_;  // the pair (triangular.hpp) of K
  std::vector<Index> start_;
  std::vector<Matrix> A_;  // of each group but the first: A_g,<g
  std::vector<Matrix> E_;  // of each group, both triangles
  bool whitened_ = false;
};

}  // namespace lacuna::compute::cpu
