#include "lacuna/machine/regulariser.hpp"

namespace lacuna {

std::shared_ptr<const compute::Gram> dual_gram(const Backend& backend, const Kernel& kernel, const RowsView& X,
                                               const Supervision& learn, compute::Use use) {
  return backend.gram(kernel, X, use, learn.penalty == Penalty::coefficients ? learn.zeta : Vector());
}

Matrix expansion(const Backend& backend, const Kernel& kernel, const RowsView& X, const Supervision& learn,
                 const Matrix& alpha) {
  if (learn.penalty == Penalty::norm) return alpha;
  return learn.zeta.asDiagonal() * backend.gram(kernel, X, compute::Use::once)->multiply(alpha);
}

const char* regulariser_name(Penalty penalty) { return penalty == Penalty::coefficients ? "mu" : "lambda"; }

}  // namespace lacuna
