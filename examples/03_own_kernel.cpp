// A kernel of one's own: periodic, with a period and a roughness that are chosen like any other parameter.
#include <cmath>
#include <cstdio>
#include <lacuna/lacuna.hpp>
#include <numbers>
#include <random>

// k(x, y) = exp(-rough sin^2(pi (x - y) / period)), x and y rows of one number.
lacuna::kernels::Custom periodic(double period, double rough) {
  const auto sine = [](lacuna::kernels::Custom::Row x, lacuna::kernels::Custom::Row y, double p) {
    return std::sin(std::numbers::pi * (x[0] - y[0]) / p);
  };
  const auto value = [sine](lacuna::kernels::Custom::Row x, lacuna::kernels::Custom::Row y,
                            lacuna::kernels::Custom::Row p) {
    const double s = sine(x, y, p[0]);
    return std::exp(-p[1] * s * s);
  };
  // Derivatives in log(period) and log(rough); the search uses them.
  const auto d_log = [sine, value](int which, lacuna::kernels::Custom::Row x, lacuna::kernels::Custom::Row y,
                                   lacuna::kernels::Custom::Row p) {
    const double s = sine(x, y, p[0]), k = value(x, y, p);
    if (which == 1) return -p[1] * s * s * k;
    const double angle = std::numbers::pi * (x[0] - y[0]) / p[0];
    return p[1] * 2.0 * s * std::cos(angle) * angle * k;
  };
  return {.label = "periodic",
          .parameter_labels = {"period", "rough"},
          .parameter = {period, rough},
          .pair_value = value,
          .pair_d_log = d_log};
}

int main() {
  // A wave of period 3 seen for three periods.
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0.0, 0.1);
  const auto wave = [](double x) { return std::sin(2.0 * std::numbers::pi * x / 3.0); };
  lacuna::Matrix X(90, 1);
  std::vector<double> t(90);
  for (int i = 0; i < 90; ++i) {
    X(i, 0) = 0.1 * i;
    t[std::size_t(i)] = wave(X(i, 0)) + noise(random);
  }

  const lacuna::Model model = lacuna::train(X, t, {.kernel = lacuna::custom(periodic(2.8, 1.0))});
  const std::vector<double> chosen = lacuna::kernel_parameters(model.kernel);
  std::printf("period = %.3f, rough = %.3g, lambda = %.3g\n", chosen[0], chosen[1], model.lambda);

  // Far outside the data the period still holds.
  lacuna::Matrix far(1, 1);
  far << 30.7;
  const double z = lacuna::outputs(model, far)(0, 0);
  std::printf("at x = 30.7: %.3f, truth %.3f\n", z, wave(30.7));
  return std::abs(z - wave(30.7)) < 0.2 ? 0 : 1;
}
