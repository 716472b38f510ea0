#include "lacuna/model/assess.hpp"

#include <cmath>

#include "lacuna/base/weights.hpp"
#include "lacuna/model/count_check.hpp"

namespace lacuna {
namespace {

Tally class_tally(const Model& model, const Truth& truth, const Matrix& z, const RowPrices& prices) {
  Tally out;
  Matrix probability;
  if (has_probabilities(model)) {
    probability = probabilities(model.loss, model.calibration, z, truth.classes);
    tally_probabilities(out, probability, log_loss(model.loss, model.calibration, z, truth.label), truth.label,
                        truth.weights);
  }
  const std::vector<int> decided = decided_labels(model, z, probability, prices);
  tally_decisions(out, decided, truth.label, truth.weights, truth.classes);
  if (model.costs && has_prices(*model.costs, prices))
    tally_costs(out, decided, truth.label, truth.weights, {*model.costs, prices});
  return out;
}

Tally number_tally(const Model& model, const Truth& truth, const Matrix& z) {
  Tally out;
  if (!gives_rates(model.loss)) {
    const Vector mean = truth.targets.transpose() * truth.weights / truth.weights.sum();
    tally_values(out, z, truth.targets, mean, truth.weights);
    return out;
  }
  const Vector common = common_rates(model.loss, truth.targets, truth.offset, truth.weights);
  Matrix log_rate = z, log_common = common.array().log().matrix().transpose().replicate(z.rows(), 1);
  if (truth.offset.size() > 0) {
    log_rate.colwise() += truth.offset;
    log_common.colwise() += truth.offset;
  }
  tally_rates(out, model.loss, log_rate, log_common, interpret(model, z, truth.offset).value, truth.targets,
              truth.weights);
  return out;
}

}  // namespace

void assess(Model& model, const Truth& truth, const std::vector<Matrix>& z, double auc, const RowPrices& prices) {
  Tally all;
  double press = 0.0;
  for (const Matrix& one : z) {
    add_tally(all, truth.classes > 0 ? class_tally(model, truth, one, prices) : number_tally(model, truth, one));
    press += criterion_score(Criterion::press, one, truth, false).value / double(z.size());
  }
  FitReport& report = model.report;
  NamedScores& out = report.held_out;
  out.clear();
  for (const auto& [name, value] : scores_of(all)) {
    const double is = name == "auc" ? auc : value;
    if (!std::isnan(is)) out.emplace_back(name, is);
  }
  const bool squares = truth.classes > 0 ? !has_probabilities(model) : !gives_rates(model.loss);
  if (squares) out.emplace_back("press", press);
  report.baseline.clear();
  for (const auto& [name, value] : baseline_of(all))
    if (!std::isnan(value_of(out, name)) && std::isfinite(value)) report.baseline.emplace_back(name, value);
  if (truth.classes == 0 && says_how_counts_scatter(truth.loss)) {
    if (!report.counts) report.counts.emplace();
    check_held_out_counts(*report.counts, truth, z);
  }
  // Rows that were held out several times count once.
  report.confusion = all.confusion / double(z.size());
  // Weights count rows as they do everywhere (base/weights.hpp), copies that are held out together as one.
  report.cost_error = cost_error(all) * all.priced / std::sqrt(all.weight_squares * rows_counted(truth.counted()));
  report.cheapest = cheapest_class(all);
}

}  // namespace lacuna
