#include "tests/support/lbfgs.hpp"

#include <cmath>
#include <deque>

namespace lacuna::testing {

Minimum lbfgs(const Smooth& f, LongVector x, long double tolerance, int max_iterations) {
  struct Pair {
    LongVector s, y;
    long double ys;
  };
  constexpr std::size_t memory = 60;  // more than the variables of the tests: nearly BFGS, and nearly as fast
  std::deque<Pair> pairs;
  LongVector g(x.size());
  Minimum out{x, f(x, g), 0.0L, 0};
  for (; out.iterations < max_iterations; ++out.iterations) {
    // d = -H g by the two loops.
    LongVector d = -g, a = LongVector::Zero(Eigen::Index(pairs.size()));
    for (std::size_t k = pairs.size(); k-- > 0;) {
      a[Eigen::Index(k)] = pairs[k].s.dot(d) / pairs[k].ys;
      d -= a[Eigen::Index(k)] * pairs[k].y;
    }
    if (!pairs.empty()) d *= pairs.back().ys / pairs.back().y.squaredNorm();
    for (std::size_t k = 0; k < pairs.size(); ++k)
      d += (a[Eigen::Index(k)] - pairs[k].y.dot(d) / pairs[k].ys) * pairs[k].s;
    const long double slope = g.dot(d);
    out.left = -0.5L * slope;
    if (out.left <= tolerance) break;

    // Bisect, or double, until the step falls enough (Armijo) and the slope has flattened (Wolfe).
    LongVector next, g_next(x.size());
    long double low = 0.0L, high = INFINITY, step = pairs.empty() ? 1.0L / (1.0L + g.norm()) : 1.0L, value = INFINITY;
    bool found = false;
    for (int trial = 0; trial < 200 && !found; ++trial) {
      next = out.x + step * d;
      value = f(next, g_next);
      if (!(value <= out.value + 1e-4L * step * slope))
        high = step;
      else if (g_next.dot(d) < 0.9L * slope)
        low = step;
      else
        found = true;
      if (!found) step = std::isinf(high) ? 2.0L * low : 0.5L * (low + high);
    }
    if (!found) break;
    Pair pair{next - out.x, g_next - g, 0.0L};
    pair.ys = pair.y.dot(pair.s);
    if (pair.ys > 0.0L) pairs.push_back(std::move(pair));
    if (pairs.size() > memory) pairs.pop_front();
    out.x = std::move(next);
    out.value = value;
    g = g_next;
  }
  return out;
}

}  // namespace lacuna::testing
