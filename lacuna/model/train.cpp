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
#include "lacuna/model/detail/choose.hpp"
#include "lacuna/model/detail/intervals.hpp"
#include "lacuna/model/detail/keep.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/detail/train_gp.hpp"
#include "lacuna/model/detail/watched.hpp"

namespace lacuna {
namespace {

// Below this size threads spend their time waiting for one another: on a busy machine that is ruinous, and on a quiet one
// there is nothing to gain.
int useful_threads(Index rows) { return rows < 800 ? 1 : 0; }

[[noreturn]] void fail_not_usable(const Problem& problem, const Kernel& kernel, bool searched) {
  if (!problem.on_basis()) {
    const auto K = dual_gram(*problem.backend, kernel, problem.X.view(), problem.learn);
    const Vector omega = K->spectrum(Vector::Ones(K->size())).omega;
    if (omega[0] < -1e-10 * std::abs(omega[omega.size() - 1]))
      fail_numerical(
          fmt::format("train: the kernel matrix is not positive definite: its least eigenvalue is {:.3g}, its "
                      "largest {:.3g}; a lambda well above {:.3g} would make it so",
                      omega[0], omega[omega.size() - 1], -omega[0]));
  }
  if (problem.by_refit && !std::holds_alternative<Squared>(problem.learn.loss))
    fail_numerical(
        "train: a refit had no optimum: without some row or fold one class is gone, or every count is 0, or the fit "
        "did not "
        "converge; the closed form (--cv without explicit:) judges such rows too");
  fail_numerical(fmt::format("train: {}; look for extreme values in the data, standardise it, or give a larger lambda",
                             searched ? "no setting of the hyper-parameters gave finite held-out outputs"
                                      : "held-out outputs at these hyper-parameters are not finite"));
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

// A row held out still sees its copies.
void warn_of_twins(FitReport& report, const RowsView& X, const TrainOptions& options) {
  if (options.cv.kind == CrossValidation::Kind::groups || uses(options.kernel.kernel, Geometry::given)) return;
  if (const Index twins = count_duplicate_rows(X); twins > 0)
    report.warnings.push_back(
        fmt::format("{} of {} rows repeat an earlier row: a row held out still sees its twins, so the "
                    "estimates are hopeful; where they belong together use --cv group:COL",
                    twins, X.rows()));
}

// `data` says everything about the rows but their inputs, which are X.
Model train(const Dataset& data, const RowSource& X, Index features, const TrainOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  const Index l = X.rows(),
              outputs = data.classes.size() > 2 ? Index(data.classes.size()) : std::max<Index>(1, data.targets.cols());
  detail::check_memory(l, outputs, options);
  detail::check_data(data, X, features, options);
  const ThreadScope threads(options.threads > 0 ? options.threads : useful_threads(l));
  const std::vector<Index> sample = detail::selection_sample(data, X, options);
  Dataset taken;
  if (!sample.empty()) {
    taken = take_rows(data, sample);
    taken.X = X.copy(sample);
  }
  const Dataset& some = sample.empty() ? data : taken;
  const bool on_some = Index(sample.size()) > 0 && Index(sample.size()) < l;
  const Machine machine = detail::resolve_machine(some, options);
  if (on_some) check_targets(machine, data);
  detail::check_options(data, machine, options);
  detail::check_basis(some.size(), features, some.X.is_sparse(), machine, options);
  Problem problem = detail::make_problem(some, some.X, machine, options);

  Model model;
  model.loss = machine.loss;
  model.inference = machine.inference;
  model.task = data.task;
  model.classes = data.classes;
  model.target_names = data.target_names;
  FitReport& report = model.report;
  report.model = machine.name;
  report.rows = l;
  report.features = features;
  report.criterion = name(problem.criterion);
  report.cv = text(options.cv);
  report.approximate = !std::holds_alternative<Squared>(machine.loss) && !options.cv.by_refit;
  report.warnings = data.notes;
  warn_of_twins(report, some.X, options);

  detail::Chosen found = detail::choose(problem, some, machine, l, features, options);
  const Selection& chosen = found.selection;
  const RowSource watched = detail::watched(X, options.observer);
  detail::RowsWanted wanted{.all = options.verify > 0 || (options.keep_held_out && l <= options.most_held_out)};
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
  const bool searched = chosen.method != SearchMethod::none;
  if (searched && !chosen.search.usable() && chosen.search.stop != Stop::interrupted)
    fail_not_usable(problem, bind(options.kernel, features).kernel, searched);
  if (!std::isfinite(chosen.criterion)) {
    if (chosen.search.stop == Stop::interrupted) return model;
    fail_not_usable(problem, chosen.kernel, searched);
  }
  model.kernel = chosen.kernel;
  model.lambda = chosen.lambda;
  report.criterion_value = chosen.criterion;
  report.optimistic = searched;
  report.warnings.insert(report.warnings.end(), chosen.warnings.begin(), chosen.warnings.end());
  if (chosen.search.stop == Stop::interrupted) return model;

  const detail::RefitOptions refit{options.refit_flagged, options.verify, options.search_options.seed};
  detail::FinalFit fit;
  try {
    fit = machine.inference ? detail::final_fit_gp(problem, machine, chosen, refit, options.observer)
                            : detail::final_fit(problem, model.kernel, model.lambda, refit, wanted, options.observer);
  } catch (const detail::PassInterrupted&) {
    fit.stop = Stop::interrupted;
  }
  if (fit.stop == Stop::interrupted) {
    report.search.stop = Stop::interrupted;
    return model;
  }
  if (!fit.usable()) fail_not_usable(problem, model.kernel, false);
  report.criterion_value = fit.criterion;  // the search is content with a looser fit, and may have seen some rows only
  detail::keep_expansion(model, data, fit);
  if (report.basis) report.basis->kept = model.alpha.rows();
  detail::decide(model, problem, fit, options);
  report.weighted = (problem.truth.weights.array() != problem.truth.weights[0]).any();
  report.held_out = assess(model, problem.truth, fit.z, fit.pair_auc);
  if (options.intervals && !model.inference && data.label.empty() && !gives_rates(machine.loss))
    model.intervals = detail::intervals(data, problem, machine, chosen, fit, options);
  report.flagged = int(fit.flagged.size());
  report.refitted = fit.refitted;
  report.warnings.insert(report.warnings.end(), fit.warnings.begin(), fit.warnings.end());
  warn_of_doubt(report, fit.doubt);
  const bool keep = options.keep_held_out && l <= options.most_held_out;
  if (keep || options.verify > 0) detail::keep_held_out(model, data, problem, fit);
  if (options.verify > 0) report.verification = detail::verification(model, fit);
  if (!keep) model.held_out = {};
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return model;
}

}  // namespace

Model train(const Dataset& data, const TrainOptions& options) {
  // A row of weight 0 is a row removed (of a precomputed kernel its column stays, and the row beside it).
  const bool whole = data.weights.size() != data.size() || !(data.weights.minCoeff() == 0.0) ||
                     !(data.weights.maxCoeff() > 0.0) || uses(options.kernel.kernel, Geometry::given);
  if (whole) return train(data, data.X, data.X.cols(), options);
  std::vector<Index> rows;
  for (Index i = 0; i < data.size(); ++i)
    if (data.weights[i] != 0.0) rows.push_back(i);
  Dataset some = take_rows(data, rows);
  some.notes = data.notes;
  if (data.source_row.empty())
    for (const Index i : rows) some.source_row.push_back(i + 1);
  return train(some, some.X, some.X.cols(), options);
}

Model train(const StreamedDataset& data, const TrainOptions& options) {
  if (!options.basis)
    fail_usage("train: rows that stay on disk need a machine on a basis: --basis 500, or --basis auto");
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
