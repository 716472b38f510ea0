#include "lacuna/compute/mpi/gram.hpp"

namespace lacuna::compute::mpi {

SpreadGram::SpreadGram(const Grid& grid, std::optional<Kernel> kernel, bool user_written, Rows X, Use use, Vector c)
    : grid_(grid), kernel_(std::move(kernel)), by_first_(user_written), X_(std::move(X)), c_(std::move(c)) {
  if (kernel_) {
    tiles_ = std::make_unique<cpu::KernelTiles>(*kernel_, X_, X_);
    parameters_ = tiles_->parameter_count();
  }
  if (by_first_) grid.team().broadcast(&parameters_, sizeof parameters_);
  if (use == Use::repeatedly) K_ = matrix();
}

Spread SpreadGram::kernel_matrix() const {
  Spread R(grid_, size());
  if (!by_first_) {
    R.for_own_lower([&](const Spread::Block& b) { tiles_->evaluate(b.i0, b.ni, b.j0, b.nj, b.at, b.ld); });
    return R;
  }
  R.for_lower([&](const Spread::Block& b) {
    Matrix block(b.ni, b.nj);
    if (tiles_) tiles_->evaluate(b.i0, b.ni, b.j0, b.nj, block.data(), b.ni);
    grid_.team().move(block.data(), block.size(), 0, b.owner);
    if (b.at != nullptr)
      Eigen::Map<Matrix, 0, Eigen::OuterStride<>>(b.at, b.ni, b.nj, Eigen::OuterStride<>(b.ld)) = block;
  });
  return R;
}

Spread SpreadGram::matrix() const {
  if (K_) return *K_;
  Spread R = kernel_matrix();
  if (!squared()) return R;
  R.mirror();
  return weighted_square(grid_, R, c_);
}

Vector SpreadGram::contract(Spread& G) const {
  Vector sum = Vector::Zero(parameters_);
  if (parameters_ == 0) return sum;
  const auto add = [&](const Spread::Block& b) {
    Matrix block(b.ni, b.nj);
    if (b.at != nullptr)
      block = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>(b.at, b.ni, b.nj, Eigen::OuterStride<>(b.ld));
    if (!b.on_diagonal()) block *= 2.0;
    if (by_first_) grid_.team().move(block.data(), block.size(), b.owner, 0);
    if (tiles_) tiles_->contract(b.i0, b.ni, b.j0, b.nj, block.data(), sum.data());
  };
  if (by_first_)
    G.for_lower(add);
  else
    G.for_own_lower(add);
  if (!by_first_) grid_.team().sum_at_first(sum.data(), sum.size());
  return sum;
}

}  // namespace lacuna::compute::mpi
