#include "lacuna/model/probability.hpp"

#include <Eigen/LU>
#include <cmath>

namespace lacuna {
namespace {

// The loss whose inverse link makes probabilities: the machine's own, or the logistic one.
Loss link(const Loss& loss) { return std::holds_alternative<Probit>(loss) ? loss : Loss(Logistic{}); }

// log of link(z): minus the loss of a row of the positive class.
double log_mean(const Loss& link, double z) { return -at(link, z, 1.0).c; }

// log p_k of one row, k = 0 ... classes - 1.
Vector log_probability(const Loss& link, const Calibration& calibration, const Matrix& z, Index i, int classes) {
  if (z.cols() == 1) {
    const double u = calibration.scale * z(i, 0) + calibration.shift;
    return Vector{{-at(link, u, 0.0).c, -at(link, u, 1.0).c}};
  }
  Vector v(classes);
  for (int k = 0; k < classes; ++k) v[k] = log_mean(link, calibration.scale * z(i, k));
  const double most = v.maxCoeff();
  return v.array() - (most + std::log((v.array() - most).exp().sum()));
}

// Newton's method in scale and shift on the logarithmic loss with smoothed targets.
Calibration calibrate_binary(const Loss& link, const Matrix& z, const std::vector<int>& label, const Vector& weights) {
  double of_class[2] = {0.0, 0.0};
  for (Index i = 0; i < z.rows(); ++i) of_class[label[std::size_t(i)]] += weights[i];
  const double high = (of_class[1] + 1.0) / (of_class[1] + 2.0), low = 1.0 / (of_class[0] + 2.0);
  const auto sums = [&](double a, double b, Eigen::Vector2d* g, Eigen::Matrix2d* H) {
    double value = 0.0;
    for (Index i = 0; i < z.rows(); ++i) {
      const double t = label[std::size_t(i)] == 1 ? high : low, u = a * z(i, 0) + b;
      const LossAt up = at(link, u, 1.0), down = at(link, u, 0.0);
      value += weights[i] * (t * up.c + (1.0 - t) * down.c);
      if (g == nullptr) continue;
      const double c1 = weights[i] * (t * up.c1 + (1.0 - t) * down.c1);
      const double c2 = weights[i] * (t * up.c2 + (1.0 - t) * down.c2);
      const Eigen::Vector2d x(z(i, 0), 1.0);
      *g += c1 * x;
      *H += c2 * x * x.transpose();
    }
    return value;
  };
  Eigen::Vector2d p(1.0, 0.0);
  double value = sums(p[0], p[1], nullptr, nullptr);
  for (int k = 0; k < 100; ++k) {
    Eigen::Vector2d g = Eigen::Vector2d::Zero();
    Eigen::Matrix2d H = 1e-12 * Eigen::Matrix2d::Identity();
    sums(p[0], p[1], &g, &H);
    const Eigen::Vector2d step = -H.inverse() * g;
    double share = 1.0, next = sums(p[0] + step[0], p[1] + step[1], nullptr, nullptr);
    while (!(next <= value) && share > 1e-10) {
      share *= 0.5;
      next = sums(p[0] + share * step[0], p[1] + share * step[1], nullptr, nullptr);
    }
    if (!(next <= value)) break;
    p += share * step;
    const bool done = value - next <= 1e-12 * std::abs(value);
    value = next;
    if (done) break;
  }
  if (!(p[0] > 0.0))
    return {};  // held-out outputs that point the wrong way: a calibration would contradict the decision
  return {p[0], p[1], true};
}

// One scale for all classes, by golden section on its logarithm. Outputs that separate the classes would want it infinite: a
// normal prior on the logarithm, worth less than one row, holds it.
Calibration calibrate_several(const Loss& link, const Matrix& z, const std::vector<int>& label, const Vector& weights) {
  const auto value = [&](double log_scale) {
    return 0.5 * log_scale * log_scale + weights.dot(log_loss(link, {std::exp(log_scale), 0.0, true}, z, label));
  };
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  double low = std::log(0.02), high = std::log(50.0);
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = value(left), at_right = value(right);
  while (high - low > 1e-5) {
    if (at_left <= at_right) {
      high = right, right = left, at_right = at_left;
      at_left = value(left = high - golden * (high - low));
    } else {
      low = left, left = right, at_left = at_right;
      at_right = value(right = low + golden * (high - low));
    }
  }
  return {std::exp(0.5 * (low + high)), 0.0, true};
}

}  // namespace

Matrix probabilities(const Loss& loss, const Calibration& calibration, const Matrix& z, int classes) {
  const Loss l = link(loss);
  Matrix p(z.rows(), classes);
  for (Index i = 0; i < z.rows(); ++i)
    p.row(i) = log_probability(l, calibration, z, i, classes).array().exp().transpose();
  return p;
}

Vector log_loss(const Loss& loss, const Calibration& calibration, const Matrix& z, const std::vector<int>& label) {
  const Loss l = link(loss);
  Vector out(z.rows());
  for (Index i = 0; i < z.rows(); ++i)
    out[i] = -log_probability(l, calibration, z, i, int(z.cols()))[label[std::size_t(i)]];
  return out;
}

Calibration calibrate(const Loss& loss, const Matrix& z, const std::vector<int>& label, const Vector& weights) {
  return z.cols() == 1 ? calibrate_binary(link(loss), z, label, weights)
                       : calibrate_several(link(loss), z, label, weights);
}

double calibration_error(const Matrix& probability, const std::vector<int>& label, const Vector& weights) {
  constexpr int bins = 10;
  double claimed[bins] = {}, hit[bins] = {}, total = 0.0;
  for (Index i = 0; i < probability.rows(); ++i) {
    Index predicted = 0;
    const double p = probability.row(i).maxCoeff(&predicted);
    const int bin = std::min(bins - 1, int(p * bins));
    claimed[bin] += weights[i] * p;
    hit[bin] += predicted == label[std::size_t(i)] ? weights[i] : 0.0;
    total += weights[i];
  }
  double sum = 0.0;
  for (int b = 0; b < bins; ++b) sum += std::abs(claimed[b] - hit[b]);
  return sum / total;
}

}  // namespace lacuna
