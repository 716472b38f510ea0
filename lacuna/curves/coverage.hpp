// curves/coverage.hpp -- of how many held-out values the interval of each level holds, counted by weight:
//
//   inside(level) = sum of w_i over |t_i - f_i| <= width(level), over the sum of w_i
//
// and where 95 of 100 such shares would lie if the level were right, for as many rows as are independent
// (independent.hpp).
#pragma once

#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

struct CoverageLevel {
  double level = 0.0, width = 0.0;  ///< half of the interval
  double inside = 0.0;
  double lower = 0.0, upper = 1.0;  ///< of chance
};
/// At 5 %, 10 % ... of the intervals of one target that are one width for all rows; empty where there are none.
std::vector<CoverageLevel> held_out_coverage(const Model& model, Index target);

}  // namespace lacuna
