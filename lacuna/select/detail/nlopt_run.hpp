// select/detail/nlopt_run.hpp -- one descent by a method of NLopt. NLopt is C: an exception of the criterion may not
// pass through its frames, so it is kept, NLopt is told to stop, and it is thrown again on our side.
#pragma once

#include <nlopt.h>

#include <functional>

#include "lacuna/select/budget.hpp"

namespace lacuna::detail {

/// The criterion as NLopt shall see it: a finite or infinite value, and the gradient when `gradient` is not null.
/// Nothing: end the descent.
using NloptFunction = std::function<std::optional<double>(const Vector& x, Vector* gradient)>;

struct NloptRun {
  nlopt_algorithm algorithm;
  double initial_step = 1.0;   ///< of methods without gradients
  double value_tolerance = 0;  ///< relative
  double log_tolerance = 0;
};

/// False when the method gave up with an error of its own (for L-BFGS a failed line search).
bool run_nlopt(const NloptRun& run, const Box& box, const Vector& start, const NloptFunction& function);

}  // namespace lacuna::detail
