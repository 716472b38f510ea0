#include "lacuna/machine/irls.hpp"

#include <cmath>

#include "lacuna/loss/detail/summed_loss.hpp"
#include "lacuna/machine/detail/newton.hpp"

namespace lacuna {
namespace {

// The solver gives z_i = eta_i - lambda alpha_i / beta_i. Where c'' is tiny, eta_i is far away and takes the digits of
// z_i with it; K alpha + b loses fewer as soon as |eta_i| exceeds its terms, |K_ij| <= sqrt(K_ii K_jj).
void restore_outputs(const compute::Gram& K, DualFit& fit) {
  const Vector root = K.diagonal().cwiseAbs().cwiseSqrt();
  const Vector terms = (root * root.dot(fit.alpha.col(0).cwiseAbs())).array() + std::abs(fit.b[0]);
  if ((fit.eta.col(0).cwiseAbs().array() <= terms.array()).all()) return;
  const Matrix K_alpha = K.multiply(fit.alpha);
  for (Index i = 0; i < K.size(); ++i)
    if (std::abs(fit.eta(i, 0)) > terms[i]) fit.z(i, 0) = K_alpha(i, 0) + fit.b[0];
}

// The dual core inside Newton's method (detail/newton.hpp).
class DualProblem {
 public:
  // Coefficients, bias and the outputs they give.
  struct Point {
    Vector alpha;
    double b = 0.0;
    Vector z;
  };
  using Working = detail::Working;

  DualProblem(const compute::Gram& K, const detail::SummedLoss& objective, double lambda, compute::Want want)
      : K_(K), objective_(objective), lambda_(lambda), want_(want) {}

  double value(const Point& p) const {  // alpha' K alpha = sum alpha_i (z_i - b)
    return 0.5 * lambda_ * p.alpha.dot((p.z.array() - p.b).matrix()) + objective_.loss(p.z);
  }
  double slope(const Point& at, const Point& from, const Point& to) const {  // K d alpha = dz - db
    double sum = -lambda_ * at.alpha.sum() * (to.b - from.b);
    for (Index i = 0; i < at.z.size(); ++i)
      sum += (lambda_ * at.alpha[i] - objective_.pull(i, at.z[i])) * (to.z[i] - from.z[i]);
    return sum;
  }

  Working working(const Point& p) const { return detail::working(objective_, lambda_, p.alpha, p.z); }

  std::optional<Point> solve(const Point&, Working& w, bool last) {
    DualFit fit = solve_dual(K_, w.beta, w.eta, lambda_, last ? want_ : compute::Want::solve);
    if (!fit.usable()) return std::nullopt;
    restore_outputs(K_, fit);
    Point next{fit.alpha.col(0), fit.b[0], fit.z.col(0)};
    if (last) {
      if ((w.curvature.array() != 0.0).any()) fit.curvature = w.curvature;
    }
    fit_ = std::move(fit);
    return next;
  }

  // Working targets moved by what is left of stationarity, the matrix kept. Rows that are not in it must not pull.
  // Where a target moves far (c'' is tiny), the solver's own output would lose its digits: there it is K alpha + b.
  std::optional<Point> chord(const Point& p) const {
    if (!fit_.usable()) return std::nullopt;
    const Index l = p.z.size();
    Vector moved = Vector::Zero(l);
    bool by_product = false;
    const auto far = [&](Index i) { return !fit_.in_system(i) || std::abs(moved[i]) > 1.0; };
    for (Index i = 0; i < l; ++i) {
      const double left = lambda_ * p.alpha[i] - objective_.pull(i, p.z[i]);
      if (fit_.in_system(i))
        moved[i] = -left / fit_.beta[i];
      else if (left != 0.0)
        return std::nullopt;
      by_product = by_product || far(i);
    }
    const Vector d_alpha = apply_Q(fit_, moved);
    const double d_b = fit_.xi.dot(moved) / fit_.one_xi;
    Point next{p.alpha + d_alpha, p.b + d_b, p.z};
    const Vector K_d = by_product ? Vector(K_.multiply(d_alpha)) : Vector();
    for (Index i = 0; i < l; ++i) next.z[i] += far(i) ? K_d[i] + d_b : moved[i] - lambda_ / fit_.beta[i] * d_alpha[i];
    return next;
  }

  static Point between(const Point& from, const Point& to, double step) {
    return {from.alpha + step * (to.alpha - from.alpha), from.b + step * (to.b - from.b),
            from.z + step * (to.z - from.z)};
  }

  Point start(double intercept, const WarmStart& warm) {
    const Point cold{Vector::Zero(K_.size()), intercept, Vector::Constant(K_.size(), intercept)};
    if (warm.z.size() != K_.size() || !warm.z.allFinite()) return cold;
    // One step from the outputs gives coefficients that belong to this kernel and lambda.
    Working w = working({Vector::Zero(K_.size()), 0.0, warm.z});
    if (!w.any) return cold;
    ++start_factorisations_;
    const std::optional<Point> begun = solve(cold, w, false);
    if (!begun) return cold;
    // Working targets far away (a probit's tail) take all digits with them: then not even the norm of the machine is
    // positive.
    const Vector f = begun->z.array() - begun->b;
    const double norm = begun->alpha.dot(f), size = begun->alpha.cwiseAbs().dot(f.cwiseAbs());
    const double at_begun = value(*begun);
    return std::isfinite(at_begun) && norm >= -1e-6 * size && at_begun < value(cold) ? *begun : cold;
  }
  int start_factorisations() const { return start_factorisations_; }

  DualFit take_fit() { return std::move(fit_); }

 private:
  const compute::Gram& K_;
  const detail::SummedLoss& objective_;
  double lambda_;
  compute::Want want_;
  DualFit fit_;
  int start_factorisations_ = 0;
};

}  // namespace

IrlsFit irls(const compute::Gram& K, const Loss& loss, const Vector& zeta, const Vector& t, const Vector& offset,
             double lambda, compute::Want want, const WarmStart& warm, const IrlsOptions& options) {
  const detail::SummedLoss objective(loss, zeta, t, offset);
  const std::optional<double> intercept = objective.intercept();
  if (!intercept) return {};  // not_finite
  DualProblem problem(K, objective, lambda, want);
  const detail::NewtonResult end =
      detail::newton(problem, problem.start(*intercept, warm), options.max_iterations, options.tolerance);
  return {end.stop == Stop::converged ? problem.take_fit() : DualFit{}, end.stop,
          problem.start_factorisations() + end.factorisations, end.stationarity, end.objective};
}

}  // namespace lacuna
