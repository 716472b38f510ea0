// report/column_weights.hpp -- what a model with weighed inputs says of them: the weight of every column of the data,
// largest first, and how they were learned.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

struct ColumnWeight {
  std::string name{};
  double weight = 0.0;  ///< of its features, which are several for a category: the root of the mean of their squares
  double share = 0.0;   ///< of the sum of all squared weights: of squared distances between rows whose inputs are
                        ///< standardised
};
/// Largest share first; none where the kernel weighs nothing. `encoding`: the model's own or, for a member, that of its
/// stack.
std::vector<ColumnWeight> columns_by_weight(const Model& machine, const Encoding& encoding);

/// Lines below the kernel's; "" where the kernel weighs nothing.
std::string relevance_lines(const Model& model);
/// The kernel as an option of `fit` that keeps weights and parameters; "" where there is none.
std::string relevance_command(const Model& model);
/// [{"name", "weight", "share"}] of columns_by_weight().
nlohmann::ordered_json column_weights_json(const Model& machine, const Encoding& encoding);
/// {"learned", "kernel", "rounds", "kept", "columns": column_weights_json()}; null where the kernel weighs
/// nothing. "kernel" is its text, which `fit` takes.
nlohmann::ordered_json relevance_json(const Model& model);
/// What held-out figures cannot know; "" where nothing was learned.
std::string relevance_caution(const FitReport& report);

}  // namespace lacuna
