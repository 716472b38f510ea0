// select/polish.hpp -- the last digits of an optimum. A descent ends when the criterion hardly falls any more; in a
// flat valley that leaves its parameters good to a hundredth, and rounding decides which hundredth. From there a few
// quasi-Newton steps (BFGS), with the curvature that the descent's own gradients tell, find the bottom itself, so that
// problems that differ by rounding end at the same parameters.
#pragma once

#include "lacuna/select/budget.hpp"

namespace lacuna {

/// The optimum, or a point near it where the gradient is less, at the price of a few evaluations with gradient. Makes
/// none, and returns `found`, where no gradients are known near it.
Optimum polish(Budget& budget, const Optimum& found);

}  // namespace lacuna
