#include "lacuna/select/detail/flat_limit.hpp"

#include <algorithm>

namespace lacuna::detail {
namespace {

constexpr double wide = 1e-2;          // of theta where a search begins
constexpr double as_well = 1.005;      // of the criterion
constexpr double plain_c[] = {1, 10};  // of the mean of x.x

}  // namespace

Plainer acts_as(const Problem& problem, const Selection& chosen) {
  const auto* k = std::get_if<kernels::Rbf>(&chosen.kernel.form);
  if (k == nullptr || problem.by_refit || problem.inference || problem.learn.penalty == Penalty::coefficients)
    return {};
  if (problem.by_evidence()) return {};  // it has no zero to measure a share by
  const kernels::DataScale scale = data_scale(problem.X.view(), problem.scale_weights);
  if (k->theta > wide * scale.theta) return {};
  const double theta = k->theta, lambda = chosen.lambda;
  const auto at = [&](const Kernel& kernel, double ridge) { return criterion_at(problem, kernel, ridge, false).value; };
  if (const double value = at(kernels::Linear{}, lambda / (2.0 * theta)); value <= as_well * chosen.criterion)
    return {"linear", value};
  const auto polynomial = [&](int degree, double ridge) {
    // The expansion's own c makes lower powers nearly free; smaller ones lose fewer digits.
    double best = at(kernels::Polynomial{.c = 0.5 / theta, .degree = degree}, ridge);
    for (const double c : plain_c)
      best = std::min(best, at(kernels::Polynomial{.c = c * scale.dot, .degree = degree}, ridge));
    return best;
  };
  if (const double value = polynomial(2, lambda / (2.0 * theta * theta)); value <= as_well * chosen.criterion)
    return {"poly2", value};
  if (const double value = polynomial(3, 0.75 * lambda / (theta * theta * theta)); value <= as_well * chosen.criterion)
    return {"poly3", value};
  return {};
}

}  // namespace lacuna::detail
