// compute/cpu/factor.hpp -- the factor of the cpu back end: L and S of A = I + D K D / lambda (triangular.hpp) over the
// rows in use, and what the door asks of M^-1 = D A^-1 D / lambda.
#pragma once

#include <memory>
#include <vector>

#include "lacuna/compute/cpu/gram.hpp"

namespace lacuna::compute::cpu {

// Holds L and S of A over the rows in use; rows with beta = 0 are not in it.
class CpuFactor final : public host::HostFactor {
 public:
  CpuFactor(std::shared_ptr<const CpuGram> gram, const Vector& beta, double lambda, Want want);
  bool positive_definite() const { return positive_definite_; }

  Matrix solve(const Matrix& B) const override;
  Vector inverse_diagonal() const override;

 protected:
  const host::HostGram& gram() const override { return *gram_; }
  Matrix inverse_block(std::span<const Index> which) const override;
  Matrix inverse() const override;
  AdjointResult contract_rows(const Adjoint& adjoint) const override;
  Matrix product(const Matrix& A, const Matrix& B) const override;

 private:
  Index rows() const { return gram_->size(); }

  // The lower triangle of A = I + D K D / lambda.
  void assemble();
  // The same without K: every tile is scaled while it is still in cache.
  void assemble_in_place();
  Matrix pack(const Matrix& B) const;
  Matrix unpack(const Matrix& x) const;
  // Q = M^-1 - xi xi'/(1'xi) over the rows in use, in one pass over A^-1 and in memory of the workspace.
  Buffer packed_Q(const Vector& xi) const;
  // T - kappa M^-1 over the rows in use, lower triangles; T may be empty.
  void subtract_inverse(double kappa, Buffer& T) const;
  Vector gather(const Vector& x) const;
  // w = -lambda o, and -lambda Q (w o s) added to the right factor.
  Vector apply_curvature(const double* all_of_Q, const Vector& v, const Vector& s, Matrix& right) const;
  // <G, d(R C R)/d log theta> for G = (L R' + R L')/2 - T; T is lower, over the rows in use, or empty (squared.cpp).
  Vector contract_squared(const Matrix& left, const Matrix& right, Buffer T) const;

  std::shared_ptr<const CpuGram> gram_;
  std::vector<Index> used_;  // rows with beta > 0, ascending
  Index n_ = 0;
  Vector d_;  // sqrt(beta) of those
  Buffer pair_;
  bool positive_definite_ = false;
};

}  // namespace lacuna::compute::cpu
