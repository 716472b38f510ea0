// machine/primal.hpp -- the primal core: one weighted least-squares problem on a basis (method 6), the whole of a
// sparse LS-SVM and one step of every sparse machine that iterates.
//
//   minimise  (lambda/2) p'P0 p + 1/2 sum_i beta_i (eta_i - z_i'p)^2      C = lambda P0 + Z'WZ,   C p = Z'W eta
//
// Z and P0 are the features of compute/features.hpp: kernel values with n basis vectors, and a constant that is not
// penalised. Rows come block by block, so time is O(l n^2) and memory O(n^2 + block) besides a few numbers a row. One C
// serves any number of right-hand sides. Rows with beta = 0 have no say and still get an output.
#pragma once

#include <memory>

#include "lacuna/compute/compute.hpp"
#include "lacuna/data/row_source.hpp"

namespace lacuna {

struct PrimalFit {
  std::shared_ptr<const Features> features;
  std::unique_ptr<FeatureFactor> factor;  ///< null: C was not positive definite, and nothing below is set
  double lambda = 0.0;
  Matrix ZWZ;       ///< Z'WZ, the lower triangle
  Matrix p;         ///< size() x m, in the features' own coordinates
  Matrix z;         ///< l x m fitted outputs
  Vector beta;      ///< l
  Matrix pull;      ///< l x m: beta_i (eta_i - z_i), what the row asks of the machine (lambda alpha_i of the dual one)
  Vector variance;  ///< l: z_i' C^-1 z_i; empty with Want::solve
  Vector bend;      ///< c'''/c'', how the weights move with the fit; empty: they do not (squared loss)

  bool usable() const { return factor != nullptr; }
  Matrix coefficients() const { return features->coefficients(p); }  ///< of the basis vectors kept, then the bias
};

/// Requires beta >= 0 with at least one > 0, lambda > 0, eta of X.rows() rows.
PrimalFit solve_primal(std::shared_ptr<const Features> features, const RowSource& X, const Vector& beta,
                       const Matrix& eta, double lambda, Want want);

/// Completes a fit whose factor and p are known: z and, with Want::inverse, the variances, in one pass over the rows.
void finish_primal(PrimalFit& fit, const RowSource& X, Want want);

/// h_i = beta_i z_i' C^-1 z_i, the pull of a row on its own output.
inline Vector leverage(const PrimalFit& fit) { return fit.beta.cwiseProduct(fit.variance); }

/// One pass over all rows: sums of Z'WZ and Z'R with beta and R of the rows first ... from `reweigh`.
Normal normal_equations(const Features& features, const RowSource& X, const Matrix& p,
                        const std::function<void(Index first, const Matrix& z, Vector& beta, Matrix& R)>& reweigh);

/// Calls body(lane, first, block) for all rows, in blocks and lanes (compute/lanes.hpp); returns the number of lanes.
Index over_rows(const RowSource& X, Index features,
                const std::function<void(Index lane, Index first, const RowsView&)>& body);
/// As many as over_rows has.
Index row_lanes(const RowSource& X, Index features);

}  // namespace lacuna
