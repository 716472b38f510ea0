#include "lacuna/choose/stack_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/paired.hpp"

namespace lacuna {
namespace {

constexpr int most_newton_steps = 100, most_halvings = 40;

// The objective in the weights, its slope and its curvature.
struct StackLoss {
  const Yardstick& judged;
  std::vector<const Matrix*> z;
  Vector price;

  Matrix sum(const Vector& v) const {
    Matrix out = v[0] * *z[0];
    for (Index k = 1; k < v.size(); ++k)
      if (v[k] != 0.0) out += v[k] * *z[std::size_t(k)];
    return out;
  }
  double value(const Vector& v) const {
    const Matrix s = sum(v);
    double out = 0.0;
    for (Index i = 0; i < s.rows(); ++i)
      if (const double w = judged.weights[i]; w > 0.0) out += w * loss_of_row(judged, i, s.row(i)).value;
    return out / judged.weights.sum() + price.dot(v);
  }
  void derivatives(const Vector& v, Vector& slope, Matrix& curvature) const {
    const Matrix s = sum(v);
    const Index n = v.size();
    slope = Vector::Zero(n);
    curvature = Matrix::Zero(n, n);
    Matrix row(n, s.cols());
    for (Index i = 0; i < s.rows(); ++i) {
      if (!(judged.weights[i] > 0.0)) continue;
      for (Index k = 0; k < n; ++k) row.row(k) = z[std::size_t(k)]->row(i);
      const RowLoss a = loss_of_row(judged, i, s.row(i));
      slope += judged.weights[i] * (row * a.slope);
      curvature += judged.weights[i] * (row * a.curvature * row.transpose());
    }
    slope = slope / judged.weights.sum() + price;
    curvature /= judged.weights.sum();
    // Machines that say the same have no best share; the least of ridges gives them one.
    curvature.diagonal().array() += 1e-10 * curvature.trace() / double(n) + 1e-300;
  }
};

// min slope'(u - v) + (u - v)'H(u - v)/2 over u >= 0 with the sum of v: two weights at a time, the pair that gains
// most by an exchange.
Vector quadratic_optimum(const Vector& v, const Vector& slope, const Matrix& H) {
  Vector u = v, g = slope;
  const double scale = slope.cwiseAbs().maxCoeff() + H.diagonal().maxCoeff();
  for (int step = 0; step < 20'000; ++step) {
    Index in = 0, out = -1;
    g.minCoeff(&in);
    for (Index k = 0; k < u.size(); ++k)
      if (u[k] > 0.0 && (out < 0 || g[k] > g[out])) out = k;
    if (g[out] - g[in] <= 1e-14 * scale) break;
    const double bend = H(in, in) + H(out, out) - 2.0 * H(in, out);
    const double by = std::min(u[out], (g[out] - g[in]) / std::max(bend, 1e-300));
    u[in] += by;
    u[out] = by == u[out] ? 0.0 : u[out] - by;
    g += by * (H.col(in) - H.col(out));
  }
  return u;
}

Vector minimised(const StackLoss& objective) {
  Vector v = Vector::Zero(Index(objective.z.size()));
  v[0] = 1.0;
  double here = objective.value(v);
  for (int step = 0; step < most_newton_steps; ++step) {
    Vector slope;
    Matrix curvature;
    objective.derivatives(v, slope, curvature);
    const Vector way = quadratic_optimum(v, slope, curvature) - v;
    double there = here, by = 1.0;
    for (int halving = 0; halving < most_halvings; ++halving, by *= 0.5)
      if (there = objective.value(v + by * way); there < here) break;
    if (!(there < here)) break;
    v = (v + by * way).cwiseMax(0.0);
    v /= v.sum();
    const bool done = here - there <= 1e-13 * std::abs(here);
    here = there;
    if (done) break;
  }
  return v;
}

// What each machine pays for its weight: the standard error of the slope of the loss when weight goes to it from the
// plain machine. Slopes are taken where the stack without prices stands: residuals of the plain machine may be so
// large, and so unequal, that prices in their standard errors would keep it beside machines that are better by far.
Vector prices(const Yardstick& judged, const std::vector<Matrix>& z) {
  StackLoss free{judged, {}, Vector::Zero(Index(z.size()))};
  for (const Matrix& one : z) free.z.push_back(&one);
  const Vector weights = minimised(free);
  Matrix together = Matrix::Zero(z[0].rows(), z[0].cols());
  for (std::size_t k = 0; k < z.size(); ++k) together += weights[Index(k)] * z[k];
  Matrix residual(together.rows(), together.cols());
  for (Index i = 0; i < together.rows(); ++i)
    residual.row(i) = loss_of_row(judged, i, together.row(i)).slope.transpose();
  std::vector<Index> rows(std::size_t(together.rows()));
  std::iota(rows.begin(), rows.end(), Index(0));
  Vector out = Vector::Zero(Index(z.size()));
  for (std::size_t k = 1; k < z.size(); ++k) {
    const Vector slope = residual.cwiseProduct(z[k] - z[0]).rowwise().sum();
    out[Index(k)] = paired(slope, judged.weights, judged.group, rows).standard_error;
  }
  return out;
}

}  // namespace

Vector stack_weights(const Yardstick& judged, const std::vector<Matrix>& z, double shrink, double least) {
  std::vector<std::size_t> in(z.size());
  std::iota(in.begin(), in.end(), std::size_t(0));
  const Vector price = (shrink * prices(judged, z)).cwiseMin(1e300);
  while (true) {
    StackLoss objective{judged, {}, Vector(Index(in.size()))};
    for (std::size_t k = 0; k < in.size(); ++k) {
      objective.z.push_back(&z[in[k]]);
      objective.price[Index(k)] = price[Index(in[k])];
    }
    const Vector found = minimised(objective);
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < in.size(); ++k)
      if (in[k] == 0 || found[Index(k)] >= least) kept.push_back(in[k]);
    if (kept.size() == in.size() || kept.size() == 1) {
      Vector out = Vector::Zero(Index(z.size()));
      for (std::size_t k = 0; k < in.size(); ++k) out[Index(in[k])] = kept.size() == 1 ? 0.0 : found[Index(k)];
      if (kept.size() == 1) out[0] = 1.0;
      if (out[0] < least) out[0] = 0.0;
      return out / out.sum();
    }
    in = kept;
  }
}

}  // namespace lacuna
