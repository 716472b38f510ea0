#include "lacuna/machine/primal_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/loss/detail/summed_loss.hpp"
#include "lacuna/machine/detail/newton.hpp"
#include "lacuna/machine/primal_irls.hpp"

namespace lacuna {
namespace {

// A pass that has not been made yet.
struct Wanted {
  Matrix p;
  bool again = false;
};

// Newton's method (detail/newton.hpp) on what passes said. Whoever asks for a pass that was not made ends it.
class WalkProblem {
 public:
  struct Point {
    Matrix p;
    std::size_t pass = 0;
  };
  struct Working {
    double stationarity = 0.0;
    bool any = false;
  };

  WalkProblem(StepWalk& walk, const compute::Features& features, double lambda)
      : walk_(walk), features_(features), lambda_(lambda), scale_(features.scale()) {}

  double value(const Point& p) const {
    return 0.5 * lambda_ * p.p.col(0).dot(features_.penalise(p.p).col(0)) + said(p).loss;
  }
  double slope(const Point& at, const Point& from, const Point& to) const {
    const Matrix way = to.p - from.p;
    return lambda_ * way.col(0).dot(features_.penalise(at.p).col(0)) - way.col(0).dot(said(at).right.col(0));
  }
  Working working(const Point& p) const {
    const StepPass& pass = said(p);
    const double gap = (down(p).col(0).array().abs() / scale_.array()).maxCoeff();
    return {pass.pulls > 0.0 ? gap / pass.pulls : gap, pass.rows > 0};
  }
  std::optional<Point> solve(const Point& p, const Working&, bool last) {
    StepPass& pass = walk_.passes[p.pass];
    if (pass.sums.ZWZ.size() == 0 && (last || pass.step.size() == 0)) throw Wanted{p.p, true};
    if (pass.step.size() == 0) {
      const auto factor = features_.normal(pass.sums)->factor(lambda_);
      if (!factor) return std::nullopt;
      pass.step = factor->solve(down(p));
    }
    if (!last) return at(p.p + pass.step);
    walk_.at = p.p;
    walk_.p = p.p + pass.step;
    walk_.sums = std::move(pass.sums);
    return p;
  }
  Point between(const Point& from, const Point& to, double step) const { return at(from.p + step * (to.p - from.p)); }
  Point start() const { return at(walk_.passes.front().p); }

 private:
  const StepPass& said(const Point& p) const { return walk_.passes[p.pass]; }
  Matrix down(const Point& p) const { return said(p).right - lambda_ * features_.penalise(p.p); }  // minus the gradient
  // Points come in the order in which they came before.
  Point at(Matrix p) const {
    if (asked_ == walk_.passes.size()) throw Wanted{std::move(p)};
    return {walk_.passes[asked_].p, asked_++};
  }

  StepWalk& walk_;
  const compute::Features& features_;
  double lambda_;
  Vector scale_;
  mutable std::size_t asked_ = 0;
};

// Only the sums of points whose step is still to be made will be looked at, as a rule.
void let_go(StepWalk& walk) {
  for (StepPass& pass : walk.passes)
    if (pass.step.size() > 0 || walk.done()) pass.sums = {};
}

}  // namespace

StepSums& StepSums::operator+=(const StepSums& others) {
  sums += others.sums;
  loss += others.loss;
  pulls += others.pulls;
  rows += others.rows;
  return *this;
}

StepWalk walk_from(Matrix p) { return {.next = std::move(p)}; }

Matrix constant_machine(const compute::Features& features, const Vector& outputs) {
  Matrix p = Matrix::Zero(features.size(), outputs.size());
  p.bottomRows(1) = outputs.transpose();
  return p;
}

StepSums step_sums(const compute::Features& features, const RowSource& X, const Supervision& learn, Index column,
                   const Matrix& p) {
  StepSums out;
  const Index l = X.rows(), m = p.cols();
  if (l == 0) return out;
  const Vector t = learn.t.col(is_quadratic(learn.loss) ? 0 : column);
  const detail::SummedLoss objective(learn.loss, learn.zeta, t, learn.offset);
  Vector loss = Vector::Zero(l), pulls = Vector::Zero(l);
  std::vector<char> has_say(static_cast<std::size_t>(l));
  const auto normal = features.normal(X, p, [&](Index first, const Matrix& z, Vector& beta, Matrix& R) {
    for (Index k = 0; k < z.rows(); ++k) {
      const Index i = first + k;
      if (!(learn.zeta[i] > 0.0)) continue;
      if (is_quadratic(learn.loss)) {
        beta[k] = learn.zeta[i];
        R.row(k) = beta[k] * (learn.t.row(i) - z.row(k));
        loss[i] = 0.5 * R.row(k).squaredNorm() / beta[k];
        pulls[i] = R.row(k).cwiseAbs().sum();
      } else {
        const detail::RowWeight a = objective.weight(i, z(k, 0));
        beta[k] = a.beta;
        R(k, 0) = a.pull;
        pulls[i] = detail::pull_to_tell(a, z(k, 0));
        loss[i] = learn.zeta[i] * objective.at(i, z(k, 0)).c;
      }
      has_say[std::size_t(i)] = beta[k] > 0.0;
    }
  });
  out.sums = normal->sums();
  if (out.sums.right.cols() != m) out.sums.right = Matrix::Zero(features.size(), m);
  out.loss = loss.sum();
  out.pulls = pulls.sum();
  out.rows = Index(std::count(has_say.begin(), has_say.end(), 1));
  return out;
}

void advance(StepWalk& walk, const compute::Features& features, const Loss& loss, double lambda, StepSums sums,
             const IrlsOptions& options) {
  if (sums.sums.ZWZ.size() == 0) {  // of no rows at all
    walk.next = {};
    walk.stop = Stop::not_finite;
    return;
  }
  if (walk.again) {
    for (StepPass& pass : walk.passes)
      if (pass.p == walk.next) pass.sums = std::move(sums.sums);
  } else {
    Matrix right = sums.sums.right;
    walk.passes.push_back({walk.next, std::move(right), sums.loss, sums.pulls, sums.rows, {}, std::move(sums.sums)});
  }
  walk.next = {};
  walk.again = false;
  WalkProblem problem(walk, features, lambda);
  try {
    if (is_quadratic(loss)) {
      walk.factorisations = 1;
      const auto point = problem.start();
      walk.objective = walk.passes[0].loss;
      walk.stop = problem.solve(point, {}, true) ? Stop::converged : Stop::not_positive_definite;
    } else {
      const detail::NewtonResult end =
          detail::newton(problem, problem.start(), options.max_iterations, options.tolerance);
      walk.stop = end.stop;
      walk.factorisations = end.factorisations;
      walk.stationarity = end.stationarity;
      walk.objective = end.objective;
    }
  } catch (Wanted& wanted) {
    walk.next = std::move(wanted.p);
    walk.again = wanted.again;
  }
  let_go(walk);
}

PrimalFit fit_of_rows(std::shared_ptr<const compute::Features> features, const StepWalk& walk, const RowSource& X,
                      const Supervision& learn, Index column, double lambda) {
  PrimalFit fit;
  fit.features = std::move(features);
  fit.lambda = lambda;
  fit.factor = fit.features->normal(walk.sums)->factor(lambda);
  if (!fit.usable()) return fit;
  fit.p = walk.p;
  finish_primal(fit, X, compute::Want::inverse);
  if (is_quadratic(learn.loss)) {
    fit.beta = learn.zeta;
    fit.pull = learn.zeta.asDiagonal() * (learn.t - fit.z);
  } else {
    const Vector t = learn.t.col(column), z_at = fit.features->outputs(X, walk.at).col(0);
    weigh_primal(fit, detail::SummedLoss(learn.loss, learn.zeta, t, learn.offset), z_at);
  }
  fit.rest = 1.0 - leverage(fit).array();
  for (Index i = 0; i < X.rows(); ++i)
    if (fit.beta[i] > 0.0 && !(fit.rest[i] >= compute::least_rest))
      fit.rest[i] = std::numeric_limits<double>::quiet_NaN();
  return fit;
}

}  // namespace lacuna
