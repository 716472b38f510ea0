// compute/cpu/features.hpp -- rows through a basis (compute/features.hpp) on BLAS. A block of rows is one matrix of n +
// 1 by rows, made tile by tile, then worked on in place: kernel values, change of coordinates (coordinates.hpp), dsyrk
// or substitution with T.
#pragma once

#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/coordinates.hpp"
#include "lacuna/compute/host/features.hpp"

namespace lacuna::compute::cpu {

class CpuFeatures : public host::HostFeatures {
 public:
  CpuFeatures(const host::HostBackend& backend, const Kernel& kernel, const RowsView& Z, Index rows);

  Matrix coefficients(const Matrix& p) const override;
  Matrix penalise(const Matrix& p) const override;
  Matrix of_block(const RowsView& X, const Matrix& p) const override;
  void accumulate(const RowsView& X, const Matrix& p, const host::ReweighBlock& reweigh,
                  host::Sums& sums) const override;
  std::unique_ptr<host::HostFeatureFactor> factor(const Matrix& ZWZ, double lambda) const override;
  std::unique_ptr<host::HostFeatureFactor> known_factor(const Matrix& T) const override;
  const host::HostBackend& backend() const override { return backend_; }

  const Coordinates& coordinates() const { return coordinates_; }
  Matrix block(const RowsView& X) const;  // Z'
  /// sum_ij G_ji dk(x_i, z_j)/d log theta_p over the first n rows of G.
  Vector contract_kernel(const RowsView& X, const Matrix& G) const;

 private:
  const host::HostBackend& backend_;
  Kernel kernel_;
  Coordinates coordinates_;
  Index n_ = 0;
};

class CpuFeatureFactor : public host::HostFeatureFactor {
 public:
  CpuFeatureFactor(std::shared_ptr<const CpuFeatures> features, const Matrix& ZWZ, double lambda);
  CpuFeatureFactor(std::shared_ptr<const CpuFeatures> features, const Matrix& T);
  bool positive_definite() const { return positive_definite_; }

  Matrix solve(const Matrix& right) const override;
  Matrix rotate(const Matrix& p) const override;
  Matrix rows(const RowsView& X) const override;
  Vector contract(const RowsView& X, const Matrix& G) const override;
  host::PenaltyDerivative contract_penalty(const Matrix& G) const override;

 private:
  void half_solve(Matrix& B) const;        // T^-1 B
  void other_half_solve(Matrix& B) const;  // T^-T B

  std::shared_ptr<const CpuFeatures> features_;
  Index n_;   // of T: features, constant included
  Buffer T_;  // the pair of C or, where T was given, T alone
  bool pair_ = true;
  bool positive_definite_ = false;
};

}  // namespace lacuna::compute::cpu
