#include "lacuna/model/detail/check_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/machine/penalty.hpp"

namespace lacuna::detail {
namespace {

void check_finite(const RowsView& X) {
  std::vector<double> x(std::size_t(X.cols()));
  for (Index i = 0; i < X.rows(); ++i) {
    dense_row(X, i, x.data());
    for (std::size_t j = 0; j < x.size(); ++j)
      if (!std::isfinite(x[j]))
        fail_data(fmt::format("train: row {}, feature {}: {}; must be a finite number", i + 1, j + 1, x[j]));
  }
}

}  // namespace

void check_memory(Index rows, const TrainOptions& options) {
  const double need = dual_bytes(rows, true);
  const double have = options.memory_bytes.value_or(available_bytes());
  if (need > have)
    fail_data(
        fmt::format("train: {} rows need {:.1f} GB of memory (four {} x {} matrices) and {:.1f} GB {}; train on a "
                    "sample of the rows or raise --memory (machines on a basis, --basis, are not in this version)",
                    rows, need / 1e9, rows, rows, have / 1e9, options.memory_bytes ? "are allowed" : "are free"));
}

void check_data(const Dataset& data, const TrainOptions& options) {
  const Index l = data.size();
  if (l < 3) fail_data(fmt::format("train: {} rows; at least 3 are needed to leave one out", l));
  if (data.X.cols() < 1) fail_data("train: there are no features");
  if (options.lambda && !(*options.lambda > 0.0 && std::isfinite(*options.lambda)))
    fail_usage(fmt::format("train: {} = {}; must be > 0", regulariser_name(options.model.value_or(ls_svm()).penalty),
                           *options.lambda));
  if (!data.label.empty()) {
    if (Index(data.label.size()) != l) fail_data("train: one label is needed for each row");
    for (const int k : data.label)
      if (k < 0 || k >= int(data.classes.size())) fail_data("train: a label is not one of the classes");
    std::vector<bool> seen(data.classes.size());
    for (const int k : data.label) seen[std::size_t(k)] = true;
    if (std::count(seen.begin(), seen.end(), true) < 2) fail_data("train: only one class occurs; two are needed");
  } else if (data.targets.rows() != l || data.targets.cols() < 1 || !data.targets.allFinite()) {
    fail_data("train: one finite target is needed for each row");
  }
  for (const Vector* w : {&data.weights, &data.train_weights, &data.select_weights}) {
    if (w->size() == 0) continue;
    if (w->size() != l || !w->allFinite() || w->minCoeff() < 0.0)
      fail_data("train: weights must be one number >= 0 for each row");
    if (!(w->maxCoeff() > 0.0)) fail_data("train: all weights are zero");
  }
  check_finite(data.X);
  if (uses(options.kernel.kernel, Geometry::given)) {
    if (data.X.is_sparse() || data.X.rows() != data.X.cols())
      fail_data(
          fmt::format("train: a precomputed kernel needs a square matrix; the data are {} x {}", l, data.X.cols()));
    const RowMatrix& K = data.X.dense();
    const double difference = (K - K.transpose()).cwiseAbs().maxCoeff();
    if (difference > 1e-8 * K.cwiseAbs().maxCoeff())
      fail_data(
          fmt::format("train: the precomputed kernel is not symmetric (entries differ by up to {:.3g})", difference));
  }
}

}  // namespace lacuna::detail
