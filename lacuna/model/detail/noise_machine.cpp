#include "lacuna/model/detail/noise_machine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/model/detail/interval_widths.hpp"
#include "lacuna/model/detail/thirds_by_size.hpp"

namespace lacuna::detail {
namespace {

constexpr Index fewest_rows = 30, most_without_basis = 300, most_rows = 1000;
constexpr const char* basis = "random:100";
constexpr double smoothness = 0.3;       // of the theta that belongs to the scale of the data
constexpr double least_square = 1e-3;    // of the mean: a residual of 0 says no more than a small one
constexpr double standard_errors = 1.5;  // by which the machine must beat one size for all rows

// All rows or, where there are many, a seeded sample, ascending.
std::vector<Index> some_rows(Index l, std::uint64_t seed) {
  std::vector<Index> rows(static_cast<std::size_t>(l));
  std::iota(rows.begin(), rows.end(), Index(0));
  if (l <= most_rows) return rows;
  Random random(seed);
  random.shuffle(rows);
  rows.resize(std::size_t(most_rows));
  std::ranges::sort(rows);
  return rows;
}

Dataset squared_residuals(const Dataset& data, const std::vector<Index>& rows, const Matrix& residual,
                          const Vector& weights) {
  Dataset out = take_rows(data, rows);
  out.task = Task::regression;
  out.targets = residual.cwiseAbs2();
  for (Index c = 0; c < residual.cols(); ++c) {
    const double mean = weights.dot(out.targets.col(c)) / weights.sum();
    out.targets.col(c) = out.targets.col(c).cwiseMax(least_square * mean);
  }
  out.offset = {};
  out.train_weights = out.select_weights = {};
  return out;
}

// Of rows with targets t at log-means z, half the unit deviance of a gamma distribution.
double deviance(double t, double z) { return t * std::exp(-z) + z - std::log(t) - 1.0; }

bool is_better(const Matrix& t, const Matrix& z, const Vector& weights) {
  const double total = weights.sum();
  Vector gain = Vector::Zero(t.rows());
  for (Index c = 0; c < t.cols(); ++c) {
    const double sum = weights.dot(t.col(c));
    for (Index i = 0; i < t.rows(); ++i) {
      const double others = (sum - weights[i] * t(i, c)) / (total - weights[i]);
      gain[i] += deviance(t(i, c), std::log(others)) - deviance(t(i, c), z(i, c));
    }
  }
  const double mean = weights.dot(gain) / total;
  const double variance = weights.dot((gain.array() - mean).square().matrix()) / total;
  return mean > standard_errors * std::sqrt(variance / (rows_counted(weights) - 1.0));
}

}  // namespace

std::optional<LearnedNoise> learn_noise(const Dataset& data, const Matrix& residual, const Vector& weights,
                                        const TrainOptions& options, std::optional<double> seconds) {
  const std::vector<Index> rows = some_rows(residual.rows(), options.select.search_options.seed);
  const auto l = Index(rows.size());
  const Matrix r = residual(rows, Eigen::all);
  const Vector w = weights(rows);
  if (!(w.sum() > 0.0) || rows_counted(w) < double(fewest_rows) ||
      uses_geometry(options.kernel.kernel, kernels::Geometry::given) ||
      !(r.cwiseAbs2().colwise().sum().minCoeff() > 0.0) || (seconds && !(*seconds > 0.0)))
    return {};
  const Dataset squares = squared_residuals(data, rows, r, w);
  // A width that is searched runs off to a polynomial on such noisy targets, which explodes beyond the rows.
  const double theta = smoothness * data_scale(squares.X, squares.weights).theta;
  TrainOptions how{.model = gamma_regression(), .kernel = rbf(theta)};
  if (l > most_without_basis) how.basis = parse_basis(basis);
  how.select.search_options.seed = options.select.search_options.seed;
  how.select.search_options.seconds = seconds;
  how.select.cv.group_column = options.select.cv.group_column;
  how.held_out.intervals = false;
  how.run = options.run;
  Model fitted;
  try {
    fitted = train(squares, how);
  } catch (const Error&) {  // groups too few, no memory, no optimum: one size will do
    return {};
  }
  const Matrix& z = fitted.held_out.output;
  if (z.rows() != l || !z.allFinite()) return {};
  if (!is_better(squares.targets, z, w)) return {};
  LearnedNoise out{{fitted.kernel, fitted.centre, fitted.X, fitted.alpha, fitted.b}, {}};
  const Matrix seen = log_squared_noise(out.machine, data.X, backend_of(options));
  out.machine.least = seen.colwise().minCoeff();
  out.machine.largest = seen.colwise().maxCoeff();
  out.own = (0.5 * seen.array()).exp().matrix();  // rows that are not in the sample were held out as they are
  out.own(rows, Eigen::all) = (0.5 * z.array()).exp().matrix();
  for (Index c = 0; c < z.cols(); ++c) {
    const double mean = weights.dot(out.own.col(c)) / weights.sum();
    out.own.col(c) /= mean;
    for (Vector* of : {&out.machine.b, &out.machine.least, &out.machine.largest}) (*of)[c] -= 2.0 * std::log(mean);
  }
  return out;
}

Matrix follow_noise(Intervals& intervals, const Dataset& data, const Matrix& residual, const Vector& weights,
                    const TrainOptions& options, std::optional<double> seconds) {
  const double new_one = weight_of_what_is_new(weights, data.group);
  set_widths(intervals, residual, weights, new_one);
  if (intervals.half_width.size() == 0 || options.held_out.interval_method == IntervalMethod::constant ||
      !go_on(options.run.observer, {.stage = "noise"}))
    return residual;
  auto noise = learn_noise(data, residual, weights, options, seconds);
  if (!noise) return residual;
  Matrix normalised = residual.cwiseQuotient(noise->own);
  set_widths(intervals, normalised, weights, new_one);
  intervals.thirds = thirds_by_size(intervals, normalised, noise->own, weights, data.group);
  intervals.noise = std::move(noise->machine);
  return normalised;
}

}  // namespace lacuna::detail
