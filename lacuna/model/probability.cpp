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

// The derivative of the log-loss of all rows in the logarithm of the scale.
double slope_in_log_scale(const Loss& link, double scale, const Matrix& z, const std::vector<int>& label,
                          const Vector& rows) {
  double sum = 0.0;
  for (Index i = 0; i < z.rows(); ++i) {
    if (!(rows[i] > 0.0)) continue;
    const Vector p = log_probability(link, {scale, 0.0, true}, z, i, int(z.cols())).array().exp();
    const auto d_log_mean = [&](Index k) { return -at(link, scale * z(i, k), 1.0).c1 * scale * z(i, k); };
    double expected = 0.0;
    for (Index k = 0; k < z.cols(); ++k) expected += p[k] * d_log_mean(k);
    sum += rows[i] * (expected - d_log_mean(label[std::size_t(i)]));
  }
  return sum;
}

// One scale for all classes, where the derivative in its logarithm is 0. Outputs that separate the classes would want
// it infinite: a normal prior on the logarithm, which costs half a row's nat where the scale is e, holds it.
Calibration calibrate_several(const Loss& link, const Matrix& z, const std::vector<int>& label, const Vector& rows) {
  double low = std::log(0.02), high = std::log(50.0);
  while (high - low > 1e-14) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    (middle + slope_in_log_scale(link, std::exp(middle), z, label, rows) > 0.0 ? high : low) = middle;
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

Calibration calibrate(const Loss& loss, const Matrix& z, const std::vector<int>& label, const Vector& weights,
                      double one_row) {
  return z.cols() == 1 ? calibrate_two_classes(link_of(loss), z.col(0), label, weights, one_row).calibration
                       : calibrate_several(link_of(loss), z, label, weights / one_row);
}

}  // namespace lacuna
