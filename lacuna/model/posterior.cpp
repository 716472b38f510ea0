#include "lacuna/model/posterior.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"

namespace lacuna {

void GpPosterior::prepare(const Kernel& kernel, double lambda, const RowsView& training) const {
  const double need = 8.0 * double(beta_.rows()) * double(beta_.rows()) * double(beta_.cols() + 1);
  if (need > available_bytes())
    fail_data(
        fmt::format("predict: a Gaussian process of {} rows and {} outputs needs {:.1f} GB of memory; {:.1f} GB "
                    "are free",
                    beta_.rows(), beta_.cols(), need / 1e9, available_bytes() / 1e9));
  factors_.clear();  // of an attempt that failed
  training_ = copy_rows(training);
  const auto K = cpu_backend().gram(kernel, training_, beta_.cols() > 1 ? Use::repeatedly : Use::once);
  for (Index c = 0; c < beta_.cols(); ++c) {
    factors_.push_back(K->factor(beta_.col(c), lambda, Want::solve));
    if (!factors_.back()) fail_numerical("predict: the kernel matrix of the model is not positive definite");
  }
}

Matrix GpPosterior::variance(const Kernel& kernel, double lambda, const RowsView& training, const Matrix& cross,
                             const Vector& self) const {
  std::call_once(prepared_, [&] { prepare(kernel, lambda, training); });
  const Matrix k = cross.transpose();
  Matrix out(cross.rows(), beta_.cols());
  for (Index c = 0; c < out.cols(); ++c) {
    const Vector known = k.cwiseProduct(factors_[std::size_t(c)]->solve(k)).colwise().sum().transpose();
    out.col(c) = (self - known).cwiseMax(0.0) / lambda;
  }
  return out;
}

}  // namespace lacuna
