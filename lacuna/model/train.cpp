#include "lacuna/model/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/data/duplicates.hpp"
#include "lacuna/machine/penalty.hpp"
#include "lacuna/model/assess.hpp"
#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/model/detail/final_fit.hpp"
#include "lacuna/model/machine.hpp"
#include "lacuna/select/select.hpp"

namespace lacuna {
namespace {

using detail::FinalFit;

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

Problem make_problem(const Dataset& data, const Machine& machine, const TrainOptions& options) {
  Problem p;
  if (options.backend != nullptr) p.backend = options.backend;
  p.X = data.X;
  p.scale_weights = data.weights;
  p.learn = {.loss = machine.loss,
             .zeta = weights_for(options.train_weights, data.train_weights, data, "training"),
             .offset = data.offset,
             .penalty = machine.penalty};
  p.learn.t = machine_targets(machine, data, p.learn.zeta);
  p.truth = {machine_targets(ls_svm(), data),
             data.label,
             int(data.classes.size()),
             weights_for(options.select_weights, data.select_weights, data, "selection"),
             machine.loss,
             p.learn.t,
             data.offset};
  if (machine.penalty == Penalty::coefficients) p.truth.scale = p.learn.t.cwiseAbs();
  p.criterion = options.criterion.value_or(default_criterion(machine));
  if (needs_classes(p.criterion) && data.label.empty())
    fail_usage(fmt::format("train: criterion {} needs classes; for values use {}", name(p.criterion),
                           name(default_criterion(machine))));
  check_criterion(machine, p.criterion);
  p.criterion_options = options.criterion_options;
  p.by_refit = options.cv.by_refit;
  // One Newton step is too timid for rates of rare events: a claim that is left out would go on predicting itself, and the
  // search would run into that. A search with gradients, when asked for, has to live with it.
  const bool with_gradient = options.search == SearchMethod::lbfgs || options.search == SearchMethod::scg;
  p.line_search =
      gives_rates(machine.loss) && options.cv.kind == CrossValidation::Kind::loo && !p.by_refit && !with_gradient;
  p.partitions = partitions(options.cv, data, options.search_options.seed);
  check_folds(p.partitions, p.learn.zeta);
  return p;
}

// The robust deviation of held-out residuals of a least-squares machine: the scale at which residuals begin to look large.
double robust_deviation(const Dataset& data, TrainOptions options) {
  options.model = ls_svm();
  options.criterion = {};
  options.refit_flagged = options.recalibrate = false;
  options.verify = 0;
  options.keep_held_out = true;
  const Model first = train(data, options);
  const Matrix& z = first.held_out.output;
  if (z.size() == 0) return 0.0;  // interrupted
  std::vector<double> r;
  for (Index c = 0; c < z.cols(); ++c)
    for (Index i = 0; i < z.rows(); ++i) r.push_back(std::abs(data.targets(i, c) - z(i, c)));
  const auto middle = r.begin() + std::ptrdiff_t(r.size() / 2);
  std::nth_element(r.begin(), middle, r.end());
  return 1.4826 * *middle;
}

Machine resolve_machine(const Dataset& data, const TrainOptions& options) {
  Machine machine = options.model.value_or(automatic_machine(data.task));
  check_targets(machine, data);
  if (auto* huber = std::get_if<PseudoHuber>(&machine.loss); huber != nullptr && !(huber->delta > 0.0)) {
    const double spread = (data.targets.colwise().maxCoeff() - data.targets.colwise().minCoeff()).maxCoeff();
    huber->delta = std::max(1.345 * robust_deviation(data, options), 1e-6 * spread);
  }
  return machine;
}

// Options that belong to two classes, to leave-one-out, or to one of the machines.
void check_options(const Dataset& data, const Machine& machine, const TrainOptions& options) {
  const bool classes = !data.label.empty();
  if (options.threshold && data.classes.size() != 2)
    fail_usage(fmt::format("train: a threshold needs two classes; there {}",
                           classes ? fmt::format("are {}", data.classes.size()) : "are none"));
  if (options.recalibrate && !classes)
    fail_usage("train: recalibration is for probabilities of classes; there are none");
  if (options.verify > 0 && options.cv.by_refit)
    fail_usage("train: explicit held-out outputs are refits already; there is nothing to verify");
  if (options.refit_flagged && (options.cv.kind != CrossValidation::Kind::loo || options.cv.by_refit))
    fail_usage("train: flagged rows are refitted for leave-one-out only; with folds use explicit:K, which refits all");
  if (options.refit_flagged && std::holds_alternative<Squared>(machine.loss))
    fail_usage(fmt::format("train: the held-out outputs of {} are exact; there is nothing to refit", machine.name));
}

[[noreturn]] void fail_not_usable(const Problem& problem, const Kernel& kernel) {
  const Vector omega =
      dual_gram(*problem.backend, kernel, problem.X, problem.learn)->spectrum(Vector::Ones(problem.X.rows())).omega;
  if (omega[0] < -1e-10 * std::abs(omega[omega.size() - 1]))
    fail_numerical(
        fmt::format("train: the kernel matrix is not positive definite: its least eigenvalue is {:.3g}, its "
                    "largest {:.3g}; a lambda well above {:.3g} would make it so",
                    omega[0], omega[omega.size() - 1], -omega[0]));
  if (problem.by_refit && !std::holds_alternative<Squared>(problem.learn.loss))
    fail_numerical(
        "train: a refit had no optimum: without some row or fold one class is gone, or every count is 0, or the fit "
        "did not "
        "converge; the closed form (--cv without explicit:) judges such rows too");
  fail_numerical(
      "train: no setting of the hyper-parameters gave finite held-out outputs; look for extreme values in the "
      "data, standardise it, or give a larger lambda");
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

Matrix mean_of(const std::vector<Matrix>& z) {
  Matrix sum = z[0];
  for (std::size_t r = 1; r < z.size(); ++r) sum += z[r];
  return sum / double(z.size());
}

// Rows whose coefficients are all zero say nothing; a precomputed kernel counts columns, so there every row stays.
void keep_expansion(Model& model, const Dataset& data, const FinalFit& fit) {
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

void keep_held_out(Model& model, const Dataset& data, const Problem& problem, const FinalFit& fit) {
  HeldOutRows& h = model.held_out;
  h.row = data.source_row;
  if (h.row.empty())
    for (Index i = 0; i < data.size(); ++i) h.row.push_back(i + 1);
  h.output = mean_of(fit.z);
  h.fitted = fit.fitted;
  h.offset = data.offset;
  h.target = problem.truth.scale.size() > 0 ? problem.learn.t : data.targets;
  h.label = data.label;
  h.leverage = fit.leverage;
  h.trust = Vector::Constant(data.size(), std::nan(""));
  if (fit.step.size() > 0) h.trust = 1.0 / (1.0 + fit.step.cwiseAbs().rowwise().maxCoeff().array());
}

// Requires the model's held-out rows.
FitReport::Verification verification(const Model& model, const FinalFit& fit) {
  FitReport::Verification v{.rows = Index(fit.verified.size())};
  Model refitted = model;
  for (Index k = 0; k < v.rows; ++k) refitted.held_out.output.row(fit.verified[std::size_t(k)]) = fit.by_refit.row(k);
  const Vector loss = held_out_loss(model), loss_refitted = held_out_loss(refitted);
  for (Index k = 0; k < v.rows; ++k) {
    const Index i = fit.verified[std::size_t(k)];
    const double off = (fit.by_refit.row(k) - fit.z[0].row(i)).cwiseAbs().maxCoeff();
    if (k == 0 || off > v.largest) v.largest = off, v.row = model.held_out.row[std::size_t(i)];
    v.mean_loss += loss[i] / double(v.rows);
    v.mean_loss_refitted += loss_refitted[i] / double(v.rows);
  }
  return v;
}

// Probabilities and the decision, from what the held-out outputs say.
void decide(Model& model, const Problem& problem, const FinalFit& fit, const TrainOptions& options) {
  const Truth& truth = problem.truth;
  const Matrix z = mean_of(fit.z);
  if (options.recalibrate) {
    model.calibration = calibrate(model.loss, z, truth.label, truth.weights);
    if (!model.calibration.fitted)
      model.report.warnings.push_back(
          "recalibration was left out: the held-out outputs do not rank the classes at all");
  }
  // Between two classes the decision follows the probability where there is one: p = 1/2.
  if (z.cols() == 1 && truth.classes == 2) model.threshold = -model.calibration.shift / model.calibration.scale;
  if (!options.threshold) return;
  model.threshold_rule = options.threshold;
  double natural = model.threshold;
  if (options.threshold->kind == ThresholdRule::Kind::cost && has_probabilities(model))
    natural +=
        std::log(options.threshold->false_positive / options.threshold->false_negative) / model.calibration.scale;
  model.threshold = choose_threshold(*options.threshold, z.col(0), truth.label, truth.weights, natural);
}

// One Newton step is near enough unless a second one would change the criterion by more than this.
constexpr double worth_a_warning = 0.02;

void warn_of_doubt(FitReport& report, double doubt) {
  if (!(doubt > worth_a_warning)) return;
  const char* advice = report.refitted > 0 ? "--cv explicit:loo refits every row"
                                           : "--refit-flagged refits the worst of them, a tenth of all rows at most";
  report.warnings.push_back(
      fmt::format("held-out outputs are one Newton step from the fit, and a second step would change their loss by up "
                  "to {:.2g} %; {}",
                  100.0 * doubt, advice));
}

}  // namespace

Model train(const Dataset& data, const TrainOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  detail::check_memory(data.size(), options);
  detail::check_data(data, options);
  const ThreadScope threads(options.threads > 0 ? options.threads : useful_threads(data.size()));
  const Machine machine = resolve_machine(data, options);
  check_options(data, machine, options);
  const Problem problem = make_problem(data, machine, options);

  Model model;
  model.loss = machine.loss;
  model.task = data.task;
  model.classes = data.classes;
  model.target_names = data.target_names;
  FitReport& report = model.report;
  report.model = machine.name;
  report.rows = data.size();
  report.features = data.X.cols();
  report.criterion = name(problem.criterion);
  report.cv = text(options.cv);
  report.approximate = !std::holds_alternative<Squared>(machine.loss) && !options.cv.by_refit;
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

  const FinalFit fit =
      detail::final_fit(problem, model.kernel, model.lambda,
                        {options.refit_flagged, options.verify, options.search_options.seed}, options.observer);
  if (fit.stop == Stop::interrupted) {
    report.search.stop = Stop::interrupted;
    return model;
  }
  if (!fit.usable()) fail_not_usable(problem, model.kernel);
  report.criterion_value = fit.criterion;  // the search is content with a looser fit
  keep_expansion(model, data, fit);
  decide(model, problem, fit, options);
  report.held_out = assess(model, problem.truth, fit.z, fit.pair_auc);
  report.flagged = int(fit.flagged.size());
  report.refitted = fit.refitted;
  warn_of_doubt(report, fit.doubt);
  keep_held_out(model, data, problem, fit);
  if (options.verify > 0) report.verification = verification(model, fit);
  if (!options.keep_held_out) model.held_out = {};
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
