#include "lacuna/basis/detail/projection.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/basis/detail/pool.hpp"

namespace lacuna::detail {

Projection::Projection(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                       std::vector<Index> judged, Index size)
    : backend_(backend), kernel_(kernel), X_(X), judged_(std::move(judged)), judged_rows_(take_rows(X, judged_)) {
  const Index l = Index(judged_.size());
  left_ = backend.gram(kernel, judged_rows_, Use::once)->diagonal();
  weight_ = Vector::Zero(l);
  for (Index j = 0; j < l; ++j) {
    if (!(left_[j] > 0.0)) continue;  // a zero row is expressed by nothing at all
    const double w = weights.size() > 0 ? weights[judged_[std::size_t(j)]] : 1.0;
    weight_[j] = w / left_[j];
    total_ += w;
  }
  L_.resize(size, size);
  Phi_.resize(l, size);
}

Projection::Candidates Projection::look(std::vector<Index> rows) const {
  const Index n = Index(chosen_.size());
  Candidates c;
  c.rows = std::move(rows);
  const Rows candidates = take_rows(X_, c.rows);
  c.norm = backend_.gram(kernel_, candidates, Use::once)->diagonal();
  c.rho = backend_.cross(kernel_, judged_rows_, candidates);
  c.own = c.norm;
  if (n > 0) {
    c.phi = backend_.cross(kernel_, take_rows(X_, chosen_), candidates);
    L_.topLeftCorner(n, n).triangularView<Eigen::Lower>().solveInPlace(c.phi);
    if (c.phi.cols() == 1)
      c.rho.noalias() -= Phi_.leftCols(n) * c.phi.col(0);
    else
      c.rho -= backend_.multiply(Phi_.leftCols(n), c.phi);
    c.own -= c.phi.colwise().squaredNorm().transpose();
  }
  c.gain = (weight_.transpose() * c.rho.cwiseAbs2()).transpose().cwiseQuotient(c.own);
  return c;
}

void Projection::add(const Candidates& c, Index which) {
  const Index n = Index(chosen_.size());
  const double root = std::sqrt(c.own[which]);
  if (n > 0) L_.row(n).head(n) = c.phi.col(which).transpose();
  L_(n, n) = root;
  Phi_.col(n) = c.rho.col(which) / root;
  left_ = (left_ - Phi_.col(n).cwiseAbs2()).cwiseMax(0.0);
  chosen_.push_back(c.rows[std::size_t(which)]);
}

double Projection::mean() const { return total_ > 0.0 ? weight_.dot(left_) / total_ : 0.0; }

bool goes_on(const BasisOptions& options, const Observer& observer, BasisChoice& choice) {
  if (choice.residual.back() <= options.residual)
    choice.end = BasisEnd::residual;
  else if (Index(choice.rows.size()) == options.size)
    choice.end = BasisEnd::size;
  else if (!go_on(observer, {.stage = "basis", .done = long(choice.rows.size()), .total = long(options.size)}))
    choice.end = BasisEnd::interrupted;
  else
    return true;
  return false;
}

bool Projection::grow(const Candidates& c, Index which, const BasisOptions& options, const Observer& observer,
                      BasisChoice& choice) {
  add(c, which);
  choice.rows.push_back(chosen_.back());
  choice.residual.push_back(mean());
  return goes_on(options, observer, choice);
}

BasisChoice in_order(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                     const std::vector<Index>& order, const BasisOptions& options, const Observer& observer) {
  Random random(options.seed + 1);
  Projection projection(backend, kernel, X, weights, sample(pool(X.rows(), weights), options.judged, random),
                        std::min(options.size, Index(order.size())));
  BasisChoice choice;
  for (const Index row : order) {
    const Projection::Candidates one = projection.look({row});
    if (!(one.own[0] > options.singular * one.norm[0])) continue;
    if (!projection.grow(one, 0, options, observer, choice)) return choice;
  }
  choice.end = BasisEnd::singular;
  return choice;
}

}  // namespace lacuna::detail
