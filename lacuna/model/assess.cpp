#include "lacuna/model/assess.hpp"

#include <cmath>

#include "lacuna/criterion/auc.hpp"
#include "lacuna/loo/leave_pair_out.hpp"

namespace lacuna {
namespace {

double mean_auc(const Problem& problem, const Gram& K, const DualFit& fit, const Folds& folds, const Matrix& z) {
  const Truth& truth = problem.truth;
  double sum = 0.0;
  for (Index c = 0; c < z.cols(); ++c) {
    std::vector<bool> positive(std::size_t(z.rows()));
    for (Index i = 0; i < z.rows(); ++i) positive[std::size_t(i)] = truth.targets(i, c) > 0.0;
    const bool pairs = folds.empty() && !problem.by_refit;
    sum += pairs ? leave_pair_out_auc(K, fit, c, positive, truth.weights)
                 : area_under_curve(z.col(c), positive, truth.weights);
  }
  return sum / double(z.cols());
}

double r_squared(const Matrix& z, const Truth& truth) {
  const Eigen::RowVectorXd mean = truth.weights.transpose() * truth.targets / truth.weights.sum();
  double sum = 0.0;
  for (Index c = 0; c < z.cols(); ++c) {
    const double left = truth.weights.dot((truth.targets.col(c) - z.col(c)).cwiseAbs2());
    const double all = truth.weights.dot((truth.targets.col(c).array() - mean[c]).square().matrix());
    sum += 1.0 - left / all;
  }
  return sum / double(z.cols());
}

}  // namespace

NamedScores assess(const Problem& problem, const Gram& K, const DualFit& fit, const std::vector<Matrix>& z) {
  const Truth& truth = problem.truth;
  const auto mean = [&](auto&& f) {
    double sum = 0.0;
    for (std::size_t r = 0; r < z.size(); ++r) sum += f(r);
    return sum / double(z.size());
  };
  const auto of = [&](Criterion c) { return mean([&](std::size_t r) { return score(c, z[r], truth, false).value; }); };
  if (truth.classes > 0)
    return {{"error", of(Criterion::error)},
            {"ber", of(Criterion::ber)},
            {"auc", mean([&](std::size_t r) { return mean_auc(problem, K, fit, problem.partitions[r], z[r]); })},
            {"press", of(Criterion::press)}};
  return {{"rmse", std::sqrt(of(Criterion::press))},
          {"r2", mean([&](std::size_t r) { return r_squared(z[r], truth); })},
          {"press", of(Criterion::press)}};
}

}  // namespace lacuna
