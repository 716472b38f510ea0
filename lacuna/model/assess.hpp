// model/assess.hpp -- how good held-out outputs are, in the words a user knows: error, balanced error and area under the
// curve for classes; root mean square error and R^2 for values; PRESS for both.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lacuna/select/select.hpp"

namespace lacuna {

using NamedScores = std::vector<std::pair<std::string, double>>;

/// `z` has one matrix for each partition; scores are averaged over them. The area under the curve leaves pairs out
/// where single rows were left out in closed form, and pools outputs over folds otherwise; several classes: the mean
/// over one versus rest.
NamedScores assess(const Problem& problem, const Gram& K, const DualFit& fit, const std::vector<Matrix>& z);

}  // namespace lacuna
