// compute/cpu/cpu.cpp (of compute.hpp) -- the door of compute.hpp on BLAS and LAPACK: tiles make the Gram matrix
// (gram.hpp), triangular.hpp does the cubic work (factor.hpp). Blocks are shared out among threads (parallel.hpp), one
// BLAS thread each.
#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/cpu/features.hpp"
#include "lacuna/compute/cpu/gram.hpp"

namespace lacuna {
namespace {

class CpuBackend final : public compute::host::HostBackend {
 public:
  CpuBackend() : HostBackend("cpu") {}
  std::unique_ptr<compute::Workspace> workspace() const override { return compute::cpu::keep_buffers(); }
  std::shared_ptr<const compute::Gram> gram(const Kernel& kernel, const RowsView& X, compute::Use use,
                                            const Vector& c) const override {
    return std::make_shared<compute::cpu::CpuGram>(kernel, X, c, use);
  }
  std::shared_ptr<const compute::Features> features(const Kernel& kernel, const RowsView& basis,
                                                    Index rows) const override {
    return std::make_shared<compute::cpu::CpuFeatures>(*this, kernel, basis, rows);
  }
  Vector squared_slopes(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A,
                        const Vector& weights) const override {
    return compute::cpu::squared_slopes(kernel, X, Y, A, weights);
  }
  Matrix kernel_matrix(const Kernel& kernel, const RowsView& X, const RowsView& Y) const override {
    return compute::cpu::kernel_matrix(kernel, X, Y);
  }
  Matrix multiply(const Matrix& A, const Matrix& B) const override { return compute::cpu::multiply(A, B); }
  void add_square(const Matrix& V, const Vector& w, Matrix& S) const override { compute::cpu::add_square(V, w, S); }
};

}  // namespace

const Backend& cpu_backend() {
  static const CpuBackend backend;
  return backend;
}

}  // namespace lacuna
