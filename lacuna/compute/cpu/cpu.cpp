// compute/cpu/cpu.cpp -- the door of compute.hpp on BLAS and LAPACK: tiles make the Gram matrix (gram.hpp),
// triangular.hpp does the cubic work (factor.hpp). Blocks are shared out among threads (parallel.hpp), one BLAS
// thread each.
#include <algorithm>

#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/features.hpp"
#include "lacuna/compute/cpu/gram.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna {
namespace {

using cpu::CpuGram;
using cpu::KernelTiles;
using cpu::kTile;

RowMatrix dense_copy(const RowsView& X) {
  RowMatrix out(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i) dense_row(X, i, out.row(i).data());
  return out;
}

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::unique_ptr<Workspace> workspace() const override { return cpu::keep_buffers(); }
  std::shared_ptr<const Gram> gram(const Kernel& kernel, const RowsView& X, Use use) const override {
    return std::make_shared<CpuGram>(kernel, X, use);
  }
  std::shared_ptr<const Gram> squared_gram(const Kernel& kernel, const RowsView& X, const Vector& c,
                                           Use use) const override {
    return std::make_shared<CpuGram>(kernel, X, c, use);
  }
  std::shared_ptr<const Gram> gram(Matrix K) const override { return std::make_shared<CpuGram>(std::move(K)); }
  Matrix cross(const Kernel& kernel, const RowsView& X, const RowsView& Y) const override {
    if (X.is_sparse() != Y.is_sparse())  // tiles want rows of one kind
      return X.is_sparse() ? cross(kernel, dense_copy(X), Y) : cross(kernel, X, dense_copy(Y));
    const KernelTiles tiles(kernel, X, Y);
    Matrix K(X.rows(), Y.rows());
    const Index columns = (K.cols() + kTile - 1) / kTile, rows = (K.rows() + kTile - 1) / kTile;
    parallel_for(columns * rows, [&](Index k) {
      const Index i0 = k % rows * kTile, j0 = k / rows * kTile;
      tiles.evaluate(i0, std::min(kTile, K.rows() - i0), j0, std::min(kTile, K.cols() - j0), &K(i0, j0), K.rows());
    });
    return K;
  }
  std::shared_ptr<const Features> features(const Kernel& kernel, const RowsView& basis, Index rows) const override {
    return std::make_shared<cpu::CpuFeatures>(kernel, basis, rows);
  }
  Matrix multiply(const Matrix& A, const Matrix& B) const override { return cpu::multiply(A, B); }
  void add_square(const Matrix& V, const Vector& w, Matrix& S) const override { cpu::add_square(V, w, S); }
};

}  // namespace

const Backend& cpu_backend() {
  static const CpuBackend backend;
  return backend;
}

}  // namespace lacuna
