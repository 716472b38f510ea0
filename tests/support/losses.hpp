// tests/support/losses.hpp -- one small problem for every loss, targets in its domain.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "lacuna/loss/loss.hpp"
#include "tests/support/problems.hpp"

namespace lacuna::testing {

struct LossCase {
  std::string name;
  Loss loss;
  Vector t;
};

inline std::vector<LossCase> loss_cases(const RowMatrix& X) {
  const Index n = X.rows();
  const Matrix y = random_signs(X, 42);
  const Vector t01 = (0.5 * (y.col(0).array() + 1.0)).matrix();
  Random random(43);
  Vector soft(n), count(n), positive(n), value(n);
  for (Index i = 0; i < n; ++i) {
    soft[i] = random.uniform();
    count[i] = double(random.poisson(std::exp(0.5 * X(i, 0))));
    positive[i] = std::exp(0.5 * X(i, 1) + 0.3 * random.normal());
    value[i] = std::sin(X(i, 0)) + (i % 9 == 0 ? 5.0 : 0.1) * random.normal();
  }
  return {{"squared", losses::Squared{}, value},
          {"logistic", losses::Logistic{}, t01},
          {"soft logistic", losses::Logistic{}, soft},
          {"probit", losses::Probit{}, t01},
          {"probit of the paper", losses::Probit{.s = std::sqrt(2.0)}, t01},
          {"poisson", losses::Poisson{}, count},
          {"squared hinge", losses::SquaredHinge{}, y.col(0)},
          {"gamma", losses::Gamma{}, positive},
          {"pseudo-huber", losses::PseudoHuber{.delta = 0.5}, value},
          {"negative binomial", losses::NegativeBinomial{.overdispersion = 0.6}, count}};
}

}  // namespace lacuna::testing
