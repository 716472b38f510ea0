#include "lacuna/criterion/joint_calibration.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "lacuna/base/stopping.hpp"
#include "lacuna/criterion/detail/calibration_prior.hpp"

namespace lacuna {
namespace {

constexpr int most_steps = 200;
constexpr double settled =
    1e-22;  // of what a step would gain, relative to the value: the slope must be good to rounding
constexpr double rounding = 1e-13;
constexpr Index rows_at_once = 64;  // in sums of squares

// Value and prior as a function of (reach, shifts), the reach being scale times the size of the outputs.
struct Sum {
  double value = 0.0;
  Vector gradient;
  Matrix hessian, safe;  // and a part of it that is positive definite
};

class Fit {
 public:
  Fit(const Loss& link, const Matrix& z, const std::vector<int>& label, const Vector& rows)
      : link_(link), z_(z), label_(label), rows_(rows), total_(rows.sum()) {
    size_ = std::sqrt(rows.dot(z.rowwise().squaredNorm()) / (total_ * double(z.cols())));
  }
  double size() const { return size_; }

  Sum at(const Vector& p) const {
    check_stop();
    const Index m = z_.cols();
    const detail::PriorAt prior = detail::prior_of_reach(p[0]);
    Sum sum{prior.value + 0.5 * detail::precision_of_shift * p.tail(m).squaredNorm(), Vector(m + 1), {}, {}};
    sum.gradient << prior.slope, detail::precision_of_shift * p.tail(m);
    // Of a row, with x its outputs in their unit, the Hessian in the outputs is diag(straight + bent) - pd pd'.
    Matrix straight = Matrix::Zero(m, 3), bent = straight, safe = straight;  // sums of 1, x and x^2 times the diagonal
    Matrix common = Matrix::Zero(m + 1, m + 1);
    Matrix pulls(m + 1, rows_at_once);  // sqrt(row) (x'pd, pd), some rows side by side
    Index filled = 0;
    const auto settle = [&] {
      common.selfadjointView<Eigen::Lower>().rankUpdate(pulls.leftCols(filled), -1.0);
      filled = 0;
    };
    Vector v(m), d(m), d2(m);
    for (Index i = 0; i < z_.rows(); ++i) {
      if (!(rows_[i] > 0.0)) continue;
      const Vector x = size_ > 0.0 ? Vector(z_.row(i).transpose() / size_) : Vector(Vector::Zero(m));
      sum.value += rows_[i] * one_row(i, p[0] * x + p.tail(m), v, d, d2);
      const Index own = label_[std::size_t(i)];
      const Vector pd = v.cwiseProduct(d);  // v are the probabilities
      Vector g = pd, b = v.cwiseProduct(d2);
      g[own] -= d[own];
      b[own] -= d2[own];
      sum.gradient[0] += rows_[i] * g.dot(x);
      sum.gradient.tail(m) += rows_[i] * g;
      const auto add = [&](Matrix& to, const Vector& diagonal) {
        to.col(0) += rows_[i] * diagonal;
        to.col(1) += rows_[i] * diagonal.cwiseProduct(x);
        to.col(2) += rows_[i] * diagonal.cwiseProduct(x.cwiseAbs2());
      };
      add(straight, pd.cwiseProduct(d));
      add(bent, b);
      add(safe, b.cwiseMax(0.0));
      pulls.col(filled) << pd.dot(x), pd;
      pulls.col(filled++) *= std::sqrt(rows_[i]);
      if (filled == rows_at_once) settle();
    }
    settle();
    const auto whole = [&](const Matrix& of) {
      Matrix H = common;
      H(0, 0) += of.col(2).sum() + prior.curvature;
      H.col(0).tail(m) += of.col(1);
      H.diagonal().tail(m).array() += of.col(0).array() + detail::precision_of_shift;
      return H;
    };
    sum.hessian = whole(straight + bent);
    sum.safe = whole(straight + safe);
    return sum;
  }

  // Newton's method, by the part of the Hessian that is positive definite where the whole is not, halved when it goes
  // too far; the reach may be held.
  double descend(Vector& p, bool hold) const {
    Sum here = at(p);
    for (int k = 0; k < most_steps; ++k) {
      Vector step = direction(here, hold);
      const double slope = here.gradient.dot(step);
      if (!(slope < 0.0)) break;
      Sum next = at(p + step);
      const double slack = rounding * std::abs(here.value);
      while (!(next.value <= here.value + slack) && step.norm() > 1e-12) {
        step *= 0.5;
        next = at(p + step);
      }
      if (!(next.value <= here.value + slack)) break;
      p += step;
      here = std::move(next);
      if (-slope <= settled * std::abs(here.value)) break;
    }
    return here.value;
  }

  // -log p of row i at outputs u; probabilities, and two derivatives of the logarithm of the link.
  double one_row(Index i, const Vector& u, Vector& v, Vector& d, Vector& d2) const {
    for (Index k = 0; k < u.size(); ++k) {
      const losses::LossAt c = losses::at(link_, std::clamp(u[k], -1e100, 1e100), 1.0);
      v[k] = -c.c;
      d[k] = -c.c1;
      d2[k] = -c.c2;
    }
    const double most = v.maxCoeff(), own = v[label_[std::size_t(i)]];
    v = (v.array() - most).exp();
    const double sum = v.sum();
    v /= sum;
    return most + std::log(sum) - own;
  }

 private:
  static Vector direction(const Sum& here, bool hold) {
    const Index first = hold ? 1 : 0, m = here.gradient.size() - first;
    Vector out = Vector::Zero(here.gradient.size());
    for (const Matrix* H : {&here.hessian, &here.safe}) {
      const Eigen::LLT<Matrix> llt(H->bottomRightCorner(m, m));  // reads the lower triangle
      if (llt.info() != Eigen::Success) continue;
      out.tail(m) = -llt.solve(here.gradient.tail(m));
      if (out.allFinite()) return out;
    }
    out.tail(m) = -here.gradient.tail(m) / here.safe.diagonal().maxCoeff();
    return out;
  }

  const Loss& link_;
  const Matrix& z_;
  const std::vector<int>& label_;
  const Vector& rows_;
  double total_, size_ = 0.0;
};

}  // namespace

JointCalibration calibrate_jointly(const Loss& link, const Matrix& z, const std::vector<int>& label,
                                   const Vector& weights, double one_row, double least_scale) {
  const Index l = z.rows(), m = z.cols();
  const Vector rows = weights / one_row;
  const double total = rows.sum();
  const Fit fit(link, z, label, rows);
  const double size = fit.size();
  Vector p = Vector::Zero(m + 1);
  p[0] = 1.0;
  JointCalibration out;
  out.value = fit.descend(p, false) / total;
  out.scale = size > 0.0 ? p[0] / size : 0.0;
  out.fitted = out.scale > 0.0;
  if (!(out.scale > least_scale)) {
    p[0] = least_scale * size;
    out.value = fit.descend(p, true) / total;
    out.scale = least_scale;
    out.fitted = least_scale > 0.0;
  }
  out.shift = p.tail(m);
  out.slope = Matrix::Zero(l, m);
  Vector v(m), d(m), d2(m);
  for (Index i = 0; i < l; ++i) {
    if (!(rows[i] > 0.0)) continue;
    fit.one_row(i, out.scale * z.row(i).transpose() + out.shift, v, d, d2);
    Vector g = v.cwiseProduct(d);
    g[label[std::size_t(i)]] -= d[label[std::size_t(i)]];
    out.slope.row(i) = (rows[i] * out.scale) * g.transpose();
    // The outputs make up the unit that the prior's reach is measured in.
    out.slope.row(i) +=
        detail::prior_of_reach(p[0]).curvature * out.scale * out.scale / (total * double(m)) * rows[i] * z.row(i);
  }
  out.slope /= total;
  if (!out.fitted) out.scale = 1.0, out.shift.setZero();
  return out;
}

}  // namespace lacuna
