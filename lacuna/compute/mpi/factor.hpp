// compute/mpi/factor.hpp -- the factor of A = I + D K D/lambda over all ranks, and what the door asks of M^-1 = D A^-1
// D/lambda. Rows with beta = 0 are rows of the identity in A and have d = 0: they need no place of their own.
//
// Memory over all ranks, in matrices of l x l: L and, with Want::inverse, L^-1, in whose place A^-1 is put when it is
// first asked for. The contraction takes Q and, for a while, up to two more.
#pragma once

#include "lacuna/compute/mpi/gram.hpp"

namespace lacuna::compute::mpi {

class SpreadFactor {
 public:
  SpreadFactor(const SpreadGram& gram, Vector beta, double lambda, Want want);
  bool positive_definite() const { return positive_definite_; }
  double log_determinant() const { return log_determinant_; }

  // Results are on rank 0.
  Matrix solve(const Matrix& B) const;
  // The rest requires Want::inverse.
  Vector inverse_diagonal();
  Matrix inverse_part(const std::vector<Index>& rows);
  AdjointResult contract(const Adjoint& adjoint);  ///< without folds
  Vector second_step(const Vector& xi, const Vector& alpha, const Vector& curvature);
  /// Of every output column: the weight of the pairs of rows in the system of which the positive one is ahead when both
  /// are left out, a tie counting half (host/dual_pairs.cpp has the formula).
  Vector pairs_won(const Vector& xi, const Matrix& side, const Vector& tie, const Matrix& alpha, const Matrix& eta);

 private:
  const Grid& grid() const { return gram_.grid(); }
  const Team& team() const { return gram_.grid().team(); }
  Index size() const { return gram_.size(); }
  void form_inverse();
  // Q_ij for the element of A^-1.
  struct Border;
  Vector diagonal_of_Q(const Border& of);
  Vector moving_weights(const Border& of, const Adjoint& adjoint, Matrix& right);
  Spread whole_Q(const Border& of);

  const SpreadGram& gram_;
  Vector beta_, d_;
  double lambda_;
  bool positive_definite_ = false;
  double log_determinant_ = 0.0;
  std::optional<Spread> L_;
  std::optional<Spread> inverse_;  // of L, and then of A; lower triangles
  bool of_A_ = false;
};

}  // namespace lacuna::compute::mpi
