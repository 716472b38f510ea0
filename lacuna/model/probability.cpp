#include "lacuna/model/probability.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

// The argument of a link, kept where its logarithm is a number: probabilities are 0 and 1 long before.
double argument(const Calibration& calibration, double z, double shift) {
  return std::clamp(calibration.scale * z + shift, -1e100, 1e100);
}

// log of link(z): minus the loss of a row of the positive class.
double log_mean(const Loss& link, double z) { return -at(link, z, 1.0).c; }

// log p_k of one row, k = 0 ... classes - 1.
Vector log_probability(const Loss& link, const Calibration& calibration, const Matrix& z, Index i, int classes) {
  if (z.cols() == 1) {
    const double u = argument(calibration, z(i, 0), calibration.shift);
    return Vector{{-at(link, u, 0.0).c, -at(link, u, 1.0).c}};
  }
  Vector v(classes);
  for (int k = 0; k < classes; ++k) v[k] = log_mean(link, argument(calibration, z(i, k), 0.0));
  const double most = v.maxCoeff();
  return v.array() - (most + std::log((v.array() - most).exp().sum()));
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
  const Loss l = link_of(loss);
  Matrix p(z.rows(), classes);
  for (Index i = 0; i < z.rows(); ++i)
    p.row(i) = log_probability(l, calibration, z, i, classes).array().exp().transpose();
  return p;
}

Vector log_loss(const Loss& loss, const Calibration& calibration, const Matrix& z, const std::vector<int>& label) {
  const Loss l = link_of(loss);
  Vector out(z.rows());
  for (Index i = 0; i < z.rows(); ++i)
    out[i] = -log_probability(l, calibration, z, i, int(z.cols()))[label[std::size_t(i)]];
  return out;
}

double output_with_odds(const Loss& loss, const Calibration& calibration, double log_odds) {
  const Loss link = link_of(loss);
  const auto beyond = [&](double u) { return at(link, u, 0.0).c - at(link, u, 1.0).c > log_odds; };
  double low = -1.0, high = 1.0;
  while (beyond(low) && low > -600.0) low *= 2.0;
  while (!beyond(high) && high < 600.0) high *= 2.0;
  for (int halving = 0; halving < 100; ++halving) {
    const double middle = 0.5 * (low + high);
    (beyond(middle) ? high : low) = middle;
  }
  return (0.5 * (low + high) - calibration.shift) / calibration.scale;
}

Calibration calibrate(const Loss& loss, const Matrix& z, const std::vector<int>& label, const Vector& weights) {
  return z.cols() == 1 ? calibrate_two_classes(link_of(loss), z.col(0), label, weights).calibration
                       : calibrate_several(link_of(loss), z, label, weights);
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
