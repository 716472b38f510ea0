#include "experiment/ridge_path.hpp"

#include <cmath>

#include "lacuna/compute/cpu/dense.hpp"

namespace lacuna {
namespace {

struct Centred {
  Vector zeta, d;
  double total, mean;
};

Centred centred(const Vector& zeta, const Vector& t) {
  return {zeta, zeta.cwiseSqrt(), zeta.sum(), zeta.dot(t) / zeta.sum()};
}

}  // namespace

RidgePath RidgePath::from_features(const Matrix& Z, const Matrix& test_Z, const Vector& zeta, const Vector& t) {
  const Centred c = centred(zeta, t);
  const Eigen::RowVectorXd m = zeta.transpose() * Z / c.total;
  const Matrix phi = c.d.asDiagonal() * (Z.rowwise() - m);
  Matrix S;
  compute::cpu::add_square(phi.transpose(), Vector::Ones(phi.rows()), S);
  const compute::cpu::Spectrum spectrum = compute::cpu::spectrum(std::move(S));
  RidgePath out;
  out.zeta_ = zeta;
  out.t_ = t;
  out.mean_ = c.mean;
  out.s_ = spectrum.omega.cwiseMax(0.0);
  out.P_ = compute::cpu::multiply(phi, spectrum.U);
  out.test_P_ = compute::cpu::multiply(test_Z.rowwise() - m, spectrum.U);
  out.right_ = out.P_.transpose() * c.d.cwiseProduct((t.array() - c.mean).matrix());
  return out;
}

RidgePath RidgePath::from_kernel(Matrix K, Matrix test_K, const Vector& zeta, const Vector& t) {
  const Centred c = centred(zeta, t);
  const Vector of_mean = K * zeta / c.total;  // <phi_i, m>
  const double mean_mean = zeta.dot(of_mean) / c.total;
  const Vector test_of_mean = test_K * zeta / c.total;
  K.rowwise() -= of_mean.transpose();
  K.colwise() -= of_mean;
  K.array() += mean_mean;
  K = c.d.asDiagonal() * K * c.d.asDiagonal();
  const compute::cpu::Spectrum spectrum = compute::cpu::spectrum(std::move(K));
  RidgePath out;
  out.zeta_ = zeta;
  out.t_ = t;
  out.mean_ = c.mean;
  const double floor = 1e-13 * spectrum.omega.maxCoeff();  // directions that are there by rounding only
  const Vector omega = (spectrum.omega.array() > floor).select(spectrum.omega, 0.0);
  const Vector inverse_root = (omega.array() > 0.0).select(omega.cwiseSqrt().cwiseInverse(), 0.0);
  out.s_ = omega;
  out.P_ = spectrum.U * omega.cwiseSqrt().asDiagonal();
  test_K.rowwise() -= of_mean.transpose();
  test_K.colwise() -= test_of_mean;
  test_K.array() += mean_mean;
  test_K = test_K * c.d.asDiagonal();
  out.test_P_ = compute::cpu::multiply(test_K, spectrum.U) * inverse_root.asDiagonal();
  out.right_ = out.P_.transpose() * c.d.cwiseProduct((t.array() - c.mean).matrix());
  return out;
}

Matrix RidgePath::held_out(const Vector& lambda) const {
  Matrix G(s_.size(), lambda.size());
  for (Index k = 0; k < lambda.size(); ++k) G.col(k) = (s_.array() + lambda[k]).inverse();
  const Matrix z = compute::cpu::multiply(P_, right_.asDiagonal() * G);
  const Matrix h = compute::cpu::multiply(P_.cwiseAbs2(), G);
  const double total = zeta_.sum();
  Matrix out(t_.size(), lambda.size());
  for (Index k = 0; k < lambda.size(); ++k)
    for (Index i = 0; i < t_.size(); ++i) {
      const double fitted = mean_ + z(i, k) / std::sqrt(zeta_[i]);
      out(i, k) = t_[i] - (t_[i] - fitted) / (1.0 - zeta_[i] / total - h(i, k));
    }
  return out;
}

Vector RidgePath::test_outputs(double lambda) const {
  return (test_P_ * (right_.array() / (s_.array() + lambda)).matrix()).array() + mean_;
}

Matrix quadratic_features(const RowMatrix& X, double c) {
  const Index d = X.cols();
  Matrix out(X.rows(), d + d * (d + 1) / 2);
  out.leftCols(d) = std::sqrt(2.0 * c) * X;
  Index at = d;
  for (Index i = 0; i < d; ++i)
    for (Index j = i; j < d; ++j) out.col(at++) = (i == j ? 1.0 : std::sqrt(2.0)) * X.col(i).cwiseProduct(X.col(j));
  return out;
}

}  // namespace lacuna
