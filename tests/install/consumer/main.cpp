// What a user's first program looks like, built from the installed library alone.
#include <cmath>
#include <cstdio>
#include <lacuna/lacuna.hpp>

int main() {
  lacuna::Matrix X(40, 1);
  std::vector<double> t(40);
  for (int i = 0; i < 40; ++i) {
    X(i, 0) = 0.15 * i;
    t[std::size_t(i)] = std::sin(X(i, 0));
  }
  auto model = lacuna::train(X, t, {.model = lacuna::ls_svm(), .kernel = lacuna::rbf()});
  lacuna::Matrix fresh(1, 1);
  fresh << 1.0;
  const double z = lacuna::outputs(model, fresh)(0, 0);
  std::printf("lambda = %g, f(1) = %.4f\n", model.lambda, z);
  return std::abs(z - std::sin(1.0)) < 0.01 ? 0 : 1;
}
