// curves/again.hpp -- a finished model's data and options, as far as it keeps them, so that its machine can be fitted
// again: on some of the rows, or at other hyper-parameters. Weights and groups are those of the rows; what training
// gave them besides (balanced weights, a column of its own) and the unit of lambda follow from the precisions of the
// fit.
#pragma once

#include <optional>
#include <string>

#include "lacuna/explain/explain.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna {

struct FitAgain {
  Dataset data{};
  TrainOptions options{};  ///< every parameter is given, as the model has it
  std::string missing{};   ///< why there is none, in words; "" where there is
};
/// `rows`: those that the model was trained on, with their targets (rows_of_model() has them where the model does).
FitAgain fit_again(const Model& model, const ExplainRows& rows);

/// The score that machines of this task are compared by: xent, or error without probabilities; rmse; deviance.
std::string main_score(const Model& model);

}  // namespace lacuna
