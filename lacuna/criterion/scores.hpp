// criterion/scores.hpp -- the criteria themselves, one file each, all of one shape: P(z) and, when asked, dP/dz.
// criterion.cpp lists them by name.
#pragma once

#include "lacuna/criterion/criterion.hpp"

namespace lacuna {

Score press(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions&);
Score error_rate(const Matrix& z, const Truth& truth, bool, const CriterionOptions&);
Score smooth_error(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions& options);
Score hinge(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions&);
Score squared_hinge(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions&);
Score wilcoxon_mann_whitney(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions& options);
Score cross_entropy(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions& options);
Score balanced_error_rate(const Matrix& z, const Truth& truth, bool, const CriterionOptions&);

/// A weighted mean over rows and output columns of f(z, t) with derivative f.d(z, t): what most criteria are.
template <class F>
Score mean_over_rows(const Matrix& z, const Truth& truth, bool want_derivative, const F& f) {
  const double total = truth.weights.sum() * double(z.cols());
  Score out;
  if (want_derivative) out.d_output.resize(z.rows(), z.cols());
  for (Index c = 0; c < z.cols(); ++c)
    for (Index i = 0; i < z.rows(); ++i) {
      const double w = truth.weights[i] / total, t = truth.targets(i, c);
      if (w > 0.0) out.value += w * f.value(z(i, c), t);
      if (want_derivative) out.d_output(i, c) = w > 0.0 ? w * f.slope(z(i, c), t) : 0.0;
    }
  return out;
}

}  // namespace lacuna
