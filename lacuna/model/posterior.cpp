#include "lacuna/model/posterior.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/diagonal.hpp"

namespace lacuna {

void GpPosterior::prepare(const Backend& backend, const Kernel& kernel, double lambda, const RowsView& training) const {
  const double need = 8.0 * double(beta_.rows()) * double(beta_.rows()) * double(beta_.cols() + 1);
  if (need > backend.memory())
    fail_data(
        fmt::format("predict: a Gaussian process of {} rows and {} outputs needs {:.1f} GB of memory; {:.1f} GB "
                    "are free",
                    beta_.rows(), beta_.cols(), need / 1e9, backend.memory() / 1e9));
  factors_.clear();  // of an attempt that failed
  training_ = copy_rows(training);
  const auto K = backend.gram(kernel, training_, beta_.cols() > 1 ? Use::repeatedly : Use::once);
  for (Index c = 0; c < beta_.cols(); ++c) {
    factors_.push_back(K->factor(beta_.col(c), lambda, Want::solve));
    if (!factors_.back()) fail_numerical("predict: the kernel matrix of the model is not positive definite");
  }
}

Matrix GpPosterior::variance(const Backend& backend, const Kernel& kernel, double lambda, const RowsView& training,
                             const RowsView& rows) const {
  std::call_once(prepared_, [&] { prepare(backend, kernel, lambda, training); });
  const Vector self = kernel_diagonal(kernel, rows);
  Matrix out(rows.rows(), beta_.cols());
  for (Index c = 0; c < out.cols(); ++c)
    out.col(c) = (self - factors_[std::size_t(c)]->explained(rows)).cwiseMax(0.0) / lambda;
  return out;
}

}  // namespace lacuna
