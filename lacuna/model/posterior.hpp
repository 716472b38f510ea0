// model/posterior.hpp -- what a Gaussian process knows besides its mean: how far it can be trusted at a new row.
//
//   variance (k(x, x) - k'M^-1 k)/lambda,   M = K + lambda diag(1/beta)
//
// A model keeps the precisions beta of its sites, l numbers for each output, as its file does; M is built and factored from them when a
// variance is first asked for, O(l^3) for each output, and the factors, l^2 doubles each, stay for the next rows. (The inverse
// in the file would be l times as large and would have to be believed; beta can be checked.)
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "lacuna/compute/compute.hpp"

namespace lacuna {

class GpPosterior {
 public:
  /// l x m, > 0.
  explicit GpPosterior(Matrix beta) : beta_(std::move(beta)) {}
  const Matrix& beta() const { return beta_; }

  /// Latent variances of new rows, n x m. Back end, kernel, lambda and training rows are those of the model, the same in every
  /// call. Throws Error(data) when the factors do not fit in memory, Error(numerical) when M cannot be factored.
  Matrix variance(const Backend& backend, const Kernel& kernel, double lambda, const RowsView& training,
                  const RowsView& rows) const;

 private:
  void prepare(const Backend& backend, const Kernel& kernel, double lambda, const RowsView& training) const;

  Matrix beta_;
  mutable std::once_flag prepared_;
  mutable Rows training_;  // what the factors refer to
  mutable std::vector<std::unique_ptr<Factor>> factors_;
};

}  // namespace lacuna
