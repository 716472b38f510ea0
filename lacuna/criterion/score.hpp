// criterion/score.hpp -- what every criterion is made of: one struct in a file of its own that says
//
//   id              its name
//   judges          what it is a function of
//   differentiable  whether it has a derivative in every output
//   score           P(z) and, when asked, dP/dz
#pragma once

#include "lacuna/criterion/criterion.hpp"

namespace lacuna {

/// What a criterion is a function of, which says how targets other than +1 and -1 enter. All but residuals and the
/// model's own loss need classes.
enum class Judges { residual, margin, rank, label, loss, model };

/// A weighted mean over rows and output columns of f.value(z, t), whose derivative is f.slope(z, t): what most are.
template <class F>
CriterionScore mean_over_rows(const Matrix& z, const Truth& truth, bool want_derivative, const F& f) {
  const double total = truth.weights.sum() * double(z.cols());
  CriterionScore out;
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
