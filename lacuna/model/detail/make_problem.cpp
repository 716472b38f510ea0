#include "lacuna/model/detail/make_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/data/duplicates.hpp"
#include "lacuna/model/decision.hpp"
#include "lacuna/model/detail/loss_parameters.hpp"
#include "lacuna/model/jackknife.hpp"

namespace lacuna::detail {
namespace {

std::vector<Folds> partitions(const CrossValidation& cv, const Dataset& data, Index l, std::uint64_t seed) {
  if (cv.kind == CrossValidation::Kind::loo) return {Folds{}};
  if (cv.kind == CrossValidation::Kind::groups) {
    if (data.group.empty()) fail_usage("train: cross-validation by group needs a group for each row");
    Folds groups = group_folds(data.group);
    if (Index(groups.size()) == l) return {Folds{}};  // of one row each, or of its copies, which are one by now
    return {std::move(groups)};
  }
  if (cv.folds < 2 || cv.folds > l)
    fail_usage(fmt::format("train: {} folds of {} rows; between 2 and {} are possible", cv.folds, l, l));
  std::vector<Folds> out;
  for (int r = 0; r < cv.repeats; ++r)
    out.push_back(data.group.empty() ? k_folds(l, cv.folds, data.label, seed + std::uint64_t(r))
                                     : grouped_folds(data.group, cv.folds, seed + std::uint64_t(r), data.weights));
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

// What a Gaussian process has no use for.
void check_gp_options(const Dataset& data, const Machine& machine, const TrainOptions& options) {
  const std::string& name = machine.name;
  const bool evidence = options.select.criterion.value_or(Criterion::evidence) == Criterion::evidence;
  const bool weighted = data.weights.size() > 0 || options.train_weights != Weighting::none;
  if (evidence && (weighted || options.select.weights != Weighting::none))
    fail_usage(
        fmt::format("train: model {}: the evidence takes no weights of rows: a likelihood to the power of a weight is "
                    "no probability of a label; criteria of held-out rows do: `criterion=xent`",
                    name));
  if (machine.inference == Inference::ep && weighted) {
    const Vector w = weights_for(options.train_weights, data.train_weights, data, data.size(), "training");
    if (!(w.array() >= 1.0).all() || (w.array() != w.array().round()).any())
      fail_usage(
          "train: model gp-ep takes weights that are numbers of copies (1, 2, 3, or these times a constant), since a "
          "share of a label has no site; gp-laplace takes any");
  }
  if (options.held_out.refit_flagged && machine.inference == Inference::ep)
    fail_usage(
        fmt::format("train: held-out outputs of {} come from its approximate posterior and none are flagged; "
                    "`cv=explicit:loo` refits every row",
                    name));
  if (on_basis(options))
    fail_usage(fmt::format("train: model {} has no machine on a basis; leave out `basis`, or take klr or kpr", name));
  if (uses_geometry(options.kernel.kernel, kernels::Geometry::given))
    fail_usage(
        fmt::format("train: model {} takes no precomputed kernel: its probability for a new row needs k(x, x), "
                    "which the matrix does not hold",
                    name));
}

// Least squares as Gaussian-process regression.
void check_evidence(const Dataset& data, const TrainOptions& options) {
  const auto refuse = [](const char* why) { fail_usage(fmt::format("train: criterion evidence: {}", why)); };
  if (!data.label.empty())
    refuse("labels are no values with normal noise; gp-laplace and gp-ep have an evidence of classes");
  if (data.weights.size() > 0 || options.train_weights != Weighting::none || options.select.weights != Weighting::none)
    refuse("it takes no weights of rows, which are no part of a likelihood; press does");
  if (on_basis(options)) refuse("it is of a machine of all rows; leave out `basis`, or take press");
}

// The machines without each row follow from one factor for least squares on all rows, in memory.
void check_jackknife(const Dataset& data, const Machine& machine, const TrainOptions& options) {
  const auto refuse = [](const std::string& why) { fail_usage("train: jackknife+ intervals: " + why); };
  if (!data.label.empty()) refuse("they are of values; there are classes");
  if (!is_quadratic(machine.loss) || machine.penalty != Penalty::norm)
    refuse(fmt::format("they need the machine without each row, which only ls-svm has in closed form; this is {}",
                       machine.name));
  if (on_basis(options)) refuse("they need a machine of all rows; leave out `basis`");
  if (uses_geometry(options.kernel.kernel, kernels::Geometry::given))
    refuse("a precomputed kernel has no rows to predict from");
  if (!data.group.empty() || options.select.cv.kind != CrossValidation::Kind::loo)
    refuse("rows are left out one at a time; leave out groups, and `cv` or give `cv=loo`");
  if (data.size() > most_rows_for_jackknife)
    refuse(fmt::format("{} rows; they are for small data, {} rows at most, and make no difference above", data.size(),
                       most_rows_for_jackknife));
}

}  // namespace

Vector weights_for(Weighting weighting, const Vector& column, const Dataset& data, Index rows,
                   std::string_view purpose) {
  const Vector common = data.weights.size() > 0 ? data.weights : Vector(Vector::Ones(rows));
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

// From the regulariser that goes with weights without a unit to the one that goes with the data's: the loss is a sum
// over weights, and kfd has weights in its penalty too.
double regulariser_unit(const Dataset& data, const TrainOptions& options) {
  if (options.model && options.model->inference) return 1.0;  // the precision of a prior, whatever the rows count
  double unit = data.weight_unit.value_or(1.0);
  if (options.train_weights == Weighting::column) unit *= data.train_weight_unit.value_or(1.0);
  return options.model && options.model->penalty == Penalty::coefficients ? unit * unit : unit;
}

void tell_in_unit(Model& model, double unit) {
  model.lambda *= unit;
  if (model.process) model.process->precision *= unit;
  // Precisions are in the unit of weights; a machine that penalises its coefficients has it twice in its regulariser.
  if (!model.inference) model.sites *= model.report.regulariser() == "mu" ? std::sqrt(unit) : unit;
  if (auto& learned = model.report.relevance; learned && !learned->first.empty()) learned->first.front() *= unit;
  for (auto* points : {&model.report.search.optima, &model.report.search.path})
    for (auto& point : *points)
      if (!point.values.empty()) point.values.front() *= unit;
}

// Least squares shares one factor among all classes, where every logistic machine has its own; recalibrated outputs are
// probabilities all the same.
Machine automatic_machine(const Dataset& data, const TrainOptions& options) {
  return data.task == Task::multiclass && recalibrates(data, options) ? ls_svm() : lacuna::automatic_machine(data.task);
}

Machine resolve_machine(const Dataset& data, const TrainOptions& options, TrainOptions* onward) {
  Machine machine = options.model.value_or(automatic_machine(data, options));
  check_targets(machine, data);
  if (!leaves_open(machine.loss)) return machine;
  TrainOptions next = options;
  choose_loss_parameters(machine, data, next);
  if (onward != nullptr) *onward = std::move(next);
  return machine;
}

void check_options(const Dataset& data, const Machine& machine, const TrainOptions& options) {
  const bool classes = !data.label.empty();
  if (const auto& costs = options.held_out.costs) {
    check_costs(*costs, data.classes.size());
    if (!options.held_out.threshold)
      require_probabilities(*costs, gives_probabilities(machine.loss) || recalibrates(data, options), machine.name);
    check_prices(*costs, data.prices);
  }
  if (options.held_out.threshold && data.classes.size() != 2)
    fail_usage(fmt::format("train: a threshold needs two classes; there {}",
                           classes ? fmt::format("are {}", data.classes.size()) : "are none"));
  if (recalibrates(data, options) && !classes)
    fail_usage("train: recalibration is for probabilities of classes; there are none");
  if (const auto level = options.held_out.level) {
    if (!(*level > 0.0 && *level < 1.0))
      fail_usage(fmt::format("train: interval level = {}; must lie between 0 and 1, such as 0.9", *level));
    if (classes) fail_usage("train: `interval`: intervals are for values; of classes there are probabilities");
  }
  const bool least_squares = is_quadratic(machine.loss) && machine.penalty == Penalty::norm;
  if (least_squares && options.select.criterion == Criterion::evidence) check_evidence(data, options);
  if (options.held_out.interval_method == IntervalMethod::jackknife_plus) check_jackknife(data, machine, options);
  if (options.held_out.verify > 0 && options.select.cv.by_refit)
    fail_usage("train: explicit held-out outputs are refits already; there is nothing to verify");
  if (options.held_out.refit_flagged &&
      (options.select.cv.kind != CrossValidation::Kind::loo || options.select.cv.by_refit))
    fail_usage(
        "train: flagged rows are refitted for leave-one-out only; with folds use `cv=explicit:K`, which refits all");
  if (options.held_out.refit_flagged && is_quadratic(machine.loss))
    fail_usage(fmt::format("train: the held-out outputs of {} are exact; there is nothing to refit", machine.name));
  if (machine.inference) check_gp_options(data, machine, options);
}

Truth make_truth(const Dataset& data, Index rows, const Machine& machine, const TrainOptions& options,
                 const std::vector<Index>& first_of_copies) {
  Truth truth{.targets = machine_targets(ls_svm(), data),
              .label = data.label,
              .classes = int(data.classes.size()),
              .weights = weights_for(options.select.weights, data.select_weights, data, rows, "selection"),
              .loss = machine.loss,
              .offset = data.offset};
  if (machine.penalty == Penalty::coefficients)
    truth.t =
        machine_targets(machine, data, weights_for(options.train_weights, data.train_weights, data, rows, "training")),
    truth.scale = truth.t.cwiseAbs();
  else if (!data.label.empty() && gives_probabilities(machine.loss))
    truth.t = machine_targets(machine, data);
  if (!first_of_copies.empty()) truth.gathered = gathered(truth.weights, first_of_copies);
  return truth;
}

Problem make_problem(const Dataset& data, const RowSource& X, const Machine& machine, const TrainOptions& options) {
  Problem p = make_unjudged_problem(data, X, machine, options);
  p.truth = make_truth(data, X.rows(), machine, options, p.first_of_copies);
  return p;
}

Problem make_unjudged_problem(const Dataset& data, const RowSource& X, const Machine& machine,
                              const TrainOptions& options) {
  Problem p;
  p.backend = &backend_of(options);
  p.X = X;
  p.scale_weights = data.weights;
  p.regulariser_unit = regulariser_unit(data, options);
  p.learn = {.loss = machine.loss,
             .zeta = weights_for(options.train_weights, data.train_weights, data, X.rows(), "training"),
             .offset = data.offset,
             .penalty = machine.penalty};
  p.inference = machine.inference;
  p.mean = machine.mean;
  p.learn.t = machine_targets(machine, data, p.learn.zeta);
  const bool by_probabilities = !options.model && recalibrates(data, options);
  p.criterion = options.select.criterion.value_or(by_probabilities ? Criterion::xent : default_criterion(machine));
  if (needs_classes(p.criterion) && data.label.empty())
    fail_usage(fmt::format("train: criterion {} needs classes; for values use {}", name_of(p.criterion),
                           name_of(default_criterion(machine))));
  if (!(by_probabilities && p.criterion == Criterion::xent)) check_criterion(machine, p.criterion);
  p.criterion_options = options.select.criterion_options;
  p.criterion_options.recalibrate = recalibrates(data, options);
  p.by_refit = options.select.cv.by_refit;
  p.insists_on_dual = options.basis && options.basis->none;
  p.followed = p.may_follow() && !p.by_refit && !options.select.cv.one_step;
  p.partitions = partitions(options.select.cv, data, X.rows(), options.select.search_options.seed);
  if (!data.group.empty() && options.select.cv.kind != CrossValidation::Kind::loo)
    p.first_of_copies = first_of_copies(data, X);
  check_folds(p.partitions, p.learn.zeta);
  return p;
}

}  // namespace lacuna::detail
