// select/detail/run_selection.hpp -- the course of any selection: evaluate once when everything is given, else search,
// with a penalty on the kernel's parameters when one is wanted, and say what was found. What is evaluated is the
// caller's.
#pragma once

#include <functional>

#include "lacuna/select/detail/parameters.hpp"
#include "lacuna/select/select.hpp"

namespace lacuna::detail {

/// The criterion at a point of the search, which stands for these values of all parameters; the gradient is in the
/// point.
using CriterionAtPoint =
    std::function<Evaluation(const Vector& x, const std::vector<double>& values, bool want_gradient)>;

/// All of a Selection but factorisations and warnings. Throws Error(usage) when something is open and the method is
/// none.
Selection run_selection(const Parameters& parameters, SearchSpace space, const CriterionAtPoint& at, bool has_gradient,
                        const SearchPlan& options, const Observer& observer);

}  // namespace lacuna::detail
