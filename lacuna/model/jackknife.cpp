#include "lacuna/model/jackknife.hpp"

#include <algorithm>

#include "lacuna/base/error.hpp"
#include "lacuna/base/weights.hpp"

namespace lacuna {

LeftOutMachines::LeftOutMachines(const Model& model, const Backend& backend)
    : model_(model), backend_(backend), b_(model.alpha.rows(), model.alpha.cols()) {
  const Index n = model.alpha.rows();
  const Vector& beta = model.process->precision;
  const auto factor =
      backend.gram(model.kernel, model.X, compute::Use::once)->factor(beta, model.lambda, compute::Want::solve);
  if (!factor) fail_numerical("predict: the kernel matrix of the model is not positive definite");
  const Vector xi = factor->solve(Vector::Ones(n));
  const double one_xi = xi.sum();
  Matrix Q = factor->solve(Matrix::Identity(n, n));
  Q.noalias() -= (xi / one_xi) * xi.transpose();
  for (Index c = 0; c < model.alpha.cols(); ++c) {
    Vector e = Vector::Zero(n);  // a row that is not in the machine leaves it as it is
    for (Index i = 0; i < n; ++i)
      if (beta[i] > 0.0) e[i] = model.alpha(i, c) / Q(i, i);
    alpha_.emplace_back(-Q * e.asDiagonal());
    alpha_.back().colwise() += model.alpha.col(c);
    b_.col(c) = model.b[c] - (xi.array() / one_xi) * e.array();
  }
}

Matrix LeftOutMachines::outputs(const RowsView& rows, Index target) const {
  return backend_.expand(model_.kernel, rows, model_.X, alpha_[std::size_t(target)]).rowwise() +
         b_.col(target).transpose();
}

IntervalEnds jackknife_ends(const JackknifePlus& jackknife, Index target, const Vector& left_out, double noise,
                            double value, double level) {
  const Vector& w = jackknife.weights;
  std::vector<std::pair<double, double>> below, above;
  for (Index i = 0; i < w.size(); ++i) {
    if (!(w[i] > 0.0)) continue;
    const double far = jackknife.residual(i, target) * noise;
    below.emplace_back(far - left_out[i], w[i]);
    above.emplace_back(far + left_out[i], w[i]);
  }
  const double rank = level * (w.sum() + weight_of_one_row(w));
  return {std::min(value, -value_at_weight(below, rank)), std::max(value, value_at_weight(above, rank))};
}

}  // namespace lacuna
