// machine/lambda_path.hpp -- the squared loss for every lambda at once (method 5). With D = diag(sqrt(zeta)) and
// D K D = U diag(omega) U', once, each further lambda costs O(l^2): g = 1/(omega + lambda), M^-1 = D U diag(g) U' D.
//
// An eigendecomposition costs 16 to 23 Cholesky factorisations: worth it where many lambda share one kernel.
#pragma once

#include "lacuna/compute/compute.hpp"

namespace lacuna {

/// What one lambda gives.
struct PathPoint {
  Matrix alpha;     ///< l x m
  Vector b;         ///< m
  Matrix z;         ///< l x m fitted outputs
  Matrix held_out;  ///< l x m leave-one-out outputs
  Vector Q_ii;
};

class LambdaPath {
 public:
  /// Requires weights >= 0, some > 0; targets of K.size() rows. K is not needed afterwards.
  LambdaPath(const Gram& K, const Vector& weights, Matrix targets);
  PathPoint at(double lambda) const;

 private:
  Vector weights_, d_;
  Matrix targets_;
  Spectrum spectrum_;
  Vector u_one_;     // U' D 1
  Matrix u_target_;  // U' D t, targets centred
  Vector centre_;
  Matrix K_out_;  // kernel rows of those rows that have weight 0
  std::vector<Index> out_rows_;
};

}  // namespace lacuna
