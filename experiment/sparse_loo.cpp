#include "experiment/sparse_loo.hpp"

#include <cmath>

#include "experiment/timing.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/loo/primal_held_out.hpp"

namespace lacuna {

SparseLoo compare_sparse_loo(const Kernel& kernel, const RowsView& X, const Vector& t, const std::vector<Index>& basis,
                             double lambda, int rounds) {
  const ThreadScope one(1);
  const auto features = cpu_backend().features(kernel, take_rows(X, basis), X.rows());
  const Vector ones = Vector::Ones(X.rows());
  SparseLoo out;
  Vector slow(X.rows());
  const auto by_refit = [&] {
    Vector beta = ones;
    for (Index i = 0; i < X.rows(); ++i) {
      beta[i] = 0.0;
      slow[i] = solve_primal(features, X, beta, t, lambda, compute::Want::solve).z(i, 0);
      beta[i] = 1.0;
    }
  };
  const auto fast = [&] {
    const PrimalFit fit = solve_primal(features, X, ones, t, lambda, compute::Want::inverse);
    out.fitted = fit.z.col(0);
    out.held_out = leave_one_out(fit).col(0);
  };
  const auto seconds = least_of_interleaved(rounds, {fast, by_refit});
  out.fast_seconds = seconds[0];
  out.explicit_seconds = seconds[1];
  out.rmse = std::sqrt((t - out.held_out).squaredNorm() / double(t.size()));
  out.relative_difference = (out.held_out - slow).norm() / (t - slow).norm();
  return out;
}

}  // namespace lacuna
