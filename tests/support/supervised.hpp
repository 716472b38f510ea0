// tests/support/supervised.hpp -- targets that follow the rows with some noise, as each loss wants them.
#pragma once

#include <cmath>

#include "lacuna/base/random.hpp"
#include "tests/support/problems.hpp"

namespace lacuna::testing {

/// Rows of two features or more; `zeros` as random_weights has it. Rates get an offset.
inline Supervision supervised(const Loss& loss, const RowMatrix& X, std::uint64_t seed, int zeros) {
  const Index n = X.rows();
  Random random(seed);
  Supervision out{loss, random_weights(n, seed + 1, zeros), Matrix(n, 1), {}};
  if (gives_rates(loss)) out.offset = Vector(n);
  for (Index i = 0; i < n; ++i) {
    const double f = std::sin(2.0 * X(i, 0)) + 0.7 * X(i, 1), noise = 0.4 * random.normal();
    if (gives_rates(loss)) out.offset[i] = 0.3 * random.normal();
    if (targets_of(loss) == losses::Targets::counts)
      out.t(i, 0) = double(random.poisson(std::exp(f - 1.0 + out.offset[i])));
    else if (std::holds_alternative<losses::Gamma>(loss))
      out.t(i, 0) = std::exp(f + noise + out.offset[i]);
    else if (std::holds_alternative<losses::PseudoHuber>(loss))
      out.t(i, 0) = f + noise + (i % 9 == 0 ? 5.0 : 0.0);
    else
      out.t(i, 0) = f + noise > 0.0 ? 1.0 : std::holds_alternative<losses::SquaredHinge>(loss) ? -1.0 : 0.0;
  }
  return out;
}

}  // namespace lacuna::testing
