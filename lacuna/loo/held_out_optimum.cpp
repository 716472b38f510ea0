#include "lacuna/loo/held_out_optimum.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace lacuna {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double floor_of_beta = 0.1;     // times lambda/K_jj
constexpr double enough_of_a_line = 0.1;  // what may be left of its first slope
constexpr double furthest = 1e4;          // along a line, in steps
constexpr Index rows_at_once = 128;       // held out side by side

// The fit of all rows, and the factor that preconditions, in the letters of the dual machine.
struct System {
  double lambda = 0.0;
  Vector beta = {};  // of the factor; 0: not in the system
  Vector alpha = {}, z = {};
  std::function<Matrix(const Matrix&)> apply_Q = {};
  std::function<Vector(const Vector&)> multiply = {};  // K alpha; empty: not at hand

  bool in_system(Index i) const { return beta[i] > 0.0; }
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
  double left = infinity;
  bool done = false;
};

template <class L>
class Follower {
 public:
  Follower(const L& loss, const System& system, const Supervision& learn, Index column)
      : loss_(loss), system_(system), learn_(learn), t_(learn.t.col(column)) {}

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
    return way;
  }

  // r here, and g.
  Vector working(Way& way) const {
    std::swap(way.r, way.last_r);
    way.r = system_.lambda * way.alpha;
    Vector g = Vector::Zero(way.r.size());
    for_each_outside(way, [&](Index j) {
      way.r[j] += learn_.zeta[j] * at(j, way.z[j]).c1;
      g[j] = -way.r[j] / system_.beta[j];
    });
    return g;
  }

  // One step of conjugate gradients from g and Q g.
  void step(Way& way, const Vector& g, const Vector& Q_g, double tolerance) const {
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
    way.left = std::sqrt(way.variance * std::max(rho, 0.0));
    // Polak and Ribiere's conjugate direction; the preconditioned slope itself where that would be no way down.
    const double gamma = way.rho > 0.0 ? (rho + way.last_r.dot(p_z)) / way.rho : 0.0;
    if (gamma > 0.0 && way.r.dot(p_z + gamma * way.d_z) < 0.0) {
      p_alpha += gamma * way.d_alpha;
      p_z += gamma * way.d_z;
    }
    way.rho = rho;
    way.d_alpha = std::move(p_alpha);
    way.d_z = std::move(p_z);
    const double length = rho > 0.0 ? line(way) : 0.0;
    const Vector next = way.z + length * way.d_z;
    way.done = !(rho > 0.0) || way.left <= tolerance * (1.0 + largest_output(way)) || !next.allFinite();
    if (!next.allFinite()) return;
    way.alpha += length * way.d_alpha;
    way.z = next;
  }

  // Whether the machine without these rows has an optimum: some row pulls the bias up, and some down.
  bool has_optimum(const std::vector<Index>& inside) const {
    const Way fold{.inside = inside};
    bool up = false, down = false;
    for_each_outside(fold, [&](Index j) {
      up = up || at(j, -700.0).c1 < 0.0;
      down = down || at(j, 700.0).c1 > 0.0;
    });
    return up && down;
  }

 private:
  LossAt at(Index j, double z) const { return loss_.at(z + learn_.offset_of(j), t_[j]); }

  // Rows that the machine without the fold learns from.
  template <class F>
  void for_each_outside(const Way& way, const F& f) const {
    auto next = way.inside.begin();
    for (Index j = 0; j < t_.size(); ++j) {
      if (next != way.inside.end() && *next == j)
        ++next;
      else if (system_.in_system(j))
        f(j);
    }
  }

  double largest_output(const Way& way) const {
    double most = 0.0;
    for (const Index i : way.inside) most = std::max(most, std::abs(way.z[i]));
    return most;
  }

  // Where the slope along the direction crosses zero, near enough: Newton's method inside a bracket that shrinks.
  double line(const Way& way) const {
    const double enough = enough_of_a_line * std::abs(way.r.dot(way.d_z));
    double low = 0.0, high = infinity, s = 1.0;
    for (int trial = 0; trial < 60; ++trial) {
      const auto [slope, bend] = slope_at(way, s);
      if (std::abs(slope) <= enough) return s;
      (slope <= 0.0 ? low : high) = s;
      double next = bend > 0.0 ? s - slope / bend : infinity;
      if (!(next > low && next < high)) next = high < infinity ? 0.5 * (low + high) : 4.0 * s;
      next = std::min(next, 4.0 * s);
      if (next > furthest) return s;
      s = next;
    }
    return s;
  }

  std::pair<double, double> slope_at(const Way& way, double s) const {
    double slope = system_.lambda * (way.alpha + s * way.d_alpha).dot(way.d_z);
    double bend = system_.lambda * way.d_alpha.dot(way.d_z);
    for_each_outside(way, [&](Index j) {
      const double dz = way.d_z[j];
      const LossAt a = at(j, way.z[j] + s * dz);
      slope += learn_.zeta[j] * a.c1 * dz;
      bend += learn_.zeta[j] * a.c2 * dz * dz;
    });
    return {slope, bend};
  }

  const L& loss_;
  const System& system_;
  const Supervision& learn_;
  Vector t_;
};

// Outputs of rows that no machine has learned from, for the machine without the rest of their fold.
void predict_unseen(const System& system, const std::vector<Index>& fold, const Way& way, HeldOutOptimum& out) {
  if (fold.size() == way.inside.size()) return;
  const Vector change = system.multiply ? system.multiply(way.alpha - system.alpha) : Vector();
  const Index any = way.inside.front();  // the bias moves all outputs alike
  for (const Index i : fold) {
    if (std::ranges::binary_search(way.inside, i)) continue;
    out.left[i] = change.size() > 0 ? way.left : infinity;
    if (change.size() > 0) out.z[i] = system.z[i] + change[i] + way.z[any] - system.z[any] - change[any];
  }
}

template <class L>
HeldOutOptimum follow(const L& loss, const System& system, const Supervision& learn, Index column, const Folds& folds,
                      const FollowOptions& options) {
  const Index l = system.z.size();
  HeldOutOptimum out{system.z, Vector::Zero(l)};
  const Follower<L> follower(loss, system, learn, column);
  const std::size_t count = folds.empty() ? std::size_t(l) : folds.size();
  for (std::size_t next = 0; next < count;) {
    std::vector<std::vector<Index>> members;  // of the folds that go side by side, and their rows in the system
    std::vector<std::vector<Index>> inside;
    Index width = 0;
    for (; next < count && (width < rows_at_once || inside.empty()); ++next) {
      std::vector<Index> fold = folds.empty() ? std::vector<Index>{Index(next)} : folds[next];
      std::vector<Index> in;
      for (const Index i : fold)
        if (system.in_system(i)) in.push_back(i);
      std::ranges::sort(in);
      if (in.empty()) continue;
      if (!follower.has_optimum(in)) {
        for (const Index i : fold) out.left[i] = infinity;
        continue;
      }
      width += Index(in.size());
      members.push_back(std::move(fold));
      inside.push_back(std::move(in));
    }
    Matrix E = Matrix::Zero(l, width);
    Index c = 0;
    for (const auto& rows : inside)
      for (const Index i : rows) E(i, c++) = 1.0;
    const Matrix Q_E = system.apply_Q(E);
    std::vector<Way> ways;
    c = 0;
    for (auto& rows : inside) {
      const auto f = Index(rows.size());
      ways.push_back(follower.begin(std::move(rows), Q_E.middleCols(c, f)));
      c += f;
    }
    for (int step = 0; step < options.max_steps; ++step) {
      std::vector<Way*> going;
      for (Way& way : ways)
        if (!way.done) going.push_back(&way);
      if (going.empty()) break;
      const auto many = Index(going.size());
      Matrix G(l, many);
#pragma omp parallel for schedule(static) if (many * l > 50000)
      for (Index k = 0; k < many; ++k) G.col(k) = follower.working(*going[std::size_t(k)]);
      const Matrix Q_G = system.apply_Q(G);
#pragma omp parallel for schedule(dynamic, 4) if (many * l > 50000)
      for (Index k = 0; k < many; ++k) follower.step(*going[std::size_t(k)], G.col(k), Q_G.col(k), options.tolerance);
      out.steps += many;
    }
    for (std::size_t k = 0; k < ways.size(); ++k) {
      for (const Index i : ways[k].inside) {
        out.z[i] = ways[k].z[i];
        out.left[i] = ways[k].left;
      }
      predict_unseen(system, members[k], ways[k], out);
    }
  }
  return out;
}

HeldOutOptimum follow(const System& system, const Supervision& learn, Index column, const Folds& folds,
                      const FollowOptions& options) {
  return std::visit([&](const auto& loss) { return follow(loss, system, learn, column, folds, options); }, learn.loss);
}

HeldOutOptimum nowhere(const Vector& z) { return {z, Vector::Constant(z.size(), infinity)}; }

// Weights of the factor: rows that hardly count with all the data have a floor.
Vector with_floor(const Vector& beta, double lambda, const Vector& zeta, const Vector& self) {
  const double least_self = 1e-3 * self.mean();  // a row at the origin of a linear kernel has none
  Vector out = beta;
  for (Index j = 0; j < out.size(); ++j)
    if (zeta[j] > 0.0) out[j] = std::max(out[j], floor_of_beta * lambda / std::max(self[j], least_self));
  return out;
}

}  // namespace

HeldOutOptimum held_out_optimum(const Gram& K, const DualFit& fit, const Supervision& learn, Index column,
                                const Folds& folds, const FollowOptions& options) {
  const Vector beta = with_floor(fit.beta, fit.lambda, learn.zeta, K.diagonal());
  const DualFit factor = solve_dual(K, beta, Matrix::Zero(beta.size(), 1), fit.lambda, Want::solve);
  if (!factor.usable()) return nowhere(fit.z.col(0));
  const System system{.lambda = fit.lambda,
                      .beta = beta,
                      .alpha = fit.alpha.col(0),
                      .z = fit.z.col(0),
                      .apply_Q = [&](const Matrix& G) { return apply_Q(factor, G); },
                      .multiply = [&](const Vector& alpha) -> Vector { return K.multiply(alpha); }};
  return follow(system, learn, column, folds, options);
}

HeldOutOptimum held_out_optimum(const Backend& backend, const PrimalFit& fit, const RowSource& X, const Vector& self,
                                const Supervision& learn, Index column, const Folds& folds,
                                const FollowOptions& options) {
  const Index l = fit.z.rows();
  const Vector beta = with_floor(fit.beta, fit.lambda, learn.zeta, self);
  const PrimalFit factor = solve_primal(fit.features, X, beta, Matrix::Zero(l, 1), fit.lambda, Want::solve);
  if (!factor.usable()) return nowhere(fit.z.col(0));
  Matrix V(fit.features->size(), l);  // one row to a column
  over_rows(X, fit.features->size(), [&](Index, Index first, const RowsView& block) {
    V.middleCols(first, block.rows()) = factor.factor->rows(block);
  });
  const Matrix V_rows = V.transpose();
  const System system{.lambda = fit.lambda,
                      .beta = beta,
                      .alpha = fit.pull.col(0) / fit.lambda,
                      .z = fit.z.col(0),
                      .apply_Q = [&](const Matrix& G) -> Matrix {
                        const Matrix W_G = beta.asDiagonal() * G;
                        const Matrix inner = backend.multiply(V, W_G);
                        return (W_G - beta.asDiagonal() * backend.multiply(V_rows, inner)) / fit.lambda;
                      }};
  return follow(system, learn, column, folds, options);
}

}  // namespace lacuna
