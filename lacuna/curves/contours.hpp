// curves/contours.hpp -- where a function on a grid has a given height: marching squares, each edge of the grid crossed
// where a straight line between its ends would be. Of a saddle the mean of the four corners decides. O(cells).
#pragma once

#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

struct ContourLine {
  std::vector<double> x{}, y{};
};
/// z(i, j) is the height at (x[i], y[j]), both ascending. Cells with a corner that is not finite have no line. Closed
/// lines end where they begin.
std::vector<ContourLine> contours(const Vector& x, const Vector& y, const Matrix& z, double height);

/// The function on a grid `times` as fine, by cubic interpolation (Catmull and Rom) along each axis, so that contours
/// are smooth. Requires two points along each axis.
struct FineGrid {
  Vector x{}, y{};
  Matrix z{};
};
FineGrid refined(const Vector& x, const Vector& y, const Matrix& z, int times);

}  // namespace lacuna
