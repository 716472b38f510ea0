#include "lacuna/choose/detail/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/model/assess.hpp"
#include "lacuna/model/detail/keep.hpp"
#include "lacuna/model/detail/noise_machine.hpp"
#include "lacuna/model/held_out_auc.hpp"

namespace lacuna::detail {
namespace {

// Held-out rows, scores and intervals of outputs in the model's own scale. Rows that were held out several times inside
// are there once.
void set_held_out(Model& model, const Compared& compared, const Matrix& output) {
  const Dataset& data = compared.data;
  const Truth& truth = compared.truth;
  const Index l = data.size();
  HeldOutRows& h = model.held_out;
  h.row = data.source_row;
  if (h.row.empty())
    for (Index i = 0; i < l; ++i) h.row.push_back(i + 1);
  h.output = output;
  h.offset = data.offset;
  h.target = truth.scale.size() > 0 ? truth.t : data.targets;
  h.label = data.label;
  h.prices = data.prices;
  h.trust = Vector::Constant(l, std::nan(""));
  keep_weights(h, data, truth, compared.first_of_copies);
  if (h.fitted.rows() > l) h.fitted = Matrix(h.fitted.topRows(l));
  if (h.leverage.size() > l) h.leverage = Vector(h.leverage.head(l));

  FitReport& report = model.report;
  double auc = std::nan("");
  if (truth.classes > 0) {
    const Vector unknown = Vector::Constant(output.cols(), std::nan(""));
    const HeldOutAuc area = held_out_auc(truth, compared.trained, {compared.folds}, {output}, {unknown});
    auc = area.value;
    report.auc_pairs = name_of(area.pairs);
  }
  assess(model, truth, {output}, auc, data.prices);
  report.approximate = false;
  report.flagged = report.refitted = 0;
  if (compared.options.held_out.intervals && data.label.empty() && !gives_rates(model.loss))
    model.intervals = honest_intervals(compared, output, int(compared.folds.size()));
  if (!compared.options.held_out.keep || l > compared.options.held_out.most) h = {};
}

// Its calibration goes into the coefficients: what is added up are outputs that compare.
Model member_of(const Tried& tried, const Yardstick& judged) {
  Model out = tried.model;
  const Calibration& c = out.calibration;
  if (c.fitted) {
    out.alpha *= c.scale;
    out.column_weights *= c.scale;
    out.b = c.scale * out.b.array() + c.shift;
  }
  out.loss = judged.loss;
  out.calibration = {};
  out.threshold = 0.0;
  out.threshold_rule = {};
  out.costs = {};
  out.held_out = {};
  out.intervals = {};
  out.process.reset();
  out.report.warnings.clear();
  return out;
}

// Rows of no machine, with as many features as the data have: a stack expands in its members only.
Rows no_rows(const RowsView& like) { return take_rows(like, std::vector<Index>{}); }

}  // namespace

Intervals honest_intervals(const Compared& compared, const Matrix& output, int folds) {
  Intervals out{.selected = true, .folds = folds, .level = compared.options.held_out.level.value_or(usual_level)};
  std::optional<double> seconds;
  if (compared.deadline != std::chrono::steady_clock::time_point::max())
    seconds = std::chrono::duration<double>(compared.deadline - std::chrono::steady_clock::now()).count();
  follow_noise(out, compared.data, compared.truth.targets - output, compared.truth.counted(), compared.options,
               seconds);
  return out;
}

Model single(const Compared& compared, const Tried& chosen, const Matrix& honest) {
  Model out = chosen.model;
  const Calibration& c = out.calibration;
  const Matrix z = c.fitted ? Matrix((honest.array() - c.shift) / c.scale) : honest;
  set_decision(out, compared.truth, {z}, compared.options);
  set_held_out(out, compared, z);
  return out;
}

Model stack(const Compared& compared, const std::vector<const Tried*>& tried, const Vector& weights,
            const Matrix& honest) {
  const Index l = compared.data.size();
  const Tried& plain = *tried[0];
  Matrix fitted = Matrix::Zero(l, honest.cols());
  Vector leverage = Vector::Zero(l);
  Model out;
  for (std::size_t k = 0; k < tried.size(); ++k) {
    const double w = weights[Index(k)];
    if (!(w > 0.0)) continue;
    const HeldOutRows& own = tried[k]->model.held_out;
    fitted += w * judged_outputs(tried[k]->model, own.fitted.topRows(l));
    leverage += w * own.leverage.head(l);
    out.members.push_back({tried[k]->candidate.name, w, member_of(*tried[k], compared.judged)});
  }
  out.loss = compared.judged.loss;
  out.task = plain.model.task;
  out.classes = plain.model.classes;
  out.target_names = plain.model.target_names;
  out.kernel = kernels::Linear{};
  out.X = no_rows(compared.data.X);
  out.alpha = Matrix::Zero(0, honest.cols());
  out.b = Vector::Zero(honest.cols());
  out.held_out.fitted = fitted;
  out.held_out.leverage = leverage;
  out.report = plain.model.report;
  out.report.features = compared.data.X.cols();
  set_decision(out, compared.truth, {honest}, compared.options);
  set_held_out(out, compared, honest);
  return out;
}

}  // namespace lacuna::detail
