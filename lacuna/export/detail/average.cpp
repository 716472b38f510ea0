#include "lacuna/export/detail/average.hpp"

#include <cmath>
#include <numbers>

#include "lacuna/export/detail/normal.hpp"
#include "lacuna/machine/averaged.hpp"
#include "lacuna/machine/gauss_legendre.hpp"

namespace lacuna::onnx {
namespace {

constexpr double narrow = 2.0;  // deviations s up to here

// sum_k w_k / (1 + e^(a - s x_k)), x_k = k/4 up to 11 = 9 + narrow: steps of s/4 <= 1/2 in z. a and s are N x 1.
Value trapezoidal(const Value& a, const Value& s) {
  constexpr int n = 44;
  constexpr double step = 0.25;
  Vector x(2 * n + 1), w(2 * n + 1);
  for (int k = -n; k <= n; ++k) {
    x[k + n] = step * k;
    w[k + n] = std::exp(-0.5 * x[k + n] * x[k + n]);
  }
  w /= w.sum();
  Graph& graph = *a.graph;
  return product(1.0 / (1.0 + exp(a - s * graph.row(x))), graph.matrix(w));
}

// p(-m, s^2) = Phi(-m/s) + int_0^inf [N(z | m) - N(z | -m)] / (1 + e^z) dz for m >= 0, in twelve panels of length 3.
Value corner(const Value& m, const Value& s) {
  static const GaussLegendre<20> rule;
  constexpr int panels = 12;
  constexpr double half = 1.5;
  const auto nodes = Index(rule.x.size());
  Vector z(panels * nodes), w(panels * nodes);
  for (Index panel = 0, k = 0; panel < panels; ++panel)
    for (Index node = 0; node < nodes; ++node, ++k) {
      z[k] = half * (double(2 * panel + 1) + rule.x[std::size_t(node)]);
      w[k] = half * rule.w[std::size_t(node)] / (1.0 + std::exp(z[k])) / std::sqrt(2.0 * std::numbers::pi);
    }
  Graph& graph = *m.graph;
  const Value at = graph.row(z), near = (at - m) / s, far = (at + m) / s;
  const Value density = exp(-0.5 * (near * near)) - exp(-0.5 * (far * far));
  return exp(log_normal(-m / s)) + product(density, graph.matrix(w)) / s;
}

// p(-a, v), a >= 0.
Value average(const Value& a, const Value& variance) {
  const Value s = sqrt(variance), wide = max(s, narrow), v = wide * wide;
  const Value middle = at_most(a, 0.5 * v);
  const Value c = corner(where(middle, a, abs(a - v)), wide);
  const Value tail = exp(0.5 * v - a) * where(at_most(a, v), c, 1.0 - c);
  return where(at_most(s, narrow), trapezoidal(a, min(s, narrow)), where(middle, c, tail));
}

}  // namespace

Value moderated_output(const Loss& likelihood, const Value& mu, const Value& variance, std::int64_t outputs) {
  if (const auto* probit = std::get_if<losses::Probit>(&likelihood))
    return mu / sqrt(1.0 + (probit->s * probit->s) * variance);
  const Value one = reshape(mu, {-1, 1}), v = reshape(variance, {-1, 1});
  const Value a = larger(abs(one), proportional_below * max(sqrt(v), 1.0));
  const Value p = max(average(a, v), 1e-300);
  return reshape(one / a * max(log(1.0 - p) - log(p), 0.0), {-1, outputs});
}

}  // namespace lacuna::onnx
