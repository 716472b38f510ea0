// experiment/ridge_path.hpp -- a weighted LS-SVM for many lambda at once, with its leave-one-out outputs and its
// outputs for test rows. With D = diag(sqrt(zeta)) and rows centred by their weighted mean, D (Z - 1 m') = P in
// coordinates where P'P = diag(s):
//
//   z = mean + P diag(1/(s + lambda)) P'D(t - mean) / d        h_i = zeta_i / sum(zeta) + sum_j P_ij^2 / (s_j + lambda)
//   z_i^(-i) = t_i - (t_i - z_i) / (1 - h_i)
//
// The coordinates come from explicit features (n^3 + l n^2 operations: linear and quadratic kernels on few columns) or
// from a kernel matrix (an eigendecomposition of order l). After that a list of lambda is two matrix products.
#pragma once

#include "lacuna/base/matrix.hpp"

namespace lacuna {

class RidgePath {
 public:
  /// Rows of features, for training and for testing. Requires zeta > 0.
  static RidgePath from_features(const Matrix& Z, const Matrix& test_Z, const Vector& zeta, const Vector& t);
  /// Kernel values of the training rows, and of test rows with training rows.
  static RidgePath from_kernel(Matrix K, Matrix test_K, const Vector& zeta, const Vector& t);

  /// l x k leave-one-out outputs, one column for each lambda > 0.
  Matrix held_out(const Vector& lambda) const;
  /// Outputs for the test rows.
  Vector test_outputs(double lambda) const;
  /// Mean of the spectrum over the rows: what lambda is measured by.
  double scale() const { return s_.sum() / double(t_.size()); }

 private:
  Vector zeta_, t_;
  double mean_ = 0.0;
  Matrix P_, test_P_;
  Vector s_, right_;  // P'D(t - mean)
};

/// The features of (x'y + c)^2 without the constant: sqrt(2c) x_i, x_i^2, sqrt(2) x_i x_j.
Matrix quadratic_features(const RowMatrix& X, double c);

}  // namespace lacuna
