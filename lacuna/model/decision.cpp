#include "lacuna/model/decision.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/criterion/criterion.hpp"
#include "lacuna/model/held_out_rows.hpp"

namespace lacuna {
namespace {

using Kind = ThresholdRule::Kind;

// Where both classes are as likely.
double even_cut(const Model& model) { return -model.calibration.shift / model.calibration.scale; }

}  // namespace

double natural_cut(const Model& model, const ThresholdRule& rule, double usual) {
  if (!has_probabilities(model)) return usual;
  if (rule.kind == Kind::cost)
    return output_with_odds(model.loss, model.calibration, std::log(rule.false_positive / rule.false_negative));
  if (rule.kind == Kind::probability)
    return output_with_odds(model.loss, model.calibration, std::log(rule.probability / (1.0 - rule.probability)));
  return usual;
}

double cut_of(const Model& model, const ThresholdRule& rule, const Vector& z, const std::vector<int>& label,
              const Vector& weights, double usual) {
  if (rule.kind != Kind::probability) return choose_threshold(rule, z, label, weights, natural_cut(model, rule, usual));
  if (!has_probabilities(model))
    fail_usage(fmt::format("threshold: {} is a probability, and {} has none; `recalibrate` gives it some",
                           rule.probability, model.report.model));
  return natural_cut(model, rule, usual);
}

bool decides_by_row(const Model& model) { return model.costs && by_row(*model.costs) && !model.threshold_rule; }

std::vector<int> decided_labels(const Model& model, const Matrix& z, const Matrix& probability,
                                const RowPrices& prices) {
  const auto classes = int(model.classes.size());
  const bool rows_decide = decides_by_row(model), by_cost = rows_decide || (classes > 2 && model.costs);
  if (by_cost && probability.size() > 0 && (!rows_decide || has_prices(*model.costs, prices)))
    return cheapest_labels({*model.costs, prices}, probability);
  return predicted_labels(z.array() - model.threshold, classes);
}

void require_probabilities(const Costs& costs, bool probabilities, const std::string& machine) {
  if (by_row(costs) && !probabilities)
    fail_usage(
        fmt::format("cost: {}: prices of single rows decide by probabilities, and {} has none; `recalibrate` gives it "
                    "some",
                    costs_text(costs), machine));
}

void decide_by_row(Model& model) {
  require_probabilities(*model.costs, has_probabilities(model), model.report.model);
  model.threshold_rule = {};
  model.threshold = model.task == Task::binary ? even_cut(model) : 0.0;
}

void move_threshold(Model& model, const ThresholdRule& rule) {
  if (model.task != Task::binary)
    fail_usage(fmt::format("threshold: {} needs a model of two classes", threshold_text(rule)));
  const HeldOutRows& h = model.held_out;
  if (h.size() > 0 && knows_weights(model)) {
    const Matrix z = moderated(model, h.output, h.variance);
    const Index repeats = h.repeats();
    const Vector weights = held_out_truth(model).counted().replicate(repeats, 1) / double(repeats);
    model.threshold = cut_of(model, rule, z.col(0), h.label, weights, even_cut(model));
  } else if (has_probabilities(model)) {
    model.threshold = natural_cut(model, rule, even_cut(model));
  } else {
    fail_usage(
        fmt::format("threshold: {} cannot be found: the model has no probabilities, and no held-out rows whose "
                    "weights it knows",
                    threshold_text(rule)));
  }
  model.threshold_rule = rule;
}

}  // namespace lacuna
