// compute/cpu/tiles.hpp -- blocks of a kernel matrix, and of its derivatives, small enough to stay in cache. One matrix
// product makes the block of u (kernel/geometry.hpp), the formula is applied over it (elementwise.hpp), sums and
// products combine such blocks. Nothing larger than a tile is held besides one prepared copy of the rows.
#pragma once

#include <vector>

#include "lacuna/compute/compute.hpp"

namespace lacuna::compute::cpu {

/// Rows and columns of a tile, small enough that a few of them fit the second-level cache and little is computed twice
/// on the diagonal.
inline constexpr Index kTile = 128;

/// The rows as one kernel formula wants them: centred for distances (distances do not care and lose fewer digits),
/// scaled by sqrt(theta_k) for Ard and by the weights of the features, contiguous for BLAS.
struct PreparedRows {
  RowMatrix dense;  ///< or, where `sparse` is set, nothing
  const SparseView* sparse = nullptr;
  SparseView sparse_view;
  std::vector<double> sparse_value;  ///< scaled values, where they differ from the view's
  Vector norm;                       ///< squared norms, for distances
};

/// Where squared distances u come from. Of a product of rows, |x|^2 + |y|^2 - 2 x.y, they have errors of about
/// eps (|x|^2 + |y|^2): nothing where a kernel is wide, but 1e-10 in values of one as narrow as the gaps between rows.
enum class Distances {
  products,  ///< of a product, but for near twins: what fits are made of
  exact      ///< from the differences where values would show the errors: what predictions are made of
};

class KernelTiles {
 public:
  /// For k(x_i, y_j). X and Y must outlive this.
  KernelTiles(const Kernel& kernel, const RowsView& X, const RowsView& Y, Distances distances = Distances::products);
  KernelTiles(const KernelTiles&) = delete;
  KernelTiles& operator=(const KernelTiles&) = delete;

  Index parameter_count() const { return parameter_count_; }
  /// out (ni x nj, column-major, leading dimension ld) := k(x_i, y_j) for i0 <= i < i0 + ni, j0 <= j < j0 + nj;
  /// ni, nj <= kTile.
  void evaluate(Index i0, Index ni, Index j0, Index nj, double* out, Index ld) const;
  /// sum[p] += sum_ij G_ij dk(x_i, y_j)/d log theta_p over the tile; G is ni x nj, contiguous.
  void contract(Index i0, Index ni, Index j0, Index nj, const double* G, double* sum) const;
  /// out += sum_j a_jc dk(x_i, y_j)/dx_i over the tile: one row for each i, the features for c = 0, then those for c =
  /// 1, and so on. Requires has_slopes(kernel).
  void add_slopes(Index i0, Index ni, Index j0, Index nj, const Matrix& A, RowMatrix& out) const;

 private:
  struct Tile {
    Index i0, ni, j0, nj;
    Index size() const { return ni * nj; }
  };
  void prepare(const Kernel& kernel, const Vector& weights);
  void coordinates(std::size_t leaf, const Tile& t, double* u, Index ld) const;
  double squared_difference(std::size_t leaf, Index i, Index j) const;
  void custom(const kernels::Custom& kernel, const Tile& t, double* out, Index ld) const;
  void contract_custom(const kernels::Custom& kernel, const Tile& t, const double* G, double* sum) const;
  void evaluate(const Kernel& kernel, std::size_t& leaf, const Tile& t, double* out, Index ld) const;
  void contract(const Kernel& kernel, std::size_t& leaf, const Tile& t, const double* G, double*& sum) const;
  /// The blocks of a product's parts, and G times all of them but one.
  std::vector<std::vector<double>> values_of_parts(const std::vector<Kernel>& parts, std::size_t& leaf,
                                                   const Tile& t) const;
  static std::vector<double> times_others(const double* G, const std::vector<std::vector<double>>& value,
                                          std::size_t which);
  void contract_ard(const kernels::Ard& kernel, std::size_t leaf, const Tile& t, const double* G, double* sum) const;
  void add_slopes(const Kernel& kernel, std::size_t& leaf, const Tile& t, const double* G, const Matrix& A,
                  RowMatrix& out) const;
  void add_leaf_slopes(std::size_t leaf, const Tile& t, const Matrix& H, const Matrix& A, RowMatrix& out) const;

  Kernel kernel_;
  RowsView X_, Y_;
  Distances distances_;
  Index parameter_count_ = 0;
  struct Leaf {
    kernels::Geometry geometry;
    Vector scale;        // of each feature; empty: 1
    double steep = 0.0;  // up to this u values show the errors of u that products leave
    PreparedRows x, y;
  };
  std::vector<Leaf> leaves_;  // in the order in which the tree is walked
  bool same_ = false;         // X and Y are the same rows: prepared once, in y
};

}  // namespace lacuna::compute::cpu
