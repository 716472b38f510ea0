// explain/coefficients.hpp -- a machine whose kernel is linear is linear in its columns: output = intercept + sum of
// coefficient times value, in the units of the data. Outputs are the model's own: log-odds of a logistic machine,
// logarithms of rates, values.
#pragma once

#include "lacuna/explain/explain.hpp"

namespace lacuna {

/// None where the machine, or a member of the stack, is not linear in the columns, or has more than 3,000 features.
Coefficients coefficients_of(const Model& model, const std::vector<InputColumn>& columns,
                             const Backend& backend = cpu_backend());

}  // namespace lacuna
