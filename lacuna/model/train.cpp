#include "lacuna/model/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/data/centre.hpp"
#include "lacuna/data/duplicates.hpp"
#include "lacuna/machine/regulariser.hpp"
#include "lacuna/model/assess.hpp"
#include "lacuna/model/detail/centring.hpp"
#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/model/detail/choose.hpp"
#include "lacuna/model/detail/intervals.hpp"
#include "lacuna/model/detail/join_copies.hpp"
#include "lacuna/model/detail/keep.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/detail/remarks.hpp"
#include "lacuna/model/detail/watched.hpp"
#include "lacuna/model/held_out_auc.hpp"
#include "lacuna/model/work.hpp"
#include "lacuna/select/select_checked.hpp"

namespace lacuna {
namespace {

// Below this size threads spend their time waiting for one another: on a busy machine that is ruinous, and on a quiet
// one there is nothing to gain.
int useful_threads(Index rows) { return rows < 800 ? 1 : 0; }

FitReport::Search search_report(const Selection& s) {
  FitReport::Search r;
  r.method = name_of(s.method);
  r.evaluations = s.search.evaluations;
  r.gradients = s.search.gradients;
  r.factorisations = s.factorisations;
  r.seconds = s.seconds;
  r.stop = s.search.stop;
  r.parameters = s.names;
  for (std::size_t k = 0; k < s.optima.size(); ++k) r.optima.push_back({s.optima[k], s.search.optima[k].value});
  for (const auto& [values, criterion] : s.path) r.path.push_back({values, criterion});
  r.curvature = s.search.curvature;
  return r;
}

// The area under the curve, and what is said of it.
double rank(FitReport& report, const Dataset& data, const Problem& problem, const detail::FinalFit& fit) {
  if (problem.truth.classes == 0) return std::nan("");
  const HeldOutAuc auc = held_out_auc(problem.truth, problem.learn.zeta, problem.partitions, fit.z, fit.pair_auc);
  report.auc_pairs = name_of(auc.pairs);
  if (auc.without_area.empty()) return auc.value;
  // Of two classes either may be the one that is gone.
  std::vector<std::string> classes;
  for (std::size_t k = 0; k < data.classes.size(); ++k)
    if (data.classes.size() > 2 ? std::ranges::count(auc.without_area, int(k)) > 0
                                : std::ranges::count(data.label, int(k)) == 1)
      classes.push_back(data.classes[k]);
  const std::string which = classes.empty() ? "a class" : fmt::format("class {}", join(classes));
  report.warnings.push_back(
      {Warning::Code::no_auc,
       fmt::format("{}: without a row that is held out nothing is left of {}, and no machine could rank it",
                   std::isnan(auc.value) ? "there is no auc" : "the auc is the mean over the other classes", which)});
  return auc.value;
}

// `data` says everything about the rows but their inputs, which are X and have been checked. Throws Stopped when the
// observer says so.
void train_checked(Model& model, const Dataset& data, const RowSource& X, Index features, const TrainOptions& given) {
  const auto began = std::chrono::steady_clock::now();
  const Index l = X.rows();
  TrainOptions options = given;
  const ThreadScope threads(options.run.threads > 0 ? options.run.threads : useful_threads(l));
  const std::vector<Index> sample = detail::selection_sample(data, X, options);
  Dataset taken;
  if (!sample.empty()) {
    taken = take_rows(data, sample);
    taken.X = X.copy(sample);
  }
  const Dataset& some = sample.empty() ? data : taken;
  const bool on_some = Index(sample.size()) > 0 && Index(sample.size()) < l;
  const Machine machine = detail::resolve_machine(some, options, &options);
  if (on_some) check_targets(machine, data);
  detail::check_options(data, machine, options);
  detail::check_basis(some.size(), features, some.X.is_sparse(), machine, options);
  Problem problem = detail::make_problem(some, some.X, machine, options);

  model.loss = machine.loss;
  model.inference = machine.inference;
  model.task = data.task;
  model.classes = data.classes;
  model.target_names = data.target_names;
  FitReport& report = model.report;
  report.model = machine.name;
  report.rows = l;
  report.features = features;
  report.criterion = name_of(problem.criterion);
  report.cv = cross_validation_text(options.select.cv);
  report.approximate =
      problem.iterates() && !options.select.cv.by_refit && (options.select.cv.one_step || machine.inference);
  if (!data.group.empty()) report.group = options.select.cv.group_column;
  report.warnings = data.notes;
  detail::warn_of_one_group(report, options.select.cv);
  detail::warn_of_twins(report, some, options);
  const std::string far = detail::far_from_origin(some.X, some.weights, options);
  if (!far.empty()) report.warnings.push_back({Warning::Code::far_from_origin, far});

  detail::Chosen found = detail::choose(problem, some, machine, l, features, options);
  const Selection& chosen = found.selection;
  const RowSource watched = detail::watched(X, options.run.observer);
  detail::RowsWanted wanted{.all =
                                options.held_out.verify > 0 || (options.held_out.keep && l <= options.held_out.most)};
  if (!sample.empty()) {
    problem = wanted.all ? detail::make_problem(data, watched, machine, options)
                         : detail::make_unjudged_problem(data, watched, machine, options);
    if (!wanted.all)
      wanted.truth = [&] { return detail::make_truth(data, l, machine, options, problem.first_of_copies); };
    taken = {};
  }
  problem.basis = std::move(found.basis);
  report.basis = std::move(found.record);
  report.search = search_report(chosen);
  report.search.scouted = found.scouted;
  report.relevance = std::move(found.relevance);
  const bool searched = chosen.method != SearchMethod::none;
  if (chosen.search.stop == Stop::interrupted) throw Stopped{};
  if (!std::isfinite(chosen.criterion) && chosen.search.stop == Stop::time_limit)
    detail::fail_no_time(*options.select.search_options.seconds);
  if (searched && !chosen.search.usable())
    detail::fail_not_usable(problem, bind_kernel(options.kernel, features).kernel, searched, far);
  if (searched && !std::isfinite(chosen.criterion)) detail::fail_not_usable(problem, chosen.kernel, searched, far);
  model.kernel = chosen.kernel;
  model.lambda = chosen.lambda;
  report.criterion_value = chosen.criterion;
  report.optimistic = searched || report.relevance;
  // Said here, where searches on several bases have been counted together.
  if (chosen.search.stop == Stop::max_evaluations)
    report.warnings.push_back(
        {Warning::Code::search_evaluations,
         fmt::format("the search stopped after {} evaluations before it converged; raise `max_evaluations`",
                     report.search.evaluations)});
  report.warnings.insert(report.warnings.end(), chosen.warnings.begin(), chosen.warnings.end());

  const detail::RefitOptions refit{options.held_out.refit_flagged, options.held_out.verify,
                                   options.select.search_options.seed};
  detail::FinalFit fit =
      detail::final_fit(problem, model.kernel, {chosen.lambda, chosen.mean}, refit, wanted, options.run.observer);
  if (fit.stop == Stop::interrupted) throw Stopped{};
  if (!fit.usable() || (!searched && !std::isfinite(fit.criterion)))
    detail::fail_not_usable(problem, model.kernel, false, far);
  if (searched && !on_some)
    detail::warn_of_contradiction(report, fit.criterion, problem.truth.classes > 0 ? 0.005 : 0.0);
  report.criterion_value = fit.criterion;  // the search is content with a looser fit, and may have seen some rows only
  if (auto& optima = report.search.optima; !on_some && options.select.penalty == 0.0 && !optima.empty())
    optima.front().criterion = fit.criterion;  // one number for one point
  detail::keep_expansion(model, data, problem, fit);
  if (report.basis) report.basis->kept = model.alpha.rows();
  detail::move_outputs(fit,
                       detail::decide(model, problem.truth, fit.z, problem.criterion_options.recalibrate, options));
  report.weighted = (problem.truth.weights.array() != problem.truth.weights[0]).any();
  assess(model, problem.truth, fit.z, rank(report, data, problem, fit), data.prices);
  if (report.counts) {
    detail::check_scatter(report, problem, fit);
    detail::note_overdispersion(report, problem, fit, given.model && leaves_open(given.model->loss));
  }
  if (options.held_out.intervals && !model.inference && data.label.empty() && !gives_rates(machine.loss))
    model.intervals = detail::intervals(data, problem, machine, chosen, report.relevance, fit, options);
  report.flagged = int(fit.flagged.size());
  report.refitted = fit.refitted;
  report.warnings.insert(report.warnings.end(), fit.warnings.begin(), fit.warnings.end());
  detail::warn_of_doubt(report, fit.doubt, !problem.followed);
  detail::warn_of_posterior(report, problem, model.kernel, {chosen.lambda, chosen.mean}, options.run.observer);
  const bool keep = options.held_out.keep && l <= options.held_out.most;
  if (keep || options.held_out.verify > 0) detail::keep_held_out(model, data, problem, fit);
  if (options.held_out.verify > 0) report.verification = detail::verification(model, fit);
  if (!keep) model.held_out = {};
  if (!keep && !model.inference) model.sites = {};  // nothing follows from them without held-out rows
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// On rows about their mean where that is the same machine and saves digits.
void train_centred(Model& model, const Dataset& data, const RowSource& X, Index features, TrainOptions options) {
  const Vector centre = detail::centre_for(data, X, options);
  if (centre.size() == 0) return train_checked(model, data, X, features, options);
  if (options.basis && options.basis->rows.cols() == features)
    options.basis->rows = about(RowsView(options.basis->rows), centre);
  if (X.in_memory()) {
    Dataset moved = data;
    moved.X = about(X.view(), centre);
    train_checked(model, moved, moved.X, features, options);
  } else {
    train_checked(model, data, about(X, centre), features, options);
  }
  model.centre = centre;
  if (auto& noise = model.intervals.noise) noise->centre = noise->centre.size() > 0 ? noise->centre + centre : centre;
}

// In a unit of weight of the data's own, so that equal problems are equal to the last bit whatever their weights count.
void train_without_units(Model& model, const Dataset& data, const RowSource& X, Index features, TrainOptions options) {
  const bool weighted = data.weights.size() > 0 || data.train_weights.size() > 0 || data.select_weights.size() > 0;
  Dataset without_units;
  if (weighted && !data.weight_unit) {
    without_units = data;
    take_units_out(without_units);
  }
  const Dataset& used = weighted && !data.weight_unit ? without_units : data;
  const double unit = detail::regulariser_unit(used, options);
  if (options.lambda) *options.lambda /= unit;
  for (auto* values : {&options.select.near, &options.select.penalty_centre})
    if (!values->empty()) values->front() /= unit;
  train_centred(model, used, X, features, options);
  detail::tell_in_unit(model, unit);
}

// Once: what is trained on the way is part of it.
void announce_work(Index rows, Index features, Index outputs, const Machine& machine, TrainOptions& options) {
  constexpr Index few_rows = 400;  // nothing of theirs takes long, and measuring would
  const auto announce = std::exchange(options.run.announce, {});
  if (!announce || rows <= few_rows) return;
  const ThreadScope threads(options.run.threads > 0 ? options.run.threads : useful_threads(rows));
  const WorkEstimate work = estimate_work(rows, features, outputs, machine, options);
  if (work.seconds >= long_seconds) announce(work);
}

void train_into(Model& model, const Dataset& data, const RowSource& X, Index features, const TrainOptions& given) {
  const Index outputs = data.classes.size() > 2 ? Index(data.classes.size()) : std::max<Index>(1, data.targets.cols());
  TrainOptions options = given;
  const Machine machine = options.model.value_or(detail::automatic_machine(data, options));
  if (auto basis = basis_by_size(X.rows(), features, outputs, machine, options)) {
    options.basis = std::move(basis);
    options.select.rows = std::min(options.select.rows, rows_by_size);
  }
  detail::check_memory(X.rows(), features, outputs, options);
  detail::check_data(data, X, features, options);
  announce_work(X.rows(), features, outputs, machine, options);
  options.select.cv = resolve_cross_validation(options.select.cv, data);
  const detail::JoinedCopies joined = X.in_memory() ? detail::join_copies(data, options) : detail::JoinedCopies{};
  if (joined.place.empty()) return train_without_units(model, data, X, features, options);
  train_without_units(model, joined.data, joined.data.X, features, options);
  detail::part_copies(model, joined, data, options);
}

// Interrupted, a model is what was known by then; report.search.stop says so.
Model train(const Dataset& data, const RowSource& X, Index features, const TrainOptions& options) {
  Model model;
  const StopScope stopping(options.run.observer);
  try {
    train_into(model, data, X, features, options);
  } catch (const Stopped&) {
    model.report.search.stop = Stop::interrupted;
  }
  return model;
}

}  // namespace

Model train(const Dataset& data, const TrainOptions& options) {
  // A row of weight 0 is a row removed (of a precomputed kernel its column stays, and the row beside it).
  const bool whole = data.weights.size() != data.size() || !(data.weights.minCoeff() == 0.0) ||
                     !(data.weights.maxCoeff() > 0.0) || uses_geometry(options.kernel.kernel, kernels::Geometry::given);
  if (whole) return train(data, data.X, data.X.cols(), options);
  const Dataset some = rows_that_count(data);
  return train(some, some.X, some.X.cols(), options);
}

Model train(const StreamedDataset& data, const TrainOptions& options) {
  if (!on_basis(options))
    fail_usage("train: rows that stay on disk need a machine on a basis: `basis=500`, or `basis=auto`");
  return train(data.rows, data.X, data.features, options);
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
