#include "lacuna/choose/yardstick.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/model/detail/largest_log_rate.hpp"

namespace lacuna {
namespace {

using detail::largest_log_rate;

double offset_of(const Yardstick& judged, Index i) { return judged.offset.size() > 0 ? judged.offset[i] : 0.0; }

double within(const Loss& loss, double z) {
  return gives_rates(loss) ? std::clamp(z, -largest_log_rate, largest_log_rate) : z;
}

RowLoss each_for_itself(const Yardstick& judged, Index i, const Vector& z) {
  const auto share = 1.0 / double(z.size());
  RowLoss out{0.0, Vector(z.size()), Matrix::Zero(z.size(), z.size())};
  for (Index c = 0; c < z.size(); ++c) {
    const losses::LossAt a = at(judged.loss, within(judged.loss, z[c] + offset_of(judged, i)), judged.t(i, c));
    out.value += share * a.c;
    out.slope[c] = share * a.c1;
    out.curvature(c, c) = share * a.c2;
  }
  return out;
}

// With g_k = log m(z_k): -g_y + log sum_k exp(g_k). Its second derivative is (diag(p) - pp') in g, which is never
// negative, and (p_k - [k = y]) g_k'', which is for the row's own class alone, g being concave.
RowLoss coupled(const Yardstick& judged, Index i, const Vector& z) {
  const Index m = z.size(), y = judged.label[std::size_t(i)];
  Vector g(m), d(m);
  double own_bend = 0.0;
  for (Index k = 0; k < m; ++k) {
    const losses::LossAt a = at(judged.loss, z[k], 1.0);
    g[k] = -a.c;
    d[k] = -a.c1;
    if (k == y) own_bend = a.c2;
  }
  const double most = g.maxCoeff(), sum = most + std::log((g.array() - most).exp().sum());
  const Vector p = (g.array() - sum).exp();
  RowLoss out{sum - g[y], p.cwiseProduct(d), Matrix(p.cwiseProduct(d.cwiseAbs2()).asDiagonal())};
  out.curvature -= p.cwiseProduct(d) * p.cwiseProduct(d).transpose();
  out.slope[y] -= d[y];
  out.curvature(y, y) += (1.0 - p[y]) * own_bend;
  return out;
}

}  // namespace

RowLoss loss_of_row(const Yardstick& judged, Index i, const Vector& z) {
  return judged.label.empty() ? each_for_itself(judged, i, z) : coupled(judged, i, z);
}

Vector row_losses(const Yardstick& judged, const Matrix& z) {
  Vector out = Vector::Zero(z.rows());
  for (Index i = 0; i < z.rows(); ++i) {
    if (!judged.label.empty()) {
      out[i] = coupled(judged, i, z.row(i)).value;
      continue;
    }
    for (Index c = 0; c < z.cols(); ++c) {
      const double u = within(judged.loss, z(i, c) + offset_of(judged, i)), t = judged.t(i, c);
      out[i] += (is_quadratic(judged.loss) ? (t - u) * (t - u) : cost(judged.loss, u, t).value) / double(z.cols());
    }
  }
  return out;
}

}  // namespace lacuna
