// compute/cpu/features.hpp -- rows through a basis (compute/features.hpp) on BLAS. A block of rows is one matrix of n +
// 1 by rows, made tile by tile, then worked on in place: kernel values, substitution with R where the basis is
// whitened, dsyrk or substitution with T.
//
// Whitening costs a substitution for every row in every pass and is what keeps the digits when K_nn is nearly singular:
// summing k k' first and whitening the sum would lose eps * cond(K_nn)^2. A basis whose vectors each keep a hundredth
// of their squared norm when the others are projected out loses nothing, and is not whitened.
#pragma once

#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/cpu/buffer.hpp"

namespace lacuna::cpu {

class CpuFeatures final : public Features {
 public:
  CpuFeatures(const Kernel& kernel, const RowsView& Z);

  Index size() const override { return n_ + 1; }
  const std::vector<Index>& kept() const override { return kept_; }
  const Rows& basis() const override { return basis_; }
  Matrix coefficients(const Matrix& p) const override;
  Matrix from_coefficients(const Matrix& a) const override;
  Matrix penalise(const Matrix& p) const override;
  Matrix outputs(const RowsView& X, const Matrix& p) const override;
  void accumulate(const RowsView& X, const Matrix& p, const Reweigh& reweigh, Normal& sums) const override;
  std::unique_ptr<FeatureFactor> factor(const Matrix& ZWZ, double lambda) const override;

  bool whitened() const { return whitened_; }
  const Matrix& K() const { return K_; }  // of the basis vectors kept, both triangles
  Matrix block(const RowsView& X) const;  // Z'
  /// G := G in the coordinates of the kernel values, given in those of the features; n or n + 1 rows.
  void to_kernel(Matrix& G) const;
  /// sum_ij G_ji dk(x_i, z_j)/d log theta_p over the first n rows of G.
  Vector contract_kernel(const RowsView& X, const Matrix& G) const;

 private:
  Kernel kernel_;
  std::vector<Index> kept_;
  Rows basis_;
  Index n_ = 0;
  Matrix K_;
  Buffer R_;  // the pair (triangular.hpp) of K_: K = R'R, R' lower
  bool whitened_ = false;
};

class CpuFeatureFactor final : public FeatureFactor {
 public:
  CpuFeatureFactor(std::shared_ptr<const CpuFeatures> features, const Matrix& ZWZ, double lambda);
  bool positive_definite() const { return positive_definite_; }

  Matrix solve(const Matrix& right) const override;
  Matrix rotate(const Matrix& p) const override;
  Matrix rows(const RowsView& X) const override;
  Vector contract(const RowsView& X, const Matrix& G) const override;
  PenaltyDerivative contract_penalty(const Matrix& G) const override;

 private:
  std::shared_ptr<const CpuFeatures> features_;
  Index n_;   // of T: features, constant included
  Buffer T_;  // the pair of C
  bool positive_definite_ = false;
};

Matrix multiply(const Matrix& A, const Matrix& B);
void add_square(const Matrix& V, const Vector& w, Matrix& S);

}  // namespace lacuna::cpu
