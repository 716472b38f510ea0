// machine/warm_start.hpp -- where an iteration may begin: what is kept of a fit of the same rows at neighbouring
// hyper-parameters. Outputs change less from fit to fit than coefficients do. Expectation propagation begins at the
// sites of its fit, Newton's method needs the outputs alone.
#pragma once

#include <utility>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// Empty: from what is known without a fit.
struct WarmStart {
  Vector z, beta, pull;  ///< pull = lambda alpha = beta (eta - z); of a machine only z is set

  WarmStart() = default;
  template <class Outputs>
  WarmStart(const Eigen::MatrixBase<Outputs>& outputs) : z(outputs) {}
  WarmStart(Vector outputs, Vector precisions, Vector pulls)
      : z(std::move(outputs)), beta(std::move(precisions)), pull(std::move(pulls)) {}
};

/// One for each output; empty at first.
using WarmStarts = std::vector<WarmStart>;

}  // namespace lacuna
