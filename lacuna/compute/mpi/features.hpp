// compute/mpi/features.hpp -- rows through a basis over all ranks. Every rank has the basis and its features; the
// blocks of rows of a sweep are divided among them (sweep.hpp). Spread is what a fit asks of all rows: outputs, sums,
// and the moments from which leave-one-out follows, each row's by the rank that has it. Everything else is as on one
// computer, on rank 0.
#pragma once

#include <algorithm>

#include "lacuna/compute/cpu/features.hpp"
#include "lacuna/compute/mpi/session.hpp"

namespace lacuna::compute::mpi {

/// As rank 0 has them; the other ranks know their own by the same number. X of fewer rows than `fewest` is not spread.
class SpreadFeatures final : public cpu::CpuFeatures {
 public:
  SpreadFeatures(Session& session, Index number, Index fewest, const Kernel& kernel, const RowsView& basis, Index rows);
  ~SpreadFeatures() override { Session::drop(session_, drop_features, number_); }

  Matrix outputs(const RowSource& X, const Matrix& p) const override;
  std::unique_ptr<Normal> normal(const RowSource& X, const Matrix& p, const Reweigh& reweigh) const override;
  using HostFeatures::normal;
  std::unique_ptr<host::HostFeatureFactor> factor(const Matrix& ZWZ, double lambda) const override;

  bool worth_spreading(const RowSource& X) const { return X.rows() >= std::max<Index>(1, fewest_); }
  RowMoments moments(const RowSource& X, const Matrix& p, const Matrix& ZWZ, double lambda) const;

 private:
  Session& session_;
  Index number_, fewest_;
};

/// Made on all ranks together. The kernel must be one that can be sent.
std::shared_ptr<const Features> spread_features(Session& session, const Kernel& kernel, const RowsView& basis,
                                                Index rows, Index fewest);

}  // namespace lacuna::compute::mpi
