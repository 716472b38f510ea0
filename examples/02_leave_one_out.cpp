// The stages one at a time: a Gram matrix, a fit, every row's held-out output; then the same by refitting.
#include <cmath>
#include <cstdio>
#include <lacuna/compute/compute.hpp>
#include <lacuna/loo/leave_one_out.hpp>
#include <lacuna/loo/refit.hpp>
#include <lacuna/machine/dual.hpp>
#include <random>

int main() {
  // A noisy sine, 80 rows of one feature.
  const int l = 80;
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0.0, 0.2);
  lacuna::Matrix X(l, 1), t(l, 1);
  for (int i = 0; i < l; ++i) {
    X(i, 0) = 6.28 * i / l;
    t(i, 0) = std::sin(X(i, 0)) + noise(random);
  }

  const lacuna::Backend& cpu = lacuna::cpu_backend();
  const auto K = cpu.gram(lacuna::kernels::Rbf{.theta = 0.5}, X);
  const lacuna::Vector weights = lacuna::Vector::Ones(l);
  const double lambda = 0.1;

  // One factorisation: the machine, and what it would have said about each row without having seen it.
  const lacuna::DualFit fit = lacuna::solve_dual(*K, weights, t, lambda, lacuna::compute::Want::inverse);
  const lacuna::Vector Q_ii = lacuna::Q_diagonal(fit);
  const lacuna::Matrix held_out = lacuna::leave_one_out(fit, Q_ii);
  const lacuna::Vector leverage = lacuna::leverage(fit, Q_ii);

  std::puts("  x      target  fitted  held out  leverage");
  for (int i = 0; i < l; i += 16)
    std::printf("%6.3f  %7.3f %7.3f  %8.3f  %8.3f\n", X(i, 0), t(i, 0), fit.z(i, 0), held_out(i, 0), leverage[i]);

  // The slow truth: 80 machines, each trained on 79 rows.
  const lacuna::Matrix refitted = lacuna::refit_held_out(*K, {.zeta = weights, .t = t}, lambda, {}).z;
  const double difference = (held_out - refitted).cwiseAbs().maxCoeff();
  std::printf("largest difference from %d refits: %.1e\n", l, difference);
  return difference < 1e-10 ? 0 : 1;
}
