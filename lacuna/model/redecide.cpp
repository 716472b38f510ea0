#include "lacuna/model/redecide.hpp"

#include "lacuna/data/duplicates.hpp"
#include "lacuna/model/assess.hpp"
#include "lacuna/model/detail/keep.hpp"
#include "lacuna/model/detail/make_problem.hpp"

namespace lacuna {

Model with_decisions(Model model, const Dataset& data, const TrainOptions& options) {
  Dataset used = rows_that_count(data);
  take_units_out(used);
  const Machine machine = options.model.value_or(detail::automatic_machine(used, options));
  detail::check_options(used, machine, options);
  const bool in_folds = !used.group.empty() && options.select.cv.kind != CrossValidation::Kind::loo;
  const Truth truth = detail::make_truth(used, used.size(), machine, options,
                                         in_folds ? first_of_copies(used, used.X) : std::vector<Index>{});
  const HeldOutRows& h = model.held_out;
  const Matrix z = moderated(model, h.output, h.variance);
  std::vector<Matrix> by_partition;
  for (Index r = 0; r < h.repeats(); ++r) by_partition.emplace_back(z.middleRows(r * used.size(), used.size()));
  detail::set_decision(model, truth, by_partition, options);
  assess(model, truth, by_partition, value_of(model.report.held_out, "auc"));
  return model;
}

}  // namespace lacuna
