#include "lacuna/explain/trained_on.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/explain/explain.hpp"

namespace lacuna {
namespace {

// Nine digits of a standardised feature: rows about a centre have lost the last ones.
std::vector<double> rounded_row(const RowsView& rows, Index i) {
  std::vector<double> row(std::size_t(rows.cols()));
  dense_row(rows, i, row.data());
  for (double& x : row) x = std::nearbyint(x * 1e9) + 0.0;
  return row;
}

Matrix ascending(const Matrix& output) {
  std::vector<Index> order(std::size_t(output.rows()));
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::sort(order, {}, [&](Index i) { return output(i, 0); });
  return output(order, Eigen::all);
}

}  // namespace

TrainedOn::TrainedOn(const Model& model) {
  const ExplainRows own = rows_of_model(model);
  Index alike = 0, all = 0;
  if (own.missing.empty()) {
    all = own.X.rows();
    for (Index i = 0; i < all; ++i) alike += !rows_.insert(rounded_row(own.X, i)).second;
  }
  // Outputs of a Gaussian process are moderated there; it keeps all rows.
  const Matrix& fitted = model.held_out.fitted;
  if (fitted.size() > 0 && !model.inference && fitted.allFinite()) {
    said_ = ascending(fitted.topRows(model.held_out.rows()));
    tolerance_ = 1e-8 * (said_(said_.rows() - 1, 0) - said_(0, 0));
    all = said_.rows();
    alike = 0;
    for (Index i = 0; i < all; ++i) {
      const auto like = [&](Index k) {
        return k >= 0 && k < all && (said_.row(i) - said_.row(k)).cwiseAbs().maxCoeff() <= tolerance_;
      };
      alike += like(i - 1) || like(i + 1);
    }
  }
  coincide_ = all > 0 ? double(alike) / double(all) : 0.0;
}

bool TrainedOn::keeps(const RowsView& X, Index i) const {
  return !rows_.empty() && Index(rows_.begin()->size()) == X.cols() && rows_.contains(rounded_row(X, i));
}

bool TrainedOn::has_said(const Eigen::RowVectorXd& output) const {
  if (!(tolerance_ > 0.0) || output.size() != said_.cols()) return false;
  const auto first = said_.col(0);
  Index k = std::lower_bound(first.begin(), first.end(), output[0] - tolerance_) - first.begin();
  for (; k < said_.rows() && said_(k, 0) <= output[0] + tolerance_; ++k)
    if ((said_.row(k) - output).cwiseAbs().maxCoeff() <= tolerance_) return true;
  return false;
}

void TrainedOn::add(const RowsView& X, const Matrix& output) {
  rows_added_ += X.rows();
  for (Index i = 0; i < X.rows(); ++i) seen_ += has_said(output.row(i)) || keeps(X, i);
}

Index TrainedOn::count() const {
  const double rows = double(rows_added_), more = double(seen_) - coincide_ * rows;
  return more >= std::max(5.0, 0.1 * rows) ? seen_ : 0;
}

Index count_trained_on(const Model& model, const RowsView& X) {
  TrainedOn out(model);
  if (X.cols() == input_features(model)) out.add(X, outputs(model, X));
  return out.count();
}

}  // namespace lacuna
