// compute/host/features.hpp -- rows through a basis for back ends in the host's memory: sweeps over blocks of rows, and
// the closed forms, over what such a back end can say of one block. What a back end says of a block may be asked for
// from several threads at a time. Blocks have one row to a column: column i of Z' is z_i.
#pragma once

#include "lacuna/compute/host/backend.hpp"
#include "lacuna/compute/lanes.hpp"

namespace lacuna::compute::host {

/// Calls body(lane, first, block) for all rows, in blocks and lanes (compute/lanes.hpp).
void over_rows(const RowSource& X, Index features,
               const std::function<void(Index lane, Index first, const RowsView&)>& body);
/// As many lanes as over_rows has.
Index row_lanes(const RowSource& X, Index features);
/// body(some of the rows, their block), block after block.
void over_blocks(const RowSource& X, std::span<const Index> rows,
                 const std::function<void(std::span<const Index>, const RowsView&)>& body);

using Sums = FeatureSums;
/// beta and R (one row for each row of the block) from the outputs z = Z p of a block.
using ReweighBlock = std::function<void(const Matrix& z, Vector& beta, Matrix& R)>;

/// <G, dP0/d log theta_p> and <G, P0>.
struct PenaltyDerivative {
  Vector d_log_kernel;
  double along = 0.0;
};

class HostFeatureFactor;

class HostFeatures : public Features {
 public:
  Vector scale() const override;
  Matrix outputs(const RowSource& X, const Matrix& p) const override;
  std::unique_ptr<Normal> normal(const RowSource& X, const Matrix& p, const Reweigh& reweigh) const override;
  std::unique_ptr<Normal> normal(FeatureSums sums) const override;
  Rotated by_rotations(const RowSource& X, const Vector& beta, const Matrix& eta, double lambda,
                       const std::vector<Index>& alone) const override;

  virtual Matrix of_block(const RowsView& X, const Matrix& p) const = 0;  ///< Z p
  /// Adds a block of rows to the sums, with beta and R from their outputs at p. Empty sums begin at zero.
  virtual void accumulate(const RowsView& X, const Matrix& p, const ReweighBlock& reweigh, Sums& sums) const = 0;
  /// Of lambda P0 + ZWZ. Null when it is not positive definite to working precision.
  virtual std::unique_ptr<HostFeatureFactor> factor(const Matrix& ZWZ, double lambda) const = 0;
  /// From T itself, lower triangular with a positive diagonal.
  virtual std::unique_ptr<HostFeatureFactor> known_factor(const Matrix& T) const = 0;
  virtual const HostBackend& backend() const = 0;
};

class HostFeatureFactor : public FeatureFactor {
 public:
  RowMoments moments(const RowSource& X, const Matrix& p) const override;
  Matrix leave_out(const RowSource& X, const PrimalState& fit, const Folds& folds) const override;  // primal_folds.cpp
  CriterionGradient gradient(const RowSource& X, const PrimalState& fit, const Folds& folds,
                             const Matrix& d_output) const override;  // primal_gradient.cpp
  Vector pair_areas(const RowSource& X, const PrimalState& fit, const Pairs& pairs) const override;
  HeldOutOptimum beyond(const RowSource& X, const PrimalState& fit, const Supervision& learn, Index column,
                        const std::vector<Index>& rows) const override;                    // beyond.cpp
  HeldOutOptimum follow(const RowSource& X, const FollowProblem& problem) const override;  // follow.cpp

  virtual Matrix rotate(const Matrix& p) const = 0;  ///< T'p: outputs are v' (T'p)
  virtual Matrix rows(const RowsView& X) const = 0;  ///< V' = T^-1 Z', one row of X to a column
  RowMoments moments_of(const RowsView& block, const Matrix& rotated) const;  ///< with rotate(p)'
  /// <G T^-1, dZ/d log theta_p> for the adjoint G of these rows (as G', one row to a column).
  virtual Vector contract(const RowsView& X, const Matrix& G) const = 0;
  /// The same for T^-T G T^-1 and P0; G symmetric.
  virtual PenaltyDerivative contract_penalty(const Matrix& G) const = 0;

  /// The factor of C less a fold's part of Z'WZ; null where too many digits cancel. Requires sums.
  std::unique_ptr<HostFeatureFactor> without(const Matrix& part, double lambda) const;
  /// Whether it was made of sums; otherwise these have too few digits to take folds from.
  bool of_sums() const { return sums_ != nullptr; }
  void keep(std::shared_ptr<const Sums> sums) { sums_ = std::move(sums); }
  const HostFeatures& features() const { return *features_; }

 protected:
  explicit HostFeatureFactor(std::shared_ptr<const HostFeatures> features) : features_(std::move(features)) {}

 private:
  std::shared_ptr<const HostFeatures> features_;
  std::shared_ptr<const Sums> sums_;
};

/// Folds worked on together: whole ones, as many as make a block of rows.
struct FoldBatch {
  std::size_t first = 0, last = 0;  ///< folds first ... last - 1
  std::vector<Index> rows;          ///< theirs, fold after fold
};
std::vector<FoldBatch> fold_batches(const Folds& folds);

/// (I - W_F V_F V_F')^-1 B for the rows of one fold, columns V of their block; empty when that is singular, or so
/// nearly that too many digits cancel.
Matrix solve_fold(const HostFeatures& features, const Matrix& V, const Vector& beta, const Matrix& B);

}  // namespace lacuna::compute::host
