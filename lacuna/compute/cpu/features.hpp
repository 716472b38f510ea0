// compute/cpu/features.hpp -- rows through a basis (compute/features.hpp) on BLAS. A block of rows is one matrix of n + 1 by
// rows, made tile by tile, then worked on in place: kernel values, change of coordinates (coordinates.hpp), dsyrk or
// substitution with T.
#pragma once

#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/coordinates.hpp"

namespace lacuna::cpu {

class CpuFeatures final : public Features {
 public:
  CpuFeatures(const Kernel& kernel, const RowsView& Z, Index rows);

  Index size() const override { return n_ + 1; }
  const std::vector<Index>& kept() const override { return kept_; }
  const Rows& basis() const override { return basis_; }
  Matrix coefficients(const Matrix& p) const override;
  Matrix from_coefficients(const Matrix& a) const override;
  Matrix penalise(const Matrix& p) const override;
  Matrix outputs(const RowsView& X, const Matrix& p) const override;
  void accumulate(const RowsView& X, const Matrix& p, const Reweigh& reweigh, Normal& sums) const override;
  std::unique_ptr<FeatureFactor> factor(const Matrix& ZWZ, double lambda) const override;
  std::unique_ptr<FeatureFactor> known_factor(const Matrix& T) const override;

  const Coordinates& coordinates() const { return coordinates_; }
  Matrix block(const RowsView& X) const;  // Z'
  /// sum_ij G_ji dk(x_i, z_j)/d log theta_p over the first n rows of G.
  Vector contract_kernel(const RowsView& X, const Matrix& G) const;

 private:
  Kernel kernel_;
  std::vector<Index> kept_;
  Rows basis_;
  Coordinates coordinates_;
  Index n_ = 0;
};

class CpuFeatureFactor final : public FeatureFactor {
 public:
  CpuFeatureFactor(std::shared_ptr<const CpuFeatures> features, const Matrix& ZWZ, double lambda);
  CpuFeatureFactor(std::shared_ptr<const CpuFeatures> features, const Matrix& T);
  bool positive_definite() const { return positive_definite_; }

  Matrix solve(const Matrix& right) const override;
  Matrix rotate(const Matrix& p) const override;
  Matrix rows(const RowsView& X) const override;
  Vector contract(const RowsView& X, const Matrix& G) const override;
  PenaltyDerivative contract_penalty(const Matrix& G) const override;

 private:
  void half_solve(Matrix& B) const;        // T^-1 B
  void other_half_solve(Matrix& B) const;  // T^-T B

  std::shared_ptr<const CpuFeatures> features_;
  Index n_;   // of T: features, constant included
  Buffer T_;  // the pair of C or, where T was given, T alone
  bool pair_ = true;
  bool positive_definite_ = false;
};

Matrix multiply(const Matrix& A, const Matrix& B);
void add_square(const Matrix& V, const Vector& w, Matrix& S);

}  // namespace lacuna::cpu
