#include "lacuna/model/redecide.hpp"

#include "lacuna/data/duplicates.hpp"
#include "lacuna/model/assess.hpp"
#include "lacuna/model/decision.hpp"
#include "lacuna/model/detail/keep.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/held_out_rows.hpp"

namespace lacuna {
namespace {

std::vector<Matrix> held_out_by_partition(const Model& model) {
  const HeldOutRows& h = model.held_out;
  const Matrix z = moderated(model, h.output, h.variance);
  const Index repeats = h.repeats(), rows = h.rows();
  std::vector<Matrix> out;
  for (Index r = 0; r < repeats; ++r) out.emplace_back(z.middleRows(r * rows, rows));
  return out;
}

}  // namespace

Model with_decisions(Model model, const std::optional<ThresholdRule>& threshold, const std::optional<Costs>& costs) {
  if (!threshold && !costs) return model;
  if (costs) {
    check_costs(*costs, model.classes.size());
    model.costs = costs;
  }
  if (threshold)
    move_threshold(model, *threshold);
  else if (costs && by_row(*costs))
    decide_by_row(model);
  else if (costs && model.task == Task::binary)
    move_threshold(model, rule_of(*costs));
  // A price of mistakes is one price, whichever option names it.
  if (threshold && threshold->kind == ThresholdRule::Kind::cost && !model.costs)
    model.costs = Costs{Matrix{{0.0, threshold->false_positive}, {threshold->false_negative, 0.0}}};
  if (model.classes.empty() || model.held_out.size() == 0 || !knows_weights(model)) return model;
  RowPrices prices = model.held_out.prices;  // of one repeat
  if (!prices.empty()) prices.value.conservativeResize(model.held_out.rows(), Eigen::NoChange);
  if (decides_by_row(model) && !has_prices(*model.costs, prices)) return model;
  assess(model, held_out_truth(model), held_out_by_partition(model), value_of(model.report.held_out, "auc"), prices);
  return model;
}

Model with_decisions(Model model, const Dataset& data, const TrainOptions& options) {
  Dataset used = rows_that_count(data);
  take_units_out(used);
  const Machine machine = options.model.value_or(detail::automatic_machine(used, options));
  detail::check_options(used, machine, options);
  const bool in_folds = !used.group.empty() && options.select.cv.kind != CrossValidation::Kind::loo;
  const Truth truth = detail::make_truth(used, used.size(), machine, options,
                                         in_folds ? first_of_copies(used, used.X) : std::vector<Index>{});
  const std::vector<Matrix> by_partition = held_out_by_partition(model);
  detail::set_decision(model, truth, by_partition, options);
  assess(model, truth, by_partition, value_of(model.report.held_out, "auc"), used.prices);
  return model;
}

}  // namespace lacuna
