#include "lacuna/model/assess.hpp"

#include <cmath>
#include <numbers>

#include "lacuna/model/machine.hpp"

namespace lacuna {
namespace {

double r_squared(const Matrix& value, const Truth& truth) {
  const Eigen::RowVectorXd mean = truth.weights.transpose() * truth.targets / truth.weights.sum();
  double sum = 0.0;
  for (Index c = 0; c < value.cols(); ++c) {
    const double left = truth.weights.dot((truth.targets.col(c) - value.col(c)).cwiseAbs2());
    const double all = truth.weights.dot((truth.targets.col(c).array() - mean[c]).square().matrix());
    sum += 1.0 - left / all;
  }
  return sum / double(value.cols());
}

// The root of the mean square of some numbers, themselves roots; rates can be e^700, and their squares are no numbers.
template <class F>
double root_mean(const std::vector<Matrix>& z, const F& root) {
  double norm = 0.0;
  for (const Matrix& one : z) norm = std::hypot(norm, root(one));
  return norm / std::sqrt(double(z.size()));
}

// The deviance of one common rate: what explains nothing. Counts: all of them over all exposure; gamma: the mean of t/e.
double null_deviance(const Truth& truth) {
  const bool counts = targets_of(truth.loss) == Targets::counts;
  Matrix z(truth.targets.rows(), truth.targets.cols());
  for (Index c = 0; c < z.cols(); ++c) {
    double above = 0.0, below = 0.0;
    for (Index i = 0; i < z.rows(); ++i) {
      const double exposure = truth.offset.size() > 0 ? std::exp(truth.offset[i]) : 1.0;
      above += truth.weights[i] * (counts ? truth.targets(i, c) : truth.targets(i, c) / exposure);
      below += truth.weights[i] * (counts ? exposure : 1.0);
    }
    z.col(c).setConstant(std::log(above / below));
  }
  return score(Criterion::xent, z, truth, false).value;
}

}  // namespace

double root_mean_square(const Matrix& residual, const Vector& weights) {
  const double unit = residual.cwiseAbs().maxCoeff();
  if (!(unit > 0.0)) return 0.0;
  const Vector squares = (residual / unit).rowwise().squaredNorm();
  return unit * std::sqrt(weights.dot(squares) / weights.sum() / double(residual.cols()));
}

NamedScores assess(const Model& model, const Truth& truth, const std::vector<Matrix>& z, double auc) {
  const auto mean = [&](auto&& f) {
    double sum = 0.0;
    for (const Matrix& one : z) sum += f(one);
    return sum / double(z.size());
  };
  const auto of = [&](Criterion c) {
    return mean([&](const Matrix& one) { return score(c, one, truth, false).value; });
  };
  const double total = truth.weights.sum();
  if (truth.classes > 0) {
    const auto cut = [&](Criterion c) {
      return mean([&](const Matrix& one) {
        const Matrix from_threshold = one.array() - model.threshold;
        return score(c, from_threshold, truth, false).value;
      });
    };
    NamedScores out{{"error", cut(Criterion::error)}, {"ber", cut(Criterion::ber)}};
    if (!std::isnan(auc)) out.emplace_back("auc", auc);
    if (!has_probabilities(model)) {
      out.emplace_back("press", of(Criterion::press));
      return out;
    }
    const double xent = mean([&](const Matrix& one) {
      return truth.weights.dot(log_loss(model.loss, model.calibration, one, truth.label)) / total;
    });
    out.emplace_back("xent", xent);
    out.emplace_back("bits", std::log2(double(truth.classes)) - xent / std::numbers::ln2);
    out.emplace_back("calibration", mean([&](const Matrix& one) {
                       return calibration_error(probabilities(model.loss, model.calibration, one, truth.classes),
                                                truth.label, truth.weights);
                     }));
    return out;
  }
  if (!gives_rates(model.loss)) {
    return {{"rmse", std::sqrt(of(Criterion::press))},
            {"r2", mean([&](const Matrix& one) { return r_squared(one, truth); })},
            {"press", of(Criterion::press)}};
  }
  const double deviance = std::max(0.0, of(Criterion::xent)), nothing = null_deviance(truth);
  const double rmse = root_mean(z, [&](const Matrix& one) {
    return root_mean_square(truth.targets - interpret(model, one, truth.offset).value, truth.weights);
  });
  return {{"deviance", deviance}, {"d2", nothing > 1e-12 ? 1.0 - deviance / nothing : 0.0}, {"rmse", rmse}};
}

}  // namespace lacuna
