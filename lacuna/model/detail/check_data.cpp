#include "lacuna/model/detail/check_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/side_by_side.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/machine/regulariser.hpp"
#include "lacuna/select/basis_search.hpp"

namespace lacuna::detail {
namespace {

// Squares and products of what is larger or smaller than these are no numbers, or nothing.
constexpr double largest_size = 1e100, smallest_size = 1e-100;

void check_features(const RowsView& X) {
  check_finite(X, "train");
  std::vector<double> x(std::size_t(X.cols()));
  double most = 0.0;
  for (Index i = 0; i < X.rows(); ++i) {
    dense_row(X, i, x.data());
    for (std::size_t j = 0; j < x.size(); ++j) {
      most = std::max(most, std::abs(x[j]));
      if (most > largest_size)
        fail_data(fmt::format("train: row {}, feature {}: {} is too large to be computed with; at most {:.0e} can be",
                              i + 1, j + 1, number_text(x[j]), largest_size));
    }
  }
  if (most > 0.0 && most < smallest_size)
    fail_data(
        fmt::format("train: the features are too small to be computed with: the largest is {}, and some must be {:.0e} "
                    "or more; standardise them, or multiply them by a constant",
                    number_text(most), smallest_size));
}

// Held-out errors are squared, and squares of targets far from 1 in size are infinite or nothing.
void check_targets_in_range(const Dataset& data) {
  const auto row_of = [&](Index i) {
    return data.source_row.empty() ? std::int64_t(i) + 1 : data.source_row[std::size_t(i)];
  };
  for (Index c = 0; c < data.targets.cols(); ++c) {
    const auto t = data.targets.col(c);
    const std::string name = std::size_t(c) < data.target_names.size() ? data.target_names[std::size_t(c)] : "target";
    Index i = 0;
    if (const double most = t.cwiseAbs().maxCoeff(&i); most > largest_size)
      fail_data(
          fmt::format("train: row {}, {}: {} is too large to be computed with, since errors are squared; divide the "
                      "target by a constant so that it is at most {:.0e}",
                      row_of(i), name, number_text(t[i]), largest_size));
    const double spread = t.maxCoeff() - t.minCoeff();
    if (spread > 0.0 && spread < smallest_size)
      fail_data(
          fmt::format("train: {}: its values differ by {} at most, which is too small to be computed with, since "
                      "errors are squared; multiply the target by a constant",
                      name, number_text(spread)));
  }
  for (Index i = 0; i < data.offset.size(); ++i)
    if (!(std::abs(data.offset[i]) <= 700.0))
      fail_data(
          fmt::format("train: row {}: offset {}; e^offset is a factor of the rate, and offsets must lie between -700 "
                      "and 700",
                      row_of(i), number_text(data.offset[i])));
}

}  // namespace

TrainOptions with_machine(TrainOptions options, const Machine& machine) {
  options.model = machine;
  return options;
}

namespace {

// Held-out fits that are followed to their optimum go side by side: numbers for each row (compute/side_by_side.hpp).
double numbers_of_followed(Index rows) { return 10.5 * double(compute::followed_side_by_side(rows)); }
// Beyond so many features of all rows none is followed on a basis (select/core.cpp).
constexpr double most_features_followed = 2e7;

bool follows(const TrainOptions& options) { return options.model && !is_quadratic(options.model->loss); }

}  // namespace

// A machine on n basis rows: matrices of order n (several of each thread's own), some numbers for every row, and the
// fits that a search remembers. Where held-out fits are followed, the features of all rows too, and their transpose.
double primal_bytes(Index rows, Index outputs, Index n, const TrainOptions& options) {
  const double order = double(n) + 1.0, lanes = thread_count(), m = double(outputs), l = double(rows);
  const double searched = double(std::min(rows, options.select.rows));
  const double matrices = (8.0 + 3.0 * lanes) * order * order,
               numbers = 14.0 * l * m + std::min(3e7, 100.0 * searched * m);
  const double followed = follows(options) && l * double(n) <= most_features_followed
                              ? l * (2.0 * double(n) + numbers_of_followed(rows))
                              : 0.0;
  return 8.0 * (matrices + numbers + followed);
}

double allowed_bytes(const TrainOptions& options) {
  return options.run.memory_bytes.value_or(backend_of(options).memory());
}

// As the machine will be solved, whatever criterion it is chosen by.
bool in_columns(Index rows, Index features, const TrainOptions& options) {
  const bool evidence = options.select.criterion == Criterion::evidence || (options.model && options.model->inference);
  return !options.basis && !evidence &&
         solved_in_columns(options.kernel.kernel, options.model.value_or(ls_svm()).penalty, rows, features);
}

double all_rows_bytes(Index rows, Index features, Index outputs, const TrainOptions& options) {
  if (in_columns(rows, features, options)) return primal_bytes(rows, outputs, features, options);
  if (!follows(options)) return dual_bytes(rows, true);
  // One more, and a part of another: the factor that held-out fits are followed by is not the fit's own.
  return 1.3125 * dual_bytes(rows, true) + 8.0 * 2.7 * numbers_of_followed(rows) * double(rows);
}

namespace {

Index basis_rows(Index rows, const BasisRequest& basis) {
  return basis.rows.rows() > 0 ? basis.rows.rows() : basis.size.value_or(std::min<Index>(rows, 100));
}

std::string allowance(const TrainOptions& options) {
  return fmt::format("{:.3g} GB {}", allowed_bytes(options) / 1e9,
                     options.run.memory_bytes ? "are allowed" : "are free");
}

// The first of these sizes that fits, as advice that works.
std::string advice_on_size(Index rows, Index outputs, const TrainOptions& options, Index most) {
  if (uses_geometry(options.kernel.kernel, kernels::Geometry::given) || options.select.criterion == Criterion::evidence)
    return "raise `memory`";  // there is no such machine on a basis
  const Machine machine = options.model.value_or(ls_svm());
  const char* with = machine.inference                  ? "with `model=klr` or kpr "
                     : machine.penalty != Penalty::norm ? "with `model=ls-svm` or klr "
                                                        : "";
  const auto need = [&](Index n) { return primal_bytes(rows, outputs, n, options); };
  const bool grows = first_basis_size <= most && need(first_basis_size) <= allowed_bytes(options);
  for (const Index n : {500, 200, 100, 50, 20})
    if (n <= most && need(n) <= allowed_bytes(options))
      return fmt::format("{}`basis={}`{} fits into that", with, n, grows ? ", or `basis=auto`," : "");
  const Index least = std::min<Index>(20, most);
  return fmt::format("a basis of {} rows still needs about {:.3g} GB: raise `memory`", least, need(least) / 1e9);
}

}  // namespace

Index largest_basis(Index rows, Index outputs, const TrainOptions& options) {
  Index n = std::min(rows, options.basis && options.basis->most ? *options.basis->most : Index(3200));
  while (n > first_basis_size && growing_bytes(rows, outputs, n, options) > allowed_bytes(options)) n /= 2;
  return n;
}

double growing_bytes(Index rows, Index outputs, Index n, const TrainOptions& options) {
  double most = primal_bytes(rows, outputs, n, options);
  for (Index k = first_basis_size; k < n; k *= 2) most = std::max(most, primal_bytes(rows, outputs, k, options));
  return most;
}

// Of each repetition, who is in which fold and what was said about every row.
void check_repeats(Index rows, Index outputs, const TrainOptions& options) {
  const double need = 8.0 * double(options.select.cv.repeats) * double(rows) * (2.0 + double(outputs));
  if (options.select.cv.repeats > 1 && need > allowed_bytes(options))
    fail_data(
        fmt::format("train: {} repetitions of {} folds of {} rows need {:.3g} GB of memory and {}; repeat less often",
                    options.select.cv.repeats, options.select.cv.folds, rows, need / 1e9, allowance(options)));
}

void check_memory(Index rows, Index features, Index outputs, const TrainOptions& options) {
  check_repeats(rows, outputs, options);
  if (!on_basis(options)) {
    const double need = all_rows_bytes(rows, features, outputs, options);
    if (need > allowed_bytes(options))
      fail_data(
          fmt::format("train: {} rows need {:.3g} GB of memory{} and {}; {}", rows, need / 1e9,
                      in_columns(rows, features, options)
                          ? ""
                          : fmt::format(" ({} {} x {} matrices)", follows(options) ? "above five" : "four", rows, rows),
                      allowance(options), advice_on_size(rows, outputs, options, rows)));
    return;
  }
  const BasisRequest& basis = *options.basis;
  const Index n = basis_rows(rows, basis);
  if (const double need = primal_bytes(rows, outputs, n, options); need > allowed_bytes(options))
    fail_data(fmt::format("train: {} rows on a basis of {} need about {:.3g} GB of memory and {}; {}", rows, n,
                          need / 1e9, allowance(options), advice_on_size(rows, outputs, options, n - 1)));
  const double searched = double(std::min(rows, options.select.rows)), table = 8.0 * searched * searched;
  if (basis.method == BasisMethod::greedy && table > allowed_bytes(options))
    fail_data(
        fmt::format("train: a greedy choice among {} rows needs {:.1f} GB of memory and {}; `basis=stochastic:{}` "
                    "needs next to none",
                    searched, table / 1e9, allowance(options), n));
}

void check_basis(Index rows, Index features, bool sparse, const Machine& machine, const TrainOptions& options) {
  if (!on_basis(options)) return;
  const BasisRequest& basis = *options.basis;
  if (uses_geometry(options.kernel.kernel, kernels::Geometry::given))
    fail_usage("train: a precomputed kernel has no rows to choose a basis from; leave out `basis`");
  if (machine.penalty == Penalty::coefficients)
    fail_usage(
        fmt::format("train: model {} has no machine on a basis, since its penalty is on the coefficients of all rows; "
                    "`model=ls-svm` or klr have one",
                    machine.name));
  if (basis.rows.rows() > 0) {
    if (basis.rows.cols() != features || basis.rows.is_sparse() != sparse)
      fail_data(fmt::format("train: the basis rows have {} features; the data have {}", basis.rows.cols(), features));
    check_features(basis.rows);
  } else if (basis.size && *basis.size > rows) {
    fail_usage(fmt::format("train: a basis of {} rows cannot be chosen from {}; at most {}", *basis.size, rows, rows));
  }
}

void check_data(const Dataset& data, const RowSource& X, Index features, const TrainOptions& options) {
  const Index l = X.rows();
  if (l < 3) fail_data(fmt::format("train: {} rows; at least 3 are needed to leave one out", l));
  if (features < 1) fail_data("train: there are no features");
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
  } else {
    check_targets_in_range(data);
  }
  if (!data.group.empty() && (Index(data.group.size()) != l || *std::ranges::min_element(data.group) < 0))
    fail_data("train: groups must be one number >= 0 for each row");
  for (const Vector* w : {&data.weights, &data.train_weights, &data.select_weights}) {
    if (w->size() == 0) continue;
    if (w->size() != l || !w->allFinite() || w->minCoeff() < 0.0)
      fail_data("train: weights must be one number >= 0 for each row");
    if (!(w->maxCoeff() > 0.0)) fail_data("train: all weights are zero");
  }
  if (X.in_memory()) check_features(X.view());
  if (uses_geometry(options.kernel.kernel, kernels::Geometry::given)) {
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

namespace lacuna {

double train_bytes(Index rows, Index outputs, const TrainOptions& options) {
  if (!on_basis(options)) return dual_bytes(rows, true);
  return detail::primal_bytes(rows, outputs, detail::basis_rows(rows, *options.basis), options);
}

}  // namespace lacuna
