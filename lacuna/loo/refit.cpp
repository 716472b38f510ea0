#include "lacuna/loo/refit.hpp"

namespace lacuna {
namespace {

Matrix take(const Matrix& A, const std::vector<Index>& rows) {
  Matrix out(Index(rows.size()), A.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = A.row(rows[std::size_t(i)]);
  return out;
}

}  // namespace

Matrix refit_held_out(const Backend& backend, const Gram& K, const Vector& beta, const Matrix& eta, double lambda,
                      const Folds& folds, const Observer& observer) {
  const Index l = K.size();
  const long count = folds.empty() ? long(l) : long(folds.size());
  Matrix z(l, eta.cols());
  std::vector<char> held(static_cast<std::size_t>(l));
  for (long f = 0; f < count; ++f) {
    if (!go_on(observer, {.stage = "refits", .done = f, .total = count})) return {};
    const std::vector<Index> fold = folds.empty() ? std::vector<Index>{Index(f)} : folds[std::size_t(f)];
    for (const Index i : fold) held[std::size_t(i)] = 1;
    std::vector<Index> rest;
    for (Index i = 0; i < l; ++i)
      if (!held[std::size_t(i)] && beta[i] > 0.0) rest.push_back(i);
    for (const Index i : fold) held[std::size_t(i)] = 0;

    const auto K_rest = backend.gram(K.block(rest, rest));
    const DualFit fit = solve_dual(*K_rest, take(beta, rest), take(eta, rest), lambda, Want::solve);
    if (!fit.usable()) return {};
    const Matrix z_fold = (K.block(fold, rest) * fit.alpha).rowwise() + fit.b.transpose();
    for (std::size_t k = 0; k < fold.size(); ++k) z.row(fold[k]) = z_fold.row(Index(k));
  }
  return z;
}

}  // namespace lacuna
