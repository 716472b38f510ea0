#include "lacuna/choose/detail/procedure.hpp"

#include <algorithm>
#include <limits>

#include "lacuna/base/error.hpp"
#include "lacuna/model/detail/make_problem.hpp"

namespace lacuna::detail {
namespace {

// A search that begins near its end, and ends where more of it would not show in the loss of some rows.
constexpr int most_evaluations = 12, most_in_a_round = 8;
constexpr double log_tolerance = 0.02, value_tolerance = 1e-3;

// Rows as a representation shows them; an empty one shows them as they are.
Dataset seen_through(const Representation& seen, Dataset data) {
  if (seen.empty()) return data;
  std::vector<int> column;  // codes of one column belong together
  for (const SeenFeature& f : seen.features)
    column.push_back(data.feature_column.empty() ? f.column : data.feature_column[std::size_t(f.column)]);
  data.X = represent(seen, data.X);
  data.feature_names = represented_names(seen, data.feature_names);
  data.feature_column = column;
  return data;
}

// What only a finished model needs.
TrainOptions without_extras(TrainOptions options) {
  options.held_out.keep = false;
  options.held_out.threshold = {};
  options.held_out.costs = {};
  return options;
}

}  // namespace

TrainOptions roughly(TrainOptions options) {
  SearchOptions& search = options.select.search_options;
  search.log_tolerance = std::max(log_tolerance, search.log_tolerance);
  search.value_tolerance = std::max(value_tolerance, search.value_tolerance);
  return options;
}

Model train_candidate(const Dataset& data, const Candidate& candidate, const Beginning& beginning,
                      TrainOptions options) {
  options.kernel = candidate.kernel;
  options.select.near = beginning.near;
  options.select.curvature = beginning.curvature;
  options.select.penalty = beginning.penalty;
  options.select.penalty_centre = beginning.centre;
  const Representation seen = learn_representation(data.X, data.weights, candidate.views);
  // A kernel with one parameter for each feature: codes may be other ones without a fold.
  const Index features = seen.empty() ? data.X.cols() : Index(seen.features.size());
  const std::size_t wanted = 1 + kernel_parameters(bind_kernel(candidate.kernel, features).kernel).size();
  for (auto* values : {&options.select.near, &options.select.penalty_centre})
    if (!values->empty()) values->resize(wanted, values->back());
  if (seen.empty()) return train(data, options);
  Model model = train(seen_through(seen, data), options);
  model.representation = seen;
  return model;
}

std::vector<double> parameters_of(const Model& model) {
  std::vector<double> out = kernel_parameters(model.kernel);
  out.insert(out.begin(), model.lambda);
  return out;
}

std::vector<double> beginning_of(const Model& model) {
  const auto& learned = model.report.relevance;
  return learned && !learned->first.empty() ? learned->first : parameters_of(model);
}

Matrix judged_outputs(const Model& model, const Matrix& output) {
  const Calibration& c = model.calibration;
  return c.fitted ? Matrix(c.scale * output.array() + c.shift) : output;
}

Yardstick judged_by(const Dataset& data, const Machine& machine, const Truth& truth, const TrainOptions& options) {
  Yardstick out{.loss = machine.loss,
                .t = truth.t.size() > 0 ? truth.t : truth.targets,
                .offset = data.offset,
                .weights = truth.weights,
                .group = data.group};
  if (!data.label.empty() && recalibrates(data, options)) {
    out.loss = link_of(machine.loss);
    out.t = machine_targets(klr(), data);
  }
  if (!data.label.empty() && out.t.cols() > 1 && gives_probabilities(out.loss)) out.label = data.label;
  return out;
}

bool leave_out(Tried& tried, const Dataset& data, const std::vector<Index>& fold, const Yardstick& judged,
               const TrainOptions& all) {
  TrainOptions options = roughly(without_extras(all));
  const int rounds = tried.model.report.relevance ? int(tried.model.report.relevance->criteria.size()) : 1;
  const int most = std::max(most_evaluations, rounds * most_in_a_round);
  options.select.max_evaluations = std::min(all.select.max_evaluations.value_or(most), most);
  Beginning beginning = tried.beginning;
  beginning.near = beginning_of(tried.model);
  beginning.curvature = tried.model.report.search.curvature;
  if (const auto& learned = tried.model.report.relevance) options.select.near_later = learned->later;
  const Model model = train_candidate(take_rows(data, all_but(data.size(), fold)), tried.candidate, beginning, options);
  if (model.report.search.stop == Stop::interrupted) return false;
  const Matrix z = judged_outputs(model, outputs(model, take_rows(RowsView(data.X), fold), nullptr, backend_of(all)));
  if (!z.allFinite()) fail_numerical("train: an output for a row left out is not a finite number");
  if (tried.z.size() == 0) tried.z = Matrix::Zero(data.size(), z.cols());
  for (std::size_t k = 0; k < fold.size(); ++k) tried.z.row(fold[k]) = z.row(Index(k));
  tried.rows.insert(tried.rows.end(), fold.begin(), fold.end());
  tried.loss = row_losses(judged, tried.z);
  ++tried.folds;
  return true;
}

// Without recalibration and at given parameters another machine might be taken by itself: the one that was is named.
Matrix as_with_all_rows(const Tried& tried, const Dataset& data, const Folds& folds, const TrainOptions& all) {
  const Model& model = tried.model;
  TrainOptions options = all;
  options.model = resolve_machine(data, all);
  options.lambda = model.lambda;
  options.kernel = {.kernel = model.kernel, .given = {}};
  for (const double value : kernel_parameters(model.kernel)) options.kernel.given.push_back(value);
  options.select.cv.kind = CrossValidation::Kind::folds;
  options.select.cv.folds = int(folds.size());
  options.select.cv.repeats = 1;
  options.held_out = {.most = std::numeric_limits<Index>::max(), .recalibrate = false, .intervals = false};
  Dataset seen = seen_through(model.representation, data);
  if (all.select.cv.kind == CrossValidation::Kind::loo) seen.group.clear();  // all rows of one group, which folds part
  const Model bare = train(seen, options);
  if (bare.report.search.stop == Stop::interrupted) return tried.z;
  // Several classes have the shifts of their calibration in b.
  const Matrix without_fold = bare.held_out.output.rowwise() + (model.b - bare.b).transpose();
  const Matrix moved =
      tried.z + judged_outputs(model, model.held_out.output.topRows(data.size())) - judged_outputs(model, without_fold);
  return moved.allFinite() ? moved : tried.z;
}

}  // namespace lacuna::detail
