#include "lacuna/model/detail/keep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "lacuna/base/error.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/criterion/joint_calibration.hpp"
#include "lacuna/model/decision.hpp"
#include "lacuna/model/machine.hpp"

namespace lacuna::detail {
namespace {

// What every repeat has, one repeat below the other.
Matrix stacked(const std::vector<Matrix>& z) {
  if (z.size() == 1) return z[0];
  const Index l = z[0].rows();
  Matrix out(l * Index(z.size()), z[0].cols());
  for (std::size_t r = 0; r < z.size(); ++r) out.middleRows(Index(r) * l, l) = z[r];
  return out;
}
template <class M>
M repeated(const M& once, std::size_t repeats) {
  return once.replicate(Index(repeats), 1);
}
template <class T>
std::vector<T> repeated(const std::vector<T>& once, std::size_t repeats) {
  std::vector<T> out;
  for (std::size_t r = 0; r < repeats; ++r) out.insert(out.end(), once.begin(), once.end());
  return out;
}

// sigma^2/lambda = t'alpha/(n - 1), the value of greatest likelihood (docs/math/gaussian-process-regression.md).
std::optional<GaussianProcess> process_of(const Model& model, const Dataset& data, const Problem& problem,
                                          const FinalFit& fit) {
  const bool of_all_rows = !problem.on_basis() && fit.expansion.rows() == 0 && data.X.rows() == fit.alpha.rows();
  if (!data.label.empty() || !is_quadratic(problem.learn.loss) || problem.learn.penalty != Penalty::norm ||
      !of_all_rows || uses_geometry(model.kernel, kernels::Geometry::given))
    return {};
  const Vector rows = gathered(problem.learn.zeta, problem.first_of_copies);
  const double n = rows_counted(rows);
  if (!(n > 1.0)) return {};
  GaussianProcess out{.precision = problem.learn.zeta};
  out.scale = (problem.learn.t.cwiseProduct(fit.alpha).colwise().sum().transpose() / (n - 1.0)).cwiseMax(0.0);
  out.noise = out.scale * (model.lambda / weight_of_one_row(rows));
  return out;
}

}  // namespace

void keep_expansion(Model& model, const Dataset& data, const Problem& problem, const FinalFit& fit) {
  model.b = fit.b;
  model.column_weights = fit.column_weights;
  model.process = process_of(model, data, problem, fit);
  model.sites = fit.beta;
  if (fit.expansion.rows() > 0) {
    model.X = fit.expansion;
    model.alpha = fit.alpha;
    return;
  }
  if (uses_geometry(model.kernel, kernels::Geometry::given)) {
    const bool alone = std::holds_alternative<kernels::Precomputed>(model.kernel.form);
    model.X = alone ? Rows(RowMatrix(0, data.X.cols())) : data.X;
    model.alpha = fit.alpha;
    return;
  }
  std::vector<Index> rows;
  for (Index i = 0; i < fit.alpha.rows(); ++i)
    if (model.process || (fit.alpha.row(i).array() != 0.0).any()) rows.push_back(i);
  model.X = take_rows(data.X, rows);
  model.alpha = fit.alpha(rows, Eigen::all);
  model.sites = fit.beta(rows, Eigen::all);
}

void keep_weights(HeldOutRows& h, const Dataset& data, const Truth& truth, const std::vector<Index>& first,
                  std::size_t repeats) {
  const auto alike = [](const Vector& w) { return w.size() == 0 || (w.array() == w[0]).all(); };
  h.weight = alike(data.weights) ? Vector() : repeated(data.weights, repeats);
  const bool as_weighted = data.weights.size() > 0 ? truth.weights == data.weights : alike(truth.weights);
  h.judged = as_weighted ? Vector() : repeated(truth.weights, repeats);
  // Groups whose rows all have weight 0 are gone: those that are left are numbered anew.
  std::map<int, int> number;
  for (const int group : data.group) number.emplace(group, 0);
  int next = 0;
  for (auto& [group, its] : number) its = next++;
  h.group.clear();
  for (const int group : data.group) h.group.push_back(number[group]);
  h.group = repeated(h.group, repeats);
  h.copy_of = repeated(std::vector<std::int64_t>(first.begin(), first.end()), repeats);
}

void keep_held_out(Model& model, const Dataset& data, const Problem& problem, const FinalFit& fit) {
  HeldOutRows& h = model.held_out;
  h.row = data.source_row;
  if (h.row.empty())
    for (Index i = 0; i < problem.X.rows(); ++i) h.row.push_back(i + 1);
  const std::size_t repeats = fit.z.size();
  h.row = repeated(h.row, repeats);
  const bool latent = fit.latent_mean[0].size() > 0;
  h.output = stacked(latent ? fit.latent_mean : fit.z);
  for (Index i = 0; i < h.output.rows(); ++i)
    if (!h.output.row(i).allFinite())
      fail_numerical(
          fmt::format("train: row {}: its held-out output is not a finite number; look for extreme values in "
                      "the data, standardise it, or give a larger lambda",
                      h.row[std::size_t(i)]));
  if (latent) h.variance = stacked(fit.latent_variance);
  h.fitted = repeated(fit.fitted, repeats);
  h.offset = repeated(data.offset, repeats);
  h.target = repeated(problem.truth.scale.size() > 0 ? problem.learn.t : data.targets, repeats);
  h.label = repeated(data.label, repeats);
  h.prices = {data.prices.name, repeated(data.prices.value, repeats)};
  h.leverage =
      repeated(fit.leverage, repeats)
          .unaryExpr(  // rounding may put it beside its range
              [](double leverage) { return std::isnan(leverage) ? leverage : std::clamp(leverage, 0.0, 1.0); });
  h.trust = Vector::Constant(problem.X.rows(), std::nan(""));
  for (Index i = 0; i < fit.step.rows(); ++i)
    for (const double step : fit.step.row(i))
      if (!std::isnan(step)) h.trust[i] = std::fmin(h.trust[i], 1.0 / (1.0 + std::abs(step)));
  h.trust = repeated(h.trust, repeats);
  keep_weights(h, data, problem.truth, problem.first_of_copies, repeats);
}

FitReport::Verification verification(const Model& model, const FinalFit& fit) {
  FitReport::Verification v{.rows = Index(fit.verified.size())};
  Model refitted = model;
  for (Index k = 0; k < v.rows; ++k) {
    const Index i = fit.verified[std::size_t(k)];
    refitted.held_out.output.row(i) = fit.by_refit.row(k);
    if (fit.by_refit_variance.size() > 0) refitted.held_out.variance.row(i) = fit.by_refit_variance.row(k);
  }
  const Matrix& said = fit.latent_mean[0].size() > 0 ? fit.latent_mean[0] : fit.z[0];
  const Vector loss = held_out_loss(model), loss_refitted = held_out_loss(refitted);
  for (Index k = 0; k < v.rows; ++k) {
    const Index i = fit.verified[std::size_t(k)];
    const double off = (fit.by_refit.row(k) - said.row(i)).cwiseAbs().maxCoeff();
    if (k == 0 || off > v.largest) v.largest = off, v.row = model.held_out.row[std::size_t(i)];
    v.mean_loss += loss[i] / double(v.rows);
    v.mean_loss_refitted += loss_refitted[i] / double(v.rows);
  }
  return v;
}

Vector decide(Model& model, const Truth& truth, const std::vector<Matrix>& held_out, bool recalibrate,
              const TrainOptions& options) {
  // Every repeat's outputs, each for its share of the row.
  const Matrix z = stacked(held_out);
  const std::vector<int> label = repeated(truth.label, held_out.size());
  const Vector weights = repeated(truth.weights, held_out.size()) / double(held_out.size());
  Vector moved;
  if (recalibrate) {
    const double one_row = weight_of_one_row(truth.counted());
    if (z.cols() > 1 && !model.inference) {
      const JointCalibration joint = calibrate_jointly(link_of(model.loss), z, label, weights, one_row);
      model.calibration = {joint.scale, 0.0, joint.fitted};
      moved = joint.shift / joint.scale;
      model.b += moved;
    } else {
      model.calibration = calibrate(model.loss, z, label, weights, one_row);
    }
    if (!model.calibration.fitted)
      model.report.warnings.push_back(
          {Warning::Code::not_recalibrated,
           "recalibration was left out: the held-out outputs do not rank the classes at all"});
  }
  set_decision(model, truth, held_out, options);
  return moved;
}

void set_decision(Model& model, const Truth& truth, const std::vector<Matrix>& held_out, const TrainOptions& options) {
  const Matrix z = stacked(held_out);
  // Between two classes the decision follows the probability where there is one: p = 1/2.
  if (z.cols() == 1 && truth.classes == 2) model.threshold = -model.calibration.shift / model.calibration.scale;
  model.costs = options.held_out.costs;
  model.threshold_rule = options.held_out.threshold;
  if (model.costs && by_row(*model.costs)) {
    if (!model.threshold_rule) return;
  } else if (!model.threshold_rule && model.costs && truth.classes == 2) {
    model.threshold_rule = rule_of(*model.costs);
  }
  if (!model.threshold_rule) return;
  // A price of mistakes is one price, whichever option names it.
  if (!model.costs && model.threshold_rule->kind == ThresholdRule::Kind::cost)
    model.costs =
        Costs{Matrix{{0.0, model.threshold_rule->false_positive}, {model.threshold_rule->false_negative, 0.0}}};
  const Vector counted = repeated(truth.counted(), held_out.size()) / double(held_out.size());
  model.threshold =
      cut_of(model, *model.threshold_rule, z.col(0), repeated(truth.label, held_out.size()), counted, model.threshold);
}

void move_outputs(FinalFit& fit, const Vector& by) {
  const auto move = [&](Matrix& z) {
    if (z.size() > 0 && by.size() > 0) z.rowwise() += by.transpose();
  };
  for (Matrix& z : fit.z) move(z);
  move(fit.fitted);
  move(fit.by_refit);
}

}  // namespace lacuna::detail
