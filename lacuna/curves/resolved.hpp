// curves/resolved.hpp -- whether a grid is fine enough for the lines of one height. In a valley that is narrow and runs
// across the grid, what lies below a low height falls into beads around single points of the grid, with a ridge
// between them that only interpolation made. A part of the plane below a height is believed where
//
//   it holds a point that is known to be low (an optimum that was found, the least of the grid), or
//   it holds four points of the grid that are the corners of a cell
//
// and the lines of a height are worth drawing where all of its parts are. O(points of the finer grid).
#pragma once

#include <utility>
#include <vector>

#include "lacuna/curves/contours.hpp"

namespace lacuna {

/// `fine` is the grid refined() `times`; `known` are points (x, y) of the plane.
bool is_resolved(const FineGrid& fine, int times, double height, const std::vector<std::pair<double, double>>& known);

}  // namespace lacuna
