#include "lacuna/model/assess.hpp"

#include <cmath>

namespace lacuna {
namespace {

Tally class_tally(const Model& model, const Truth& truth, const Matrix& z) {
  Tally out;
  const Matrix from_threshold = z.array() - model.threshold;
  tally_decisions(out, predicted_labels(from_threshold, truth.classes), truth.label, truth.weights, truth.classes);
  if (has_probabilities(model))
    tally_probabilities(out, probabilities(model.loss, model.calibration, z, truth.classes),
                        log_loss(model.loss, model.calibration, z, truth.label), truth.label, truth.weights);
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

NamedScores assess(const Model& model, const Truth& truth, const std::vector<Matrix>& z, double auc) {
  Tally all;
  double press = 0.0;
  for (const Matrix& one : z) {
    add(all, truth.classes > 0 ? class_tally(model, truth, one) : number_tally(model, truth, one));
    press += score(Criterion::press, one, truth, false).value / double(z.size());
  }
  NamedScores out;
  for (const auto& [name, value] : scores_of(all)) {
    const double is = name == "auc" ? auc : value;
    if (!std::isnan(is)) out.emplace_back(name, is);
  }
  const bool squares = truth.classes > 0 ? !has_probabilities(model) : !gives_rates(model.loss);
  if (squares) out.emplace_back("press", press);
  return out;
}

}  // namespace lacuna
