// curves/surface.hpp -- the selection criterion around its optimum: at a grid of regularisers and kernel widths, each a
// fit with given hyper-parameters, one evaluation in closed form. How sharp the choice is, and whether it had rivals.
//
// The second axis is the kernel's inverse squared width, theta; of a kernel with several, all of them times one factor;
// of a kernel without one there is no second axis. Cost: points times one fit, so for small data only.
#pragma once

#include "lacuna/base/observer.hpp"
#include "lacuna/curves/again.hpp"

namespace lacuna {

struct CriterionSurface {
  std::string x_name{}, y_name{};  ///< "lambda" or "mu"; "theta", "theta (times)", or "" where there is no second axis
  /// Ascending, evenly spread in logarithms, the choice among them; y one number without second axis.
  Vector x{}, y{};
  Matrix value{};         ///< x by y; NaN where the arithmetic failed
  double y_scale = 1.0;   ///< y of a kernel over its theta: what path and optima are divided by
  std::string missing{};  ///< why there is none; "" where there is
};
/// Rows beyond which it would take longer than some seconds.
inline constexpr Index most_rows_for_surface = 1000;

CriterionSurface criterion_surface(const Model& model, const FitAgain& again, const Observer& observer = {});

}  // namespace lacuna
