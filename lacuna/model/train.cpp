#include "lacuna/model/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/data/duplicates.hpp"
#include "lacuna/machine/ls_svm.hpp"
#include "lacuna/model/assess.hpp"
#include "lacuna/select/select.hpp"

namespace lacuna {
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
    fail_usage(fmt::format("train: lambda = {}; must be > 0", *options.lambda));
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

// The weights of one purpose: 1, balanced over the classes or a column of their own, each times the common column.
Vector weights_for(Weighting weighting, const Vector& column, const Dataset& data, std::string_view purpose) {
  const Vector common = data.weights.size() > 0 ? data.weights : Vector(Vector::Ones(data.size()));
  switch (weighting) {
    case Weighting::none:
      return common;
    case Weighting::balanced:
      if (data.label.empty()) fail_usage(fmt::format("train: balanced {} weights need classes", purpose));
      return balanced_weights(data.label, int(data.classes.size()), common);
    case Weighting::column:
      if (column.size() == 0) fail_usage(fmt::format("train: {} weights were asked for but not given", purpose));
      return common.cwiseProduct(column);
  }
  return common;
}

std::vector<Folds> partitions(const CrossValidation& cv, const Dataset& data, std::uint64_t seed) {
  const Index l = data.size();
  if (cv.kind == CrossValidation::Kind::loo) return {Folds{}};
  if (cv.kind == CrossValidation::Kind::groups) {
    if (data.group.empty()) fail_usage("train: cross-validation by group needs a group for each row");
    return {group_folds(data.group)};
  }
  if (cv.folds < 2 || cv.folds > l)
    fail_usage(fmt::format("train: {} folds of {} rows; between 2 and {} are possible", cv.folds, l, l));
  std::vector<Folds> out;
  for (int r = 0; r < cv.repeats; ++r) out.push_back(k_folds(l, cv.folds, data.label, seed + std::uint64_t(r)));
  return out;
}

// A fold that takes away every row in training leaves no machine.
void check_folds(const std::vector<Folds>& list, const Vector& beta) {
  const auto in_system = (beta.array() > 0.0).count();
  if (in_system < 2) fail_data("train: fewer than two rows have a training weight");
  for (const Folds& folds : list)
    for (const auto& fold : folds)
      if (std::count_if(fold.begin(), fold.end(), [&](Index i) { return beta[i] > 0.0; }) == in_system)
        fail_data("train: one fold (or group) holds every row in training; nothing would be left to learn from");
}

// Below this size threads spend their time waiting for one another: on a busy machine that is ruinous, and on a quiet one
// there is nothing to gain.
int useful_threads(Index rows) { return rows < 800 ? 1 : 0; }

Problem make_problem(const Dataset& data, const TrainOptions& options) {
  Problem p;
  if (options.backend != nullptr) p.backend = options.backend;
  p.X = data.X;
  p.scale_weights = data.weights;
  p.eta = ls_svm_targets(data);
  p.beta = weights_for(options.train_weights, data.train_weights, data, "training");
  p.truth = {p.eta, data.label, int(data.classes.size()),
             weights_for(options.select_weights, data.select_weights, data, "selection")};
  p.criterion = options.criterion.value_or(Criterion::press);
  if (needs_classes(p.criterion) && data.label.empty())
    fail_usage(fmt::format("train: criterion {} needs classes; for values use press", name(p.criterion)));
  p.criterion_options = options.criterion_options;
  p.by_refit = options.cv.by_refit;
  p.partitions = partitions(options.cv, data, options.search_options.seed);
  check_folds(p.partitions, p.beta);
  return p;
}

[[noreturn]] void fail_not_usable(const Problem& problem, const Kernel& kernel) {
  const Vector omega = problem.backend->gram(kernel, problem.X)->spectrum(Vector::Ones(problem.X.rows())).omega;
  if (omega[0] < -1e-10 * std::abs(omega[omega.size() - 1]))
    fail_numerical(
        fmt::format("train: the kernel matrix is not positive definite: its least eigenvalue is {:.3g}, its "
                    "largest {:.3g}; a lambda well above {:.3g} would make it so",
                    omega[0], omega[omega.size() - 1], -omega[0]));
  fail_numerical(
      "train: no setting of the hyper-parameters gave finite held-out outputs; look for extreme values in the "
      "data, or standardise it");
}

FitReport::Search search_report(const Selection& s) {
  FitReport::Search r;
  r.method = name(s.method);
  r.evaluations = s.search.evaluations;
  r.gradients = s.search.gradients;
  r.factorisations = s.factorisations;
  r.seconds = s.seconds;
  r.stop = s.search.stop;
  r.parameters = s.names;
  for (std::size_t k = 0; k < s.optima.size(); ++k) r.optima.push_back({s.optima[k], s.search.optima[k].value});
  return r;
}

// Rows whose coefficients are all zero say nothing; a precomputed kernel counts columns, so there every row stays.
void keep_expansion(Model& model, const Dataset& data, const DualFit& fit) {
  model.b = fit.b;
  if (uses(model.kernel, Geometry::given)) {
    const bool alone = std::holds_alternative<Precomputed>(model.kernel.form);
    model.X = alone ? Rows(RowMatrix(0, data.X.cols())) : data.X;
    model.alpha = fit.alpha;
    return;
  }
  std::vector<Index> rows;
  for (Index i = 0; i < fit.alpha.rows(); ++i)
    if ((fit.alpha.row(i).array() != 0.0).any()) rows.push_back(i);
  model.X = take_rows(data.X, rows);
  model.alpha.resize(Index(rows.size()), fit.alpha.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) model.alpha.row(Index(k)) = fit.alpha.row(rows[k]);
}

void keep_held_out(Model& model, const Dataset& data, const Problem& problem, const DualFit& fit,
                   const std::vector<Matrix>& z) {
  HeldOutRows& h = model.held_out;
  h.row = data.source_row;
  if (h.row.empty())
    for (Index i = 0; i < data.size(); ++i) h.row.push_back(i + 1);
  h.output = Matrix::Zero(z[0].rows(), z[0].cols());
  for (const Matrix& one : z) h.output += one / double(z.size());
  h.target = data.targets;
  h.label = data.label;
  h.leverage = problem.by_refit ? Vector(Vector::Constant(data.size(), std::nan(""))) : leverage(fit, Q_diagonal(fit));
  h.trust = Vector::Constant(data.size(), std::nan(""));
}

}  // namespace

Model train(const Dataset& data, const TrainOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  if (!machine_exists(options.model.name))
    fail_usage(fmt::format("train: model '{}' is not in this version", options.model.name));
  check_memory(data.size(), options);
  check_data(data, options);
  const ThreadScope threads(options.threads > 0 ? options.threads : useful_threads(data.size()));
  const Problem problem = make_problem(data, options);

  Model model;
  model.task = data.task;
  model.classes = data.classes;
  model.target_names = data.target_names;
  FitReport& report = model.report;
  report.model = options.model.name;
  report.rows = data.size();
  report.features = data.X.cols();
  report.criterion = name(problem.criterion);
  report.cv = text(options.cv);
  report.warnings = data.notes;
  if (const Index twins = count_duplicate_rows(data.X);
      twins > 0 && options.cv.kind != CrossValidation::Kind::groups && !uses(options.kernel.kernel, Geometry::given))
    report.warnings.push_back(
        fmt::format("{} of {} rows repeat an earlier row: a row held out still sees its twins, so the "
                    "estimates are hopeful; where they belong together use --cv group:COL",
                    twins, data.size()));

  const Selection chosen =
      select(problem, bind(options.kernel, data.X.cols()), options.lambda,
             {options.search, options.search_options, options.max_evaluations, options.penalty}, options.observer);
  report.search = search_report(chosen);
  const bool searched = chosen.method != SearchMethod::none;
  if (searched && !chosen.search.usable() && chosen.search.stop != Stop::interrupted)
    fail_not_usable(problem, bind(options.kernel, data.X.cols()).kernel);
  if (!std::isfinite(chosen.criterion)) {
    if (chosen.search.stop == Stop::interrupted) return model;
    fail_not_usable(problem, chosen.kernel);
  }
  model.kernel = chosen.kernel;
  model.lambda = chosen.lambda;
  report.criterion_value = chosen.criterion;
  report.optimistic = searched;
  report.warnings.insert(report.warnings.end(), chosen.warnings.begin(), chosen.warnings.end());
  if (chosen.search.stop == Stop::interrupted) return model;

  const auto K = problem.backend->gram(model.kernel, problem.X);
  const DualFit fit = solve_dual(*K, problem.beta, problem.eta, model.lambda, Want::inverse);
  if (!fit.usable()) fail_not_usable(problem, model.kernel);
  std::vector<Matrix> z;
  for (const Folds& folds : problem.partitions) {
    z.push_back(held_out_outputs(problem, *K, fit, folds, options.observer));
    if (z.back().size() > 0) continue;
    report.search.stop = Stop::interrupted;
    return model;
  }
  report.held_out = assess(problem, *K, fit, z);
  keep_expansion(model, data, fit);
  if (options.keep_held_out) keep_held_out(model, data, problem, fit, z);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return model;
}

Model train(const RowsView& X, const std::vector<double>& t, const TrainOptions& options) {
  return train(make_dataset(X, t), options);
}
Model train(const RowsView& X, const std::vector<std::string>& labels, const TrainOptions& options) {
  return train(make_dataset(X, labels), options);
}
Model train(const RowsView& X, const Vector& t, const TrainOptions& options) {
  return train(X, std::vector<double>(t.begin(), t.end()), options);
}

}  // namespace lacuna
