// compute/host/backend.hpp -- the products that the closed forms of host/ are made of, as a back end in the host's
// memory has them, and what follows from these alone.
#pragma once

#include "lacuna/compute/compute.hpp"

namespace lacuna::compute::host {

class HostBackend : public Backend {
 public:
  using Backend::Backend;
  double memory() const override { return available_bytes(); }
  Matrix expand(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A) const override;
  std::unique_ptr<Projection> projection(const Kernel& kernel, const RowsView& X, Judged judged) const override;

  virtual Matrix kernel_matrix(const Kernel& kernel, const RowsView& X, const RowsView& Y) const = 0;  ///< k(x_i, y_j)
  virtual Matrix multiply(const Matrix& A, const Matrix& B) const = 0;                                 ///< A B
  /// S += V diag(w) V', w of any sign; the lower triangle counts. An empty S begins at zero.
  virtual void add_square(const Matrix& V, const Vector& w, Matrix& S) const = 0;
};

}  // namespace lacuna::compute::host
