#include "lacuna/machine/gp_laplace.hpp"

#include <cmath>
#include <optional>

#include "lacuna/base/error.hpp"
#include "lacuna/loss/detail/summed_loss.hpp"
#include "lacuna/machine/detail/newton.hpp"

namespace lacuna {
namespace {

constexpr double least_weight = 1e-100;  // its square is a number too

// The mode inside Newton's method (detail/newton.hpp): the dual core without its border.
class ModeProblem {
 public:
  struct Point {
    Vector alpha, z;
  };
  using Working = detail::Working;

  ModeProblem(const compute::Gram& K, const detail::SummedLoss& objective, double mean, double lambda)
      : K_(K), objective_(objective), mean_(mean), lambda_(lambda) {}

  double value(const Point& p) const {
    return 0.5 * lambda_ * p.alpha.dot((p.z.array() - mean_).matrix()) + objective_.loss(p.z);
  }
  double slope(const Point& at, const Point& from, const Point& to) const {  // K d alpha = dz
    double sum = 0.0;
    for (Index i = 0; i < at.z.size(); ++i)
      sum += (lambda_ * at.alpha[i] - objective_.pull(i, at.z[i])) * (to.z[i] - from.z[i]);
    return sum;
  }
  // Rows so far on their right side that c' = c'' = 0 stay, with next to no weight: when all are there, that is an
  // answer.
  Working working(const Point& p) const {
    Working w = detail::working(objective_, lambda_, p.alpha, p.z);
    w.beta = w.beta.cwiseMax(least_weight);
    w.any = true;
    return w;
  }

  std::optional<Point> solve(const Point&, Working& w, bool last) {
    auto factor = K_.factor(w.beta, lambda_, last ? compute::Want::inverse : compute::Want::solve);
    if (!factor) return std::nullopt;
    const Vector alpha = factor->solve(w.eta.array() - mean_);
    Point next{alpha, K_.multiply(alpha).array() + mean_};
    factor_ = std::move(factor);
    at_ = w;
    mode_ = next;
    return next;
  }
  // Working targets moved by what is left of stationarity, the matrix kept.
  std::optional<Point> chord(const Point& p) const {
    if (!factor_) return std::nullopt;
    Vector moved(p.z.size());
    for (Index i = 0; i < moved.size(); ++i)
      moved[i] = (objective_.pull(i, p.z[i]) - lambda_ * p.alpha[i]) / at_.beta[i];
    const Vector d_alpha = factor_->solve(moved);
    return Point{p.alpha + d_alpha, p.z + K_.multiply(d_alpha)};
  }
  static Point between(const Point& from, const Point& to, double step) {
    return {from.alpha + step * (to.alpha - from.alpha), from.z + step * (to.z - from.z)};
  }

  Point start(const Vector& outputs) {
    const Point cold{Vector::Zero(K_.size()), Vector::Constant(K_.size(), mean_)};
    if (outputs.size() != K_.size() || !outputs.allFinite()) return cold;
    Working w = working({Vector::Zero(K_.size()), outputs});
    ++start_factorisations_;
    const std::optional<Point> begun = solve(cold, w, false);  // coefficients that belong to this kernel and lambda
    if (!begun) return cold;
    const double at_begun = value(*begun);
    return std::isfinite(at_begun) && at_begun < value(cold) ? *begun : cold;
  }
  int start_factorisations() const { return start_factorisations_; }

  void finish(GpFit& fit) {
    fit.beta = at_.beta;
    fit.alpha = mode_.alpha;
    fit.z = mode_.z;
    fit.curvature = at_.curvature;
    fit.leverage = (1.0 - lambda_ * factor_->inverse_diagonal().array() / fit.beta.array()).max(0.0);
    const double evidence = -value(mode_) - 0.5 * factor_->log_determinant();
    if (std::isfinite(evidence)) fit.log_evidence = evidence;
    fit.factor = std::move(factor_);
  }

 private:
  const compute::Gram& K_;
  const detail::SummedLoss& objective_;
  double mean_, lambda_;
  std::unique_ptr<compute::Factor> factor_;
  Working at_;
  Point mode_;
  int start_factorisations_ = 0;
};

}  // namespace

GpFit gp_laplace(const compute::Gram& K, const Loss& likelihood, const Vector& t, double mean, double lambda,
                 const GpLaplaceOptions& options, const WarmStart& start, const Vector& zeta) {
  if (!std::holds_alternative<losses::Logistic>(likelihood) && !std::holds_alternative<losses::Probit>(likelihood))
    fail_usage("gp-laplace: the likelihood must be logistic or probit; this is " + std::string(name_of(likelihood)));
  const Vector weights = zeta.size() > 0 ? zeta : Vector(Vector::Ones(K.size())), no_offset;
  const detail::SummedLoss objective(likelihood, weights, t, no_offset);
  ModeProblem problem(K, objective, mean, lambda);
  const detail::NewtonResult end =
      detail::newton(problem, problem.start(start.z), options.max_iterations, options.tolerance);
  GpFit fit;
  fit.likelihood = likelihood;
  fit.lambda = lambda;
  fit.mean = mean;
  fit.stop = end.stop;
  fit.factorisations = problem.start_factorisations() + end.factorisations;
  fit.stationarity = end.stationarity;
  if (end.stop == Stop::converged) problem.finish(fit);
  return fit;
}

}  // namespace lacuna
