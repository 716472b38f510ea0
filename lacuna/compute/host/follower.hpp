// compute/host/follower.hpp -- one fold on its way from the fit of all rows to the machine without it, by
// preconditioned conjugate gradients (loo/held_out_optimum.hpp has the formulas).
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "lacuna/compute/held_out.hpp"

namespace lacuna::compute::host {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double far = 10.0;              // a move beyond which a tolerance does not grow with it
inline constexpr double much_softer = 0.3;       // a row that bends less than this share of what the factor says
inline constexpr double enough_of_a_line = 0.1;  // what may be left of its first slope
inline constexpr double furthest = 1e4;          // along a line, in steps

// The fit of all rows, and the factor that preconditions, in the letters of the dual machine.
struct System {
  const FollowProblem& of;
  std::function<Matrix(const Matrix&)> apply_Q = {};
  std::function<Matrix(const std::vector<Index>&)> columns_of_Q = {};
  // Outputs of all rows for coefficients and the outputs they give the rows in the system.
  std::function<Vector(const Vector& alpha, const Vector& z)> predict = {};

  bool in_system(Index i) const { return of.beta[i] > 0.0; }
};

// One fold on its way.
struct Way {
  std::vector<Index> inside = {};  // its rows in the system, ascending
  Matrix Q_F = {};                 // Q_:F
  Eigen::LLT<Eigen::MatrixXd> Q_FF = {};
  double variance = 0.0;          // the largest v_i, v_F = diag(Q_FF^-1)/lambda - 1/beta_F
  Vector alpha = {}, z = {};      // the machine without the fold, so far
  Vector r = {}, last_r = {};     // its slope, here and one step ago
  Vector d_alpha = {}, d_z = {};  // the direction last taken
  double rho = 0.0;               // of the last preconditioned slope
  double softer = 1.0;            // how much less J_F bends here than the factor says, at most
  double left = infinity;
  bool arrived = false, done = false;  // done: no further step helps
};

template <class L>
class Follower {
 public:
  Follower(const L& loss, const FollowProblem& problem)
      : loss_(loss),
        system_(problem),
        learn_(problem.learn),
        t_(problem.learn.t.col(problem.column)),
        tolerance_(problem.options.tolerance) {}

  // The first step: the fold's own coefficients go, all else is stationary, or nearly.
  Way begin(std::vector<Index> inside, Matrix Q_F) const {
    Way way{.inside = std::move(inside), .Q_F = std::move(Q_F), .alpha = system_.alpha, .z = system_.z};
    const auto f = Index(way.inside.size());
    Eigen::MatrixXd Q_FF(f, f);
    for (Index k = 0; k < f; ++k) Q_FF.row(k) = way.Q_F.row(way.inside[std::size_t(k)]);
    way.Q_FF.compute(0.5 * (Q_FF + Q_FF.transpose()));
    way.done = way.Q_FF.info() != Eigen::Success;
    if (way.done) return way;
    const Eigen::MatrixXd tau = way.Q_FF.solve(Eigen::MatrixXd::Identity(f, f));
    for (Index k = 0; k < f; ++k)
      way.variance =
          std::max(way.variance, tau(k, k) / system_.lambda - 1.0 / system_.beta[way.inside[std::size_t(k)]]);
    way.r = system_.lambda * way.alpha;
    for_each_outside(way, [&](Index j) { way.r[j] += learn_.zeta[j] * at(j, way.z[j]).c1; });
    const Vector nothing = Vector::Zero(t_.size());
    step(way, nothing, nothing);
    return way;
  }

  Vector working(const Way& way) const {
    Vector g = Vector::Zero(way.r.size());
    for_each_outside(way, [&](Index j) { g[j] = -way.r[j] / system_.beta[j]; });
    return g;
  }

  // One step of conjugate gradients from g and Q g.
  void step(Way& way, const Vector& g, const Vector& Q_g) const {
    const auto f = Index(way.inside.size());
    Vector s(f);
    for (Index k = 0; k < f; ++k) {
      const Index i = way.inside[std::size_t(k)];
      s[k] = -way.alpha[i] - Q_g[i];
    }
    way.Q_FF.solveInPlace(s);
    Vector p_alpha = Q_g + way.Q_F * s, p_z = Vector::Zero(g.size());
    for_each_outside(way, [&](Index j) { p_z[j] = g[j] - system_.lambda / system_.beta[j] * p_alpha[j]; });
    for (Index k = 0; k < f; ++k) {
      const Index i = way.inside[std::size_t(k)];
      p_alpha[i] = -way.alpha[i];
      p_z[i] = s[k] + system_.lambda / system_.beta[i] * way.alpha[i];
    }
    const double rho = -way.r.dot(p_z);
    if (!(rho >= 0.0)) {  // lost to rounding
      way.done = true;
      way.arrived = false;
      way.left = infinity;
      return;
    }
    // Polak and Ribiere's conjugate direction; the preconditioned slope itself where that would be no way down.
    const double gamma = way.rho > 0.0 ? (rho + way.last_r.dot(p_z)) / way.rho : 0.0;
    if (gamma > 0.0 && way.r.dot(p_z + gamma * way.d_z) < 0.0) {
      p_alpha += gamma * way.d_alpha;
      p_z += gamma * way.d_z;
    }
    way.rho = rho;
    way.d_alpha = std::move(p_alpha);
    way.d_z = std::move(p_z);
    settle(way, std::sqrt(way.variance * std::max(rho, 0.0)));
    if (!(rho > 0.0)) way.done = true;
    if (rho > 0.0) go(way);
  }

  // Whether the machine without these rows has an optimum: some row pulls the bias up, and some down. The ends lie
  // beyond every target that a loss takes as a value, and every logarithm that one takes as a rate or odds.
  bool has_optimum(const std::vector<Index>& inside) const {
    const Way fold{.inside = inside};
    const double low = std::min(-700.0, t_.minCoeff() - 1.0), high = std::max(700.0, t_.maxCoeff() + 1.0);
    bool up = false, down = false;
    for_each_outside(fold, [&](Index j) {
      up = up || at(j, low).c1 < 0.0;
      down = down || at(j, high).c1 > 0.0;
    });
    return up && down;
  }

 private:
  // What a change of an output is measured by: 1 where outputs are logarithms, and else the loss's own unit, so that
  // targets in another unit are followed as far.
  double unit() const {
    if constexpr (requires { loss_.unit(); })
      return loss_.unit();
    else
      return 1.0;
  }
  losses::LossAt at(Index j, double z) const { return loss_.at(z + learn_.offset_of(j), t_[j]); }

  // Rows that the machine without the fold learns from.
  template <class F>
  void for_each_outside(const Way& way, const F& f) const {
    auto next = way.inside.begin();
    for (Index j = 0; j < t_.size(); ++j) {
      if (next != way.inside.end() && *next == j)
        ++next;
      else if (system_.beta[j] > 0.0)
        f(j);
    }
  }

  void settle(Way& way, double left) const {
    double most = 0.0;
    for (const Index i : way.inside) most = std::max(most, std::abs(way.z[i] - system_.z[i]));
    way.left = way.softer * left;
    way.arrived = way.left <= tolerance_ * (unit() + std::min(most, far * unit()));
    way.done = way.arrived || left <= 1e-8 * tolerance_ * unit();  // rounding has the last word
  }

  // Along the direction, to where the slope crosses zero, near enough: Newton's method inside a bracket that shrinks.
  void go(Way& way) const {
    const double enough = enough_of_a_line * std::abs(way.r.dot(way.d_z));
    double low = 0.0, high = infinity, s = 1.0, bend = 0.0;
    Vector r(way.r.size()), bends(way.r.size());
    for (int trial = 0; trial < 60; ++trial) {
      double slope = 0.0;
      std::tie(slope, bend) = slope_at(way, s, r, bends);
      if (std::abs(slope) <= enough) break;
      (slope <= 0.0 ? low : high) = s;
      double next = bend > 0.0 ? s - slope / bend : infinity;
      if (!(next > low && next < high)) next = high < infinity ? 0.5 * (low + high) : 4.0 * s;
      next = std::min(next, 4.0 * s);
      if (next > furthest) break;
      s = next;
    }
    if (!r.allFinite()) {
      way.done = true;
      return;
    }
    way.alpha += s * way.d_alpha;
    way.z += s * way.d_z;
    way.last_r = std::exchange(way.r, std::move(r));
    if (way.done) return;
    // rho <= sum of r_j^2/beta_j over the rows outside: what that bounds needs no further look.
    double most = 0.0, stiff = system_.lambda * way.d_alpha.dot(way.d_z);
    for_each_outside(way, [&](Index j) {
      most += way.r[j] * way.r[j] / system_.beta[j];
      stiff += system_.beta[j] * way.d_z[j] * way.d_z[j];
    });
    way.softer = bend > 0.0 ? std::max(stiff / bend, softer_at(way, bends)) : infinity;
    double inside = 0.0;  // of the fold's own coefficients, which must go
    for (const Index i : way.inside) inside += std::abs(way.alpha[i]);
    if (inside <= 1e-3 * tolerance_ * system_.alpha.lpNorm<1>()) {
      const double left = std::sqrt(way.variance * most);
      settle(way, left);
    }
  }

  // The slope of J_F in the outputs at z + s dz, r, and its derivative along the direction with that derivative's own.
  std::pair<double, double> slope_at(const Way& way, double s, Vector& r, Vector& bends) const {
    r = system_.lambda * (way.alpha + s * way.d_alpha);
    double bend = system_.lambda * way.d_alpha.dot(way.d_z);
    for_each_outside(way, [&](Index j) {
      const double dz = way.d_z[j];
      const losses::LossAt a = at(j, way.z[j] + s * dz);
      r[j] += learn_.zeta[j] * a.c1;
      bends[j] = learn_.zeta[j] * a.c2;
      bend += bends[j] * dz * dz;
    });
    return {r.dot(way.d_z), bend};
  }

  // 1/kappa for a kappa with Hessian >= kappa x the factor's. Rows that bend about as the factor says keep that share.
  // What the factor has of the others is at most beta_j K_jj/lambda of the regulariser's part, since k_j k_j' <= K_jj
  // K.
  double softer_at(const Way& way, const Vector& bends) const {
    double least = 1.0, gone = 0.0;
    for_each_outside(way, [&](Index j) {
      const double share = bends[j] / system_.beta[j];
      if (share >= much_softer)
        least = std::min(least, share);
      else
        gone += system_.beta[j] * system_.self[j] / system_.lambda;
    });
    return std::max(1.0 / least, 1.0 + gone);
  }

  const L& loss_;
  const FollowProblem& system_;
  const Supervision& learn_;
  Vector t_;
  double tolerance_;
};

}  // namespace lacuna::compute::host
