#include "tests/support/primal.hpp"

#include <cmath>
#include <type_traits>
#include <variant>

namespace lacuna::testing {

Slope textbook(const Loss& loss, long double z, long double t) {
  return std::visit(
      [&]<class L>(const L& l) -> Slope {
        if constexpr (std::is_same_v<L, losses::Squared>) return {0.5L * (z - t) * (z - t), z - t};
        if constexpr (std::is_same_v<
                          L, losses::Logistic>) {  // of the two forms of log(1 + e^z), the one that cannot overflow
          const long double c = z > 0.0L ? (1.0L - t) * z + log1pl(expl(-z)) : log1pl(expl(z)) - t * z;
          const long double up = 1.0L / (1.0L + expl(-z)), down = 1.0L / (1.0L + expl(z));
          return {c, (1.0L - t) * up - t * down};
        }
        if constexpr (std::is_same_v<L, losses::Probit>) {  // erfcl reaches m = -150 before it underflows
          const long double sy = (t > 0.5L ? 1.0L : -1.0L) * static_cast<long double>(l.s), m = sy * z;
          const long double Phi = 0.5L * erfcl(-m / sqrtl(2.0L));
          const long double phi = expl(-0.5L * m * m) / sqrtl(8.0L * atanl(1.0L));
          return {m > 0.0L ? -log1pl(-0.5L * erfcl(m / sqrtl(2.0L))) : -logl(Phi), -sy * phi / Phi};
        }
        if constexpr (std::is_same_v<L, losses::Poisson>) return {expl(z) - t * z, expl(z) - t};
        if constexpr (std::is_same_v<L, losses::NegativeBinomial>) {
          const long double a = static_cast<long double>(l.overdispersion), m = expl(z);
          return {(t + 1.0L / a) * log1pl(a * m) - t * z, (m - t) / (1.0L + a * m)};
        }
        if constexpr (std::is_same_v<L, losses::SquaredHinge>) {
          const long double gap = fmaxl(0.0L, 1.0L - t * z);
          return {0.5L * gap * gap, -t * gap};
        }
        if constexpr (std::is_same_v<L, losses::Gamma>) return {z + t * expl(-z), 1.0L - t * expl(-z)};
        if constexpr (std::is_same_v<L, losses::PseudoHuber>) {
          const long double delta = static_cast<long double>(l.delta), u = (z - t) / delta, root = sqrtl(1.0L + u * u);
          return {delta * delta * u * u / (root + 1.0L), delta * u / root};
        }
      },
      loss);
}

PrimalValue value(const Primal& p, const Long& K, const Vector& alpha, double b) {
  const LongVector a = alpha.cast<long double>(), Ka = K * a;
  PrimalValue out;
  out.F = out.size = 0.5L * static_cast<long double>(p.lambda) * a.dot(Ka);
  for (Index i = 0; i < p.t.size(); ++i) {
    if (p.zeta[i] == 0.0) continue;
    const auto z = Ka[i] + static_cast<long double>(b) + static_cast<long double>(p.offset[i]);
    const auto term = static_cast<long double>(p.zeta[i]) * textbook(p.loss, z, static_cast<long double>(p.t[i])).c;
    out.F += term;
    out.size += fabsl(term);
  }
  return out;
}

Feature feature_map(const Long& K) {
  const Eigen::SelfAdjointEigenSolver<Long> eigen(K);
  const Index n = K.rows();
  Index rank = 0;
  while (rank < n && eigen.eigenvalues()[n - 1 - rank] > 0.0L) ++rank;
  Feature out{eigen.eigenvectors().rightCols(rank), eigen.eigenvalues().tail(rank),
              fmaxl(0.0L, -eigen.eigenvalues()[0])};
  out.R = out.R * out.omega.cwiseSqrt().asDiagonal();
  return out;
}

Minimum minimise(const Primal& p, const Feature& map, long double tolerance) {
  // Variables u = v sqrt(lambda + omega mean(zeta)) and b sqrt(sum zeta): the Hessian of the squared loss becomes about
  // I.
  const Index r = map.R.cols();
  const auto lambda = static_cast<long double>(p.lambda), mean = static_cast<long double>(p.zeta.mean());
  LongVector scale(r + 1);
  for (Index j = 0; j < r; ++j) scale[j] = 1.0L / sqrtl(lambda + mean * map.omega[j]);
  scale[r] = 1.0L / sqrtl(mean * static_cast<long double>(p.zeta.size()));
  const auto F = [&](const LongVector& u, LongVector& g) {
    const LongVector v = u.head(r).cwiseProduct(scale.head(r)), Rv = map.R * v;
    const long double b = u[r] * scale[r];
    long double sum = 0.5L * lambda * v.squaredNorm();
    LongVector pull = LongVector::Zero(Rv.size());
    for (Index i = 0; i < pull.size(); ++i) {
      if (p.zeta[i] == 0.0) continue;
      const auto zeta = static_cast<long double>(p.zeta[i]);
      const Slope s =
          textbook(p.loss, Rv[i] + b + static_cast<long double>(p.offset[i]), static_cast<long double>(p.t[i]));
      sum += zeta * s.c;
      pull[i] = zeta * s.c1;
    }
    g.head(r) = (lambda * v + map.R.transpose() * pull).cwiseProduct(scale.head(r));
    g[r] = pull.sum() * scale[r];
    return sum;
  };
  return lbfgs(F, LongVector::Zero(r + 1), tolerance);
}

}  // namespace lacuna::testing
