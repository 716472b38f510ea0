// machine/primal.hpp -- the primal core: one weighted least-squares problem on a basis (method 6), the whole of a
// sparse LS-SVM and one step of every sparse machine that iterates.
//
//   minimise  (lambda/2) p'P0 p + 1/2 sum_i beta_i (eta_i - z_i'p)^2      C = lambda P0 + Z'WZ,   C p = Z'W eta
//
// Z and P0 are the features of compute/features.hpp: kernel values with n basis vectors, and a constant that is not
// penalised. Rows come block by block, so time is O(l n^2) and memory O(n^2 + block) besides a few numbers a row. One C
// serves any number of right-hand sides. Rows with beta = 0 have no say and still get an output.
//
// Accuracy. A row that determines its own output (leverage h near 1: a weight of 1e10, a lambda of 1e-10 where rows
// are as few as basis vectors) leaves 1 - h to rounding, and a weight far above the others drowns what they say in the
// sums Z'WZ. So wherever 1 - h_i < `least_rest`, or the rounding of the largest weight could be seen in the outputs of
// other rows, or C is not positive definite to working precision, the fit is made by orthogonal transformations instead
// (Features::by_rotations), and 1 - h_i = 1/(1 + beta_i t_i) comes from t_i = z_i' C_-i^-1 z_i of the machine without
// row i, which does not cancel. Held-out outputs then agree with explicit refits to 1e-7 of their range, down to lambda
// = 1e-14 of the kernel's diagonal and up to weights of 1e10; other rows are closer by far. It needs Want::inverse.
#pragma once

#include <memory>

#include "lacuna/compute/compute.hpp"
#include "lacuna/data/row_source.hpp"

namespace lacuna {

struct PrimalFit : compute::PrimalState {
  std::shared_ptr<const compute::Features> features;
  std::unique_ptr<compute::FeatureFactor> factor;  ///< null: C was not positive definite, and the state is not set
  bool by_rotations = false;                       ///< made by orthogonal transformations

  bool usable() const { return factor != nullptr; }
  Matrix coefficients() const { return features->coefficients(p); }  ///< of the basis vectors kept, then the bias
};

/// Requires beta >= 0 with at least one > 0, lambda > 0, eta of X.rows() rows.
PrimalFit solve_primal(std::shared_ptr<const compute::Features> features, const RowSource& X, const Vector& beta,
                       const Matrix& eta, double lambda, compute::Want want);

/// Completes a fit whose factor and p are known: z and, with Want::inverse, the variances, in one pass over the rows.
void finish_primal(PrimalFit& fit, const RowSource& X, compute::Want want);

/// Completes a fit with Want::inverse whose pull is known: `rest` and, where sums would cancel, everything anew, from
/// the working response eta().
void settle_primal(PrimalFit& fit, const RowSource& X, const std::function<Matrix()>& eta);

/// h_i = beta_i z_i' C^-1 z_i, the pull of a row on its own output.
inline Vector leverage(const PrimalFit& fit) { return fit.beta.cwiseProduct(fit.variance); }

}  // namespace lacuna
