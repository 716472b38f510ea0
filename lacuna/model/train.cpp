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
#include "lacuna/model/detail/centring.hpp"
#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/model/detail/join_copies.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/detail/refits_instead.hpp"
#include "lacuna/model/detail/stages.hpp"
#include "lacuna/model/work.hpp"

namespace lacuna {
namespace {

// Below this size threads spend their time waiting for one another: on a busy machine that is ruinous, and on a quiet
// one there is nothing to gain.
int useful_threads(Index rows) { return rows < 800 ? 1 : 0; }

// `data` says everything about the rows but their inputs, which are X and have been checked. Throws Stopped when the
// observer says so.
void train_checked(Model& model, const Dataset& data, const RowSource& X, Index features, const TrainOptions& given) {
  const ThreadScope threads(given.run.threads > 0 ? given.run.threads : useful_threads(X.rows()));
  detail::Stage stage;
  detail::choose_stage(stage, model, data, X, features, given);
  const TrainOptions& options = stage.options;
  const detail::RefitOptions refit{options.held_out.refit_flagged, options.held_out.verify,
                                   options.select.search_options.seed};
  detail::FinalFit fit = detail::final_fit(stage.problem, model.kernel, {stage.chosen.lambda, stage.chosen.mean}, refit,
                                           stage.wanted, options.run.observer);
  if (fit.stop == Stop::interrupted) throw Stopped{};
  detail::take_refits_instead(stage, model, data, X, fit);
  detail::report_stage(model, data, stage, fit);
}

// On rows about their mean where that is the same machine and saves digits.
void train_centred(Model& model, const Dataset& data, const RowSource& X, Index features, TrainOptions options,
                   const detail::FitStages& fit) {
  const Vector centre = detail::centre_for(data, X, options);
  if (centre.size() == 0) return fit(model, data, X, features, options);
  if (options.basis && options.basis->rows.cols() == features)
    options.basis->rows = about(RowsView(options.basis->rows), centre);
  if (X.in_memory()) {
    Dataset moved = data;
    moved.X = about(X.view(), centre);
    fit(model, moved, moved.X, features, options);
  } else {
    fit(model, data, about(X, centre), features, options);
  }
  model.centre = centre;
  if (auto& noise = model.intervals.noise) noise->centre = noise->centre.size() > 0 ? noise->centre + centre : centre;
}

// In a unit of weight of the data's own, so that equal problems are equal to the last bit whatever their weights count.
void train_without_units(Model& model, const Dataset& data, const RowSource& X, Index features, TrainOptions options,
                         const detail::FitStages& fit) {
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
  train_centred(model, used, X, features, options, fit);
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

// Interrupted, a model is what was known by then; report.search.stop says so.
Model train(const Dataset& data, const RowSource& X, Index features, const TrainOptions& options) {
  Model model;
  const StopScope stopping(options.run.observer);
  try {
    detail::train_around(model, data, X, features, options, train_checked);
  } catch (const Stopped&) {
    model.report.search.stop = Stop::interrupted;
  }
  return model;
}

}  // namespace

void detail::train_around(Model& model, const Dataset& data, const RowSource& X, Index features,
                          const TrainOptions& given, const FitStages& fit) {
  const Index outputs = data.classes.size() > 2 ? Index(data.classes.size()) : std::max<Index>(1, data.targets.cols());
  TrainOptions options = given;
  const Machine machine = options.model.value_or(detail::automatic_machine(data, options));
  if (auto basis = basis_by_size(X.rows(), features, outputs, machine, options)) {
    options.basis = std::move(basis);
    options.select.rows = std::min(options.select.rows, rows_by_size);
  }
  detail::check_memory(X.rows(), features, outputs, detail::with_machine(options, machine));
  detail::check_data(data, X, features, options);
  announce_work(X.rows(), features, outputs, machine, options);
  options.select.cv = resolve_cross_validation(options.select.cv, data);
  const detail::JoinedCopies joined = X.in_memory() ? detail::join_copies(data, options) : detail::JoinedCopies{};
  if (joined.place.empty()) return train_without_units(model, data, X, features, options, fit);
  train_without_units(model, joined.data, joined.data.X, features, options, fit);
  detail::part_copies(model, joined, data, options);
}

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
