#include "lacuna/explain/outside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/explain/importance.hpp"

namespace lacuna {
namespace {

constexpr Index fewest = 10, most_asked = 2000;
constexpr double share_inside = 0.99;

// Squared distances below this share of the squares they are differences of are rounding.
constexpr double rounding = 1e-13;

// The distance of a row from the nearest of `rows`, or from the nearest that is another one.
double nearest(const RowMatrix& rows, const Vector& squares, const Eigen::RowVectorXd& x, bool another) {
  const double own = x.squaredNorm();
  const Vector distance = (squares - 2.0 * (rows * x.transpose())).array() + own;
  double least = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < distance.size(); ++j) {
    const bool same = distance[j] <= rounding * (own + squares[j]);
    if (same && !another) return 0.0;
    if (!same) least = std::min(least, distance[j]);
  }
  return std::sqrt(least);
}

}  // namespace

Outside::Outside(const Model& model) {
  const ExplainRows own = rows_of_model(model);
  const auto refuse = [](const std::string& why) { fail_usage(fmt::format("outside: {}", why)); };
  if (!own.missing.empty()) refuse(own.missing + "; there is nothing to compare rows with");
  if (own.X.is_sparse()) refuse("the model's rows are sparse, and distances between them say little");
  if (own.X.rows() < fewest)
    refuse(fmt::format("the model keeps {} rows; {} are needed to say how far apart they are", own.X.rows(), fewest));
  kept_ = own.X.dense();
  squares_ = kept_.rowwise().squaredNorm();
  const std::vector<Index> asked = sample_rows(std::vector<bool>(std::size_t(kept_.rows()), true), most_asked, 0);
  std::vector<std::pair<double, double>> distance_weight;
  for (const Index i : asked)
    distance_weight.emplace_back(nearest(kept_, squares_, kept_.row(i), true),
                                 own.weight.size() > 0 ? own.weight[i] : 1.0);
  double all = 0.0;
  for (const auto& [distance, weight] : distance_weight) all += weight;
  limit_ = value_at_weight(distance_weight, share_inside * all);
  if (!std::isfinite(limit_)) refuse("all rows of the model are the same");
}

Vector Outside::ratio(const RowsView& X) const {
  Vector out(X.rows());
  std::vector<double> row(std::size_t(X.cols()));
  for (Index i = 0; i < X.rows(); ++i) {
    dense_row(X, i, row.data());
    out[i] =
        nearest(kept_, squares_, Eigen::Map<const Eigen::RowVectorXd>(row.data(), Index(row.size())), false) / limit_;
  }
  return out;
}

}  // namespace lacuna
