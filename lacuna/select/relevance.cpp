#include "lacuna/select/relevance.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "lacuna/select/core.hpp"

namespace lacuna {
namespace {

constexpr double least_share = 1e-6;  // of the mean of g

double to_four_digits(double value) {
  const double power = std::pow(10.0, 3.0 - std::floor(std::log10(value)));
  return std::nearbyint(value * power) / power;
}

void share(Vector& g, const std::vector<std::int32_t>& column) {
  std::map<std::int32_t, std::pair<double, int>> sums;
  for (std::size_t k = 0; k < column.size(); ++k) {
    auto& [sum, count] = sums[column[k]];
    sum += g[Index(k)];
    ++count;
  }
  for (std::size_t k = 0; k < column.size(); ++k) {
    const auto& [sum, count] = sums[column[k]];
    g[Index(k)] = sum / count;
  }
}

}  // namespace

Vector mean_squared_slopes(const Problem& problem, const Kernel& kernel, const Prior& prior) {
  const RowsView& X = problem.X.view();
  const Vector omega = problem.scale_weights.size() > 0 ? problem.scale_weights : Vector(Vector::Ones(X.rows()));
  const auto workspace = problem.backend->workspace();
  return with_core(problem, kernel, problem.iterates() ? compute::Use::repeatedly : compute::Use::once,
                   [&](const auto& core) -> Vector {
                     using Core = std::remove_cvref_t<decltype(core)>;
                     Matrix alpha;
                     const PartsResult parts = core.for_each_part(
                         prior, compute::Want::solve, nullptr, [&](typename Core::Fit& fit, Index first) {
                           const Matrix part = core.coefficients(fit);
                           if (alpha.size() == 0) alpha.resize(part.rows(), problem.learn.columns());
                           alpha.middleCols(first, part.cols()) = part;
                           return true;
                         });
                     if (!parts.usable() || !alpha.allFinite()) return {};
                     const Rows expansion = core.expansion();
                     const RowsView Y = expansion.rows() > 0 ? RowsView(expansion) : X;
                     return problem.backend->squared_slopes(kernel, X, Y, alpha, omega / omega.sum());
                   });
}

Vector feature_variances(const RowsView& X, const Vector& weights) {
  const Vector omega = weights.size() > 0 ? weights : Vector(Vector::Ones(X.rows()));
  const double total = omega.sum();
  if (!X.is_sparse()) {
    const auto rows = X.dense().eigen();
    const Eigen::RowVectorXd mean = omega.transpose() * rows / total;
    return ((rows.rowwise() - mean).cwiseAbs2().transpose() * omega / total).eval();
  }
  const SparseView& s = X.sparse();
  Vector listed = Vector::Zero(s.cols), mean = listed, variance = listed;
  const auto for_each_entry = [&](const auto& f) {
    for (Index i = 0; i < s.rows; ++i)
      for (auto k = s.row_start[i]; k < s.row_start[i + 1]; ++k) f(omega[i] / total, s.column[k], s.value[k]);
  };
  for_each_entry([&](double w, Index k, double x) { listed[k] += w, mean[k] += w * x; });
  for_each_entry([&](double w, Index k, double x) { variance[k] += w * (x - mean[k]) * (x - mean[k]); });
  return variance + (1.0 - listed.array()).max(0.0).matrix().cwiseProduct(mean.cwiseAbs2());  // the others are 0
}

std::vector<double> relevance_weights(Vector g, const Vector& variance, const std::vector<std::int32_t>& column) {
  if (g.size() == 0 || !g.allFinite()) return {};
  share(g, column);
  const double mean = g.mean();
  if (!(mean > 0.0) || !(mean < std::numeric_limits<double>::infinity())) return {};
  const Vector squared = (g / mean).cwiseMax(least_share);  // w^2, but for their common factor
  const double before = variance.sum(), after = variance.dot(squared);
  const double factor = before > 0.0 && after > 0.0 ? before / after : 1.0;
  std::vector<double> weights;
  for (const double square : squared) weights.push_back(to_four_digits(std::sqrt(square * factor)));
  return weights;
}

}  // namespace lacuna
