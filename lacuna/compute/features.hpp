// compute/features.hpp -- rows seen through a basis: the part of the door that machines with basis vectors use (method
// 6). For basis vectors z_1 ... z_n a row x has the features
//
//   k(x, z_1), ..., k(x, z_n), 1       Z = [K_ln | 1],     P0 = K_nn (+) 0,     C = lambda P0 + Z'WZ = T T'
//
// up to a change of coordinates that is the back end's own: basis vectors that are numerically combinations of others
// are dropped (pivoted Cholesky of K_nn), and where K_nn is not well conditioned the features are whitened, K_nn = R'R
// and k -> R^-T k, so that P0 = I (+) 0, or as nearly so as accuracy asks. A vector p of coefficients is in these
// coordinates; `coefficients` translates.
//
// Rows come from a source and are swept in blocks of the back end's choice, none of which is kept: memory is O(n^2 +
// block) for any number of rows. The sums over rows and everything made of them stay behind the door.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/compute/held_out.hpp"
#include "lacuna/data/row_source.hpp"

namespace lacuna::compute {

/// A solved weighted least-squares problem on a basis (machine/primal.hpp).
struct PrimalState {
  double lambda = 0.0;
  Matrix p;         ///< size() x m, in the features' own coordinates
  Matrix z;         ///< l x m fitted outputs
  Vector beta;      ///< l
  Matrix pull;      ///< l x m: beta_i (eta_i - z_i), what the row asks of the machine (lambda alpha_i of the dual one)
  Vector variance;  ///< l: z_i' C^-1 z_i; empty with Want::solve
  Vector rest;      ///< l: 1 - h_i, without cancellation; empty with Want::solve
  Vector bend;      ///< c'''/c'', how the weights move with the fit; empty: they do not (squared loss)

  /// The working response, z_i + pull_i/beta_i; z_i where beta_i = 0.
  Matrix eta() const;
};

/// What is left of a row's leverage, and of an eigenvalue of I - H_FF, below which sums are not trusted.
inline constexpr double least_rest = 1e-7;

/// Of rows: outputs Z p and variances z_i' C^-1 z_i.
struct RowMoments {
  Matrix z;
  Vector variance;
};

/// The factor T of C. In its coordinates rows are v = T^-1 z, so that z_i' C^-1 z_j = v_i' v_j.
class FeatureFactor {
 public:
  virtual ~FeatureFactor() = default;
  virtual Matrix solve(const Matrix& right) const = 0;  ///< C^-1 right
  virtual RowMoments moments(const RowSource& X, const Matrix& p) const = 0;
  // Closed forms of a machine solved with this factor; all require its variances.
  /// Held-out outputs (loo/primal_held_out.hpp); empty: a machine without one of the folds is not positive definite.
  virtual Matrix leave_out(const RowSource& X, const PrimalState& fit, const Folds& folds) const = 0;
  /// Empty folds: leave one out (loo/primal_gradient.hpp). d_output is dP/dz~, l x m.
  virtual CriterionGradient gradient(const RowSource& X, const PrimalState& fit, const Folds& folds,
                                     const Matrix& d_output) const = 0;
  /// For a few thousand rows: O(n) a pair (loo/leave_pair_out.hpp).
  virtual Vector pair_areas(const RowSource& X, const PrimalState& fit, const Pairs& pairs) const = 0;
  /// Held-out outputs of an iterated loss: for `rows` the first step along its line, or what a second step would add,
  /// in HeldOutOptimum::left (loo/primal_beyond.hpp); one step for the others, whose `left` is NaN.
  virtual HeldOutOptimum beyond(const RowSource& X, const PrimalState& fit, const Supervision& learn, Index column,
                                const std::vector<Index>& rows) const = 0;
  /// Held-out fits of an iterated loss, followed to their optimum; this factor preconditions. Takes l n doubles.
  virtual HeldOutOptimum follow(const RowSource& X, const FollowProblem& problem) const = 0;
};

/// Sums over some rows, in the features' own coordinates. They leave the back end only where rows are in several places
/// (machine/primal_steps.hpp): sums over other rows are added, from features of the same basis in the same order.
struct FeatureSums {
  Matrix ZWZ;    ///< Z'WZ; the lower triangle counts. Empty: of no rows
  Matrix right;  ///< Z'R

  FeatureSums& operator+=(const FeatureSums& others);
};

/// Sums of Z'WZ and Z'R over rows.
class Normal {
 public:
  virtual ~Normal() = default;
  const Matrix& right() const { return right_; }  ///< Z'R
  /// Of lambda P0 + Z'WZ. Null when it is not positive definite to working precision.
  virtual std::unique_ptr<FeatureFactor> factor(double lambda) const = 0;
  virtual FeatureSums sums() const = 0;  ///< O(n^2) numbers

 protected:
  Matrix right_;
};

/// Says beta (weights) and R of some rows, from `first` on, from their outputs z = Z p. Called for all of them in any
/// order, perhaps from several threads at a time.
using Reweigh = std::function<void(Index first, const Matrix& z, Vector& beta, Matrix& R)>;

/// The least-squares problem solved by orthogonal transformations, for rows whose leaving would cancel.
struct Rotated {
  std::unique_ptr<FeatureFactor> factor;  ///< null: singular all the same
  Matrix p;
  // Of the machines without each of the rows asked for, one row each:
  Vector variance;  ///< z_i' C_-i^-1 z_i; NaN: singular
  Matrix z;         ///< outputs
};

class Features : public std::enable_shared_from_this<Features> {
 public:
  virtual ~Features() = default;
  /// Features of a row: the basis vectors that are kept, and the constant, which is last.
  Index size() const { return Index(kept_.size()) + 1; }
  const std::vector<Index>& kept() const {
    return kept_;
  }                                             ///< which basis vectors those are, in the order of the features
  const Rows& basis() const { return basis_; }  ///< and their rows, in the same order
  virtual Matrix coefficients(const Matrix& p) const = 0;  ///< of k(x, z_j), j in kept(), then the constant
  virtual Matrix penalise(const Matrix& p) const = 0;      ///< P0 p
  virtual Vector scale() const = 0;                        ///< the largest each feature is at the basis vectors
  virtual Matrix outputs(const RowSource& X, const Matrix& p) const = 0;  ///< Z p
  /// One sweep: outputs at p, from them beta and R, and their sums.
  virtual std::unique_ptr<Normal> normal(const RowSource& X, const Matrix& p, const Reweigh& reweigh) const = 0;
  /// Sums that were made elsewhere.
  virtual std::unique_ptr<Normal> normal(FeatureSums sums) const = 0;
  /// Of min (lambda/2) p'P0 p + 1/2 sum beta (eta - Z p)^2, and of the same without each of the rows `alone`.
  virtual Rotated by_rotations(const RowSource& X, const Vector& beta, const Matrix& eta, double lambda,
                               const std::vector<Index>& alone) const = 0;

 protected:
  std::vector<Index> kept_;
  Rows basis_;
};

}  // namespace lacuna::compute
