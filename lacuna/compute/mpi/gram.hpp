// compute/mpi/gram.hpp -- a Gram matrix over all ranks. Each builds the blocks that lie with it from the rows, which
// all have; no kernel value crosses. Only a user-written kernel is evaluated by rank 0, which sends blocks to their
// places.
#pragma once

#include <memory>
#include <optional>

#include "lacuna/compute/cpu/tiles.hpp"
#include "lacuna/compute/mpi/spread.hpp"

namespace lacuna::compute::mpi {

class SpreadGram {
 public:
  /// `kernel` is empty where it is user-written and this is not rank 0. c: K is R diag(c) R for the kernel's R.
  SpreadGram(const Grid& grid, std::optional<Kernel> kernel, bool user_written, Rows X, Use use, Vector c);

  const Grid& grid() const { return grid_; }
  Index size() const { return X_.rows(); }
  bool squared() const { return c_.size() > 0; }
  const Vector& column_weights() const { return c_; }
  Index parameters() const { return parameters_; }

  Spread kernel_matrix() const;  ///< the lower triangle of R
  Spread matrix() const;         ///< the lower triangle of K, a copy
  const std::optional<Spread>& kept() const { return K_; }

  /// <G, dR/d log theta_p> over the blocks of G on and below the diagonal, which are used up, on rank 0: those below
  /// stand for their mirror images, and those on it are whole.
  Vector contract(Spread& G) const;

 private:
  const Grid& grid_;
  std::optional<Kernel> kernel_;
  bool by_first_;  // the kernel is evaluated by rank 0 alone
  Rows X_;
  Vector c_;
  std::unique_ptr<cpu::KernelTiles> tiles_;  // null: none here
  Index parameters_ = 0;
  std::optional<Spread> K_;
};

}  // namespace lacuna::compute::mpi
