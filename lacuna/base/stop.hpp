// base/stop.hpp -- why something iterative or numerical ended. Every result carries one.
#pragma once

#include <string_view>

namespace lacuna {

enum class Stop {
  none,  ///< nothing was to be searched
  converged,
  max_evaluations,
  time_limit,
  interrupted,  ///< the observer said so
  at_bound,     ///< converged, with a parameter on the edge of the box
  not_positive_definite,
  not_finite,
};

constexpr std::string_view name_of(Stop stop) {
  switch (stop) {
    case Stop::none:
      return "none";
    case Stop::converged:
      return "converged";
    case Stop::max_evaluations:
      return "max-evaluations";
    case Stop::time_limit:
      return "time-limit";
    case Stop::interrupted:
      return "interrupted";
    case Stop::at_bound:
      return "at-bound";
    case Stop::not_positive_definite:
      return "not-positive-definite";
    case Stop::not_finite:
      return "not-finite";
  }
  return "none";
}

}  // namespace lacuna
