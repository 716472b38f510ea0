#include "lacuna/model/detail/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/names.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/data/duplicates.hpp"
#include "lacuna/model/assess.hpp"
#include "lacuna/model/detail/centring.hpp"
#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/model/detail/intervals.hpp"
#include "lacuna/model/detail/keep.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/detail/remarks.hpp"
#include "lacuna/model/detail/watched.hpp"
#include "lacuna/model/held_out_auc.hpp"

namespace lacuna::detail {
namespace {

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
double rank(FitReport& report, const Dataset& data, const Problem& problem, const FinalFit& fit) {
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

}  // namespace

void choose_stage(Stage& stage, Model& model, const Dataset& data, const RowSource& X, Index features,
                  const TrainOptions& given) {
  const Index l = X.rows();
  stage.began = std::chrono::steady_clock::now();
  stage.options = given;
  stage.parameters_chosen = given.model && leaves_open(given.model->loss);
  TrainOptions& options = stage.options;
  const std::vector<Index> sample = selection_sample(data, X, options);
  Dataset taken;
  if (!sample.empty()) {
    taken = take_rows(data, sample);
    taken.X = X.copy(sample);
  }
  const Dataset& some = sample.empty() ? data : taken;
  stage.on_some = Index(sample.size()) > 0 && Index(sample.size()) < l;
  const Machine& machine = stage.machine = resolve_machine(some, options, &options);
  if (stage.on_some) check_targets(machine, data);
  check_options(data, machine, options);
  check_basis(some.size(), features, some.X.is_sparse(), machine, options);
  Problem& problem = stage.problem = make_problem(some, some.X, machine, options);

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
  report.repeat = {options.select.search_options.seed, given.train_weights, given.select.weights};
  if (!data.group.empty()) report.group = options.select.cv.group_column;
  report.warnings = data.notes;
  warn_of_one_group(report, options.select.cv);
  warn_of_twins(report, some, options);
  const std::string& far = stage.far = far_from_origin(some.X, some.weights, options);
  if (!far.empty()) report.warnings.push_back({Warning::Code::far_from_origin, far});

  Chosen found = choose(problem, some, machine, l, features, options);
  const RowSource seen = watched(X, options.run.observer);
  RowsWanted& wanted = stage.wanted;
  wanted.all = options.held_out.verify > 0 || (options.held_out.keep && l <= options.held_out.most);
  if (!sample.empty()) {
    problem =
        wanted.all ? make_problem(data, seen, machine, options) : make_unjudged_problem(data, seen, machine, options);
    if (!wanted.all)
      wanted.truth = [&data, &stage] {
        return make_truth(data, stage.problem.X.rows(), stage.machine, stage.options, stage.problem.first_of_copies);
      };
    taken = {};
  }
  problem.basis = std::move(found.basis);
  report.basis = std::move(found.record);
  stage.chosen = std::move(found.selection);
  const Selection& chosen = stage.chosen;
  report.search = search_report(chosen);
  report.search.scouted = found.scouted;
  report.relevance = std::move(found.relevance);
  const bool searched = stage.searched = chosen.method != SearchMethod::none;
  if (chosen.search.stop == Stop::interrupted) throw Stopped{};
  if (!std::isfinite(chosen.criterion) && chosen.search.stop == Stop::time_limit)
    fail_no_time(*options.select.search_options.seconds);
  if (searched && !chosen.search.usable())
    fail_not_usable(problem, bind_kernel(options.kernel, features).kernel, searched, far);
  if (searched && !std::isfinite(chosen.criterion)) fail_not_usable(problem, chosen.kernel, searched, far);
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
}

void report_stage(Model& model, const Dataset& data, Stage& stage, FinalFit& fit) {
  const TrainOptions& options = stage.options;
  const Machine& machine = stage.machine;
  const Selection& chosen = stage.chosen;
  const Problem& problem = stage.problem;
  const bool searched = stage.searched, on_some = stage.on_some;
  const Index l = problem.X.rows();
  FitReport& report = model.report;
  if (!fit.usable() || (!searched && !std::isfinite(fit.criterion)))
    fail_not_usable(problem, model.kernel, false, stage.far);
  if (searched && !on_some && !problem.inference)
    warn_of_contradiction(report, fit.criterion, problem.truth.classes > 0 ? 0.005 : 0.0);
  report.criterion_value = fit.criterion;  // the search is content with a looser fit, and may have seen some rows only
  if (auto& optima = report.search.optima; !on_some && options.select.penalty == 0.0 && !optima.empty())
    optima.front().criterion = fit.criterion;  // one number for one point
  keep_expansion(model, data, problem, fit);
  if (report.basis) report.basis->kept = model.alpha.rows();
  move_outputs(fit, decide(model, problem.truth, fit.z, problem.criterion_options.recalibrate, options));
  report.weighted = (problem.truth.weights.array() != problem.truth.weights[0]).any();
  assess(model, problem.truth, fit.z, rank(report, data, problem, fit), data.prices);
  if (report.counts) {
    check_scatter(report, problem, fit);
    note_overdispersion(report, problem, fit, stage.parameters_chosen);
  }
  if (options.held_out.intervals && !model.inference && data.label.empty() && !gives_rates(machine.loss))
    model.intervals = intervals(data, problem, machine, chosen, report.relevance, fit, options);
  report.flagged = int(fit.flagged.size());
  report.refitted = fit.refitted;
  report.warnings.insert(report.warnings.end(), fit.warnings.begin(), fit.warnings.end());
  warn_of_doubt(report, fit.doubt, !problem.followed);
  const bool keep = options.held_out.keep && l <= options.held_out.most;
  if (keep || options.held_out.verify > 0) keep_held_out(model, data, problem, fit);
  if (options.held_out.verify > 0) report.verification = verification(model, fit);
  if (!keep) model.held_out = {};
  if (!keep && !model.inference) model.sites = {};  // nothing follows from them without held-out rows
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - stage.began).count();
}

}  // namespace lacuna::detail
