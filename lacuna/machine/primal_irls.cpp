#include "lacuna/machine/primal_irls.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/machine/detail/newton.hpp"

namespace lacuna {
namespace {

// The primal core inside Newton's method (detail/newton.hpp).
class PrimalProblem {
 public:
  struct Point {
    Matrix p;
    Vector z;
    std::shared_ptr<const compute::Normal> sums;  // Z'WZ and Z'(pull) there; null: not made yet
  };
  struct Working {
    std::shared_ptr<const compute::Normal> sums;
    Matrix step_right;  // minus the gradient
    double stationarity = 0.0;
    bool any = false;
  };

  PrimalProblem(std::shared_ptr<const compute::Features> features, const RowSource& X,
                const detail::SummedLoss& objective, double lambda, compute::Want want)
      : features_(std::move(features)), X_(X), objective_(objective), lambda_(lambda), want_(want) {
    scale_ = features_->scale();
  }

  double value(const Point& p) const {
    return 0.5 * lambda_ * p.p.col(0).dot(features_->penalise(p.p).col(0)) + objective_.loss(p.z);
  }

  double slope(const Point& at, const Point& from, const Point& to) const {
    double sum = lambda_ * (to.p - from.p).col(0).dot(features_->penalise(at.p).col(0));
    for (Index i = 0; i < at.z.size(); ++i) sum -= objective_.pull(i, at.z[i]) * (to.z[i] - from.z[i]);
    return sum;
  }

  Working working(const Point& p) const {
    Working w;
    w.sums = p.sums ? p.sums : at(p.p).sums;
    w.step_right = w.sums->right() - lambda_ * features_->penalise(p.p);
    double total = 0.0;
    for (Index i = 0; i < p.z.size(); ++i) {
      const detail::RowWeight a = objective_.weight(i, p.z[i]);
      total += detail::pull_to_tell(a, p.z[i]);
      w.any = w.any || a.beta > 0.0;
    }
    const double gap = (w.step_right.col(0).array().abs() / scale_.array()).maxCoeff();
    w.stationarity = total > 0.0 ? gap / total : gap;
    return w;
  }

  std::optional<Point> solve(const Point& p, Working& w, bool last) {
    auto factor = w.sums->factor(lambda_);
    if (!factor) return std::nullopt;
    Matrix next = p.p + factor->solve(w.step_right);
    if (!last) return at(next);
    keep(p, std::move(factor), std::move(next));
    return p;
  }

  static Point between(const Point& from, const Point& to, double step) {
    return {from.p + step * (to.p - from.p), from.z + step * (to.z - from.z), nullptr};
  }

  Point start(double intercept, const WarmStart& warm) {
    Point cold{Matrix::Zero(features_->size(), 1), Vector::Constant(objective_.rows(), intercept), nullptr};
    cold.p(features_->size() - 1, 0) = intercept;
    if (warm.z.size() != objective_.rows() || !warm.z.allFinite()) return cold;
    // One step from the outputs gives coefficients that belong to this kernel, basis and lambda.
    const auto sums = features_->normal(
        X_, Matrix::Zero(features_->size(), 1), [&](Index first, const Matrix& z, Vector& beta, Matrix& R) {
          for (Index i = 0; i < z.rows(); ++i) {
            const detail::RowWeight a = objective_.weight(first + i, warm.z[first + i]);
            beta[i] = a.beta;
            R(i, 0) = a.beta * (warm.z[first + i] - intercept) + a.pull;  // beta (eta - intercept)
          }
        });
    ++start_factorisations_;
    const auto factor = sums->factor(lambda_);
    if (!factor) return cold;
    Point begun = at(cold.p + factor->solve(sums->right()));
    const double at_begun = value(begun);
    return std::isfinite(at_begun) && at_begun < value(cold) ? begun : cold;
  }
  int start_factorisations() const { return start_factorisations_; }

  PrimalFit take_fit() { return std::move(fit_); }

 private:
  // One pass: the outputs at p and the normal equations of the least-squares problem there.
  Point at(const Matrix& p) const {
    Point out{p, Vector(X_.rows()), nullptr};
    out.sums = features_->normal(X_, p, [&](Index first, const Matrix& z, Vector& beta, Matrix& R) {
      for (Index i = 0; i < z.rows(); ++i) {
        out.z[first + i] = z(i, 0);
        const detail::RowWeight a = objective_.weight(first + i, z(i, 0));
        beta[i] = a.beta;
        R(i, 0) = a.pull;
      }
    });
    return out;
  }

  // The fit is the least-squares machine at p; its solution is `solution`.
  void keep(const Point& p, std::unique_ptr<compute::FeatureFactor> factor, Matrix solution) {
    fit_.features = features_;
    fit_.factor = std::move(factor);
    fit_.lambda = lambda_;
    fit_.p = std::move(solution);
    finish_primal(fit_, X_, want_);
    weigh_primal(fit_, objective_, p.z);
    if (want_ == compute::Want::inverse) settle_primal(fit_, X_, [&] { return fit_.eta(); });
  }

  std::shared_ptr<const compute::Features> features_;
  const RowSource& X_;
  const detail::SummedLoss& objective_;
  double lambda_;
  compute::Want want_;
  Vector scale_;
  PrimalFit fit_;
  int start_factorisations_ = 0;
};

}  // namespace

void weigh_primal(PrimalFit& fit, const detail::SummedLoss& objective, const Vector& z_at) {
  const Index l = z_at.size();
  fit.beta.resize(l);
  fit.pull.resize(l, 1);
  fit.bend.resize(l);
  for (Index i = 0; i < l; ++i) {
    const detail::RowWeight a = objective.weight(i, z_at[i]);
    fit.beta[i] = a.beta;
    fit.pull(i, 0) = a.pull + a.beta * (z_at[i] - fit.z(i, 0));  // beta (eta - z)
    fit.bend[i] = a.bend;
  }
  if (!(fit.bend.array() != 0.0).any()) fit.bend.resize(0);
}

PrimalIrlsFit irls(std::shared_ptr<const compute::Features> features, const RowSource& X, const Loss& loss,
                   const Vector& zeta, const Vector& t, const Vector& offset, double lambda, compute::Want want,
                   const WarmStart& warm, const IrlsOptions& options) {
  const detail::SummedLoss objective(loss, zeta, t, offset);
  const std::optional<double> intercept = objective.intercept();
  if (!intercept) return {};  // not_finite
  PrimalProblem problem(std::move(features), X, objective, lambda, want);
  const detail::NewtonResult end =
      detail::newton(problem, problem.start(*intercept, warm), options.max_iterations, options.tolerance);
  return {problem.take_fit(), end.stop, problem.start_factorisations() + end.factorisations, end.stationarity,
          end.objective};
}

}  // namespace lacuna
