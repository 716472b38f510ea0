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
// Rows come in blocks and no block is kept, so memory is O(n^2 + block) for any number of rows. Blocks are handed out
// one row to a column: column i of a block Z' is z_i. Everything here may be called from several threads at a time.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/data/rows.hpp"

namespace lacuna {

/// Sums over the rows seen so far.
struct Normal {
  Matrix ZWZ;    ///< Z'WZ; the lower triangle counts
  Matrix right;  ///< Z'R
};

/// Says beta (weights) and R (one row for each row of the block) from the outputs z = Z p of a block.
using Reweigh = std::function<void(const Matrix& z, Vector& beta, Matrix& R)>;

/// <G, dP0/d log theta_p> and <G, P0>.
struct PenaltyDerivative {
  Vector d_log_kernel;
  double along = 0.0;
};

/// The factor T of C, and rows in its coordinates: v = T^-1 z, so that z_i' C^-1 z_j = v_i' v_j.
class FeatureFactor {
 public:
  virtual ~FeatureFactor() = default;
  virtual Matrix solve(const Matrix& right) const = 0;  ///< C^-1 right
  virtual Matrix rotate(const Matrix& p) const = 0;     ///< T'p: outputs are v' (T'p)
  virtual Matrix rows(const RowsView& X) const = 0;     ///< V' = T^-1 Z', one row of X to a column
  /// <G T^-1, dZ/d log theta_p> for the adjoint G of these rows (as G', one row to a column).
  virtual Vector contract(const RowsView& X, const Matrix& G) const = 0;
  /// The same for T^-T G T^-1 and P0; G symmetric.
  virtual PenaltyDerivative contract_penalty(const Matrix& G) const = 0;
};

class Features : public std::enable_shared_from_this<Features> {
 public:
  virtual ~Features() = default;
  /// Features of a row: the basis vectors that are kept, and the constant, which is last.
  virtual Index size() const = 0;
  virtual const std::vector<Index>& kept() const = 0;  ///< which basis vectors those are, in the order of the features
  virtual const Rows& basis() const = 0;               ///< and their rows, in the same order
  virtual Matrix coefficients(const Matrix& p) const = 0;  ///< of k(x, z_j), j in kept(), then the constant
  virtual Matrix from_coefficients(const Matrix& a) const = 0;
  virtual Matrix penalise(const Matrix& p) const = 0;                    ///< P0 p
  virtual Matrix outputs(const RowsView& X, const Matrix& p) const = 0;  ///< Z p
  /// Adds a block of rows to the sums, with beta and R from their outputs at p. Empty sums begin at zero.
  virtual void accumulate(const RowsView& X, const Matrix& p, const Reweigh& reweigh, Normal& sums) const = 0;
  /// Of lambda P0 + ZWZ. Null when it is not positive definite to working precision.
  virtual std::unique_ptr<FeatureFactor> factor(const Matrix& ZWZ, double lambda) const = 0;
  /// From T itself, lower triangular with a positive diagonal, where it was found in a way of its own.
  virtual std::unique_ptr<FeatureFactor> known_factor(const Matrix& T) const = 0;
};

}  // namespace lacuna
