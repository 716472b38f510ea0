// report/page/map.hpp -- numbers over a plane, for the charts "map" and "heights": a cell for each point of a grid, and
// lines where they have a given height.
#pragma once

#include "lacuna/base/matrix.hpp"
#include "lacuna/report/page/block.hpp"

namespace lacuna::page {

/// height(i, j) is that at (x[i], y[j]), both evenly spaced and ascending.
Json map_cells(const Vector& x, const Vector& y, const Matrix& height);
Json lines_at(const Vector& x, const Vector& y, const Matrix& height, double level);
/// The columns of the table of the cells.
std::vector<Column> map_columns(const std::string& x, const std::string& y, const std::string& z,
                                const std::string& x_format = ".4~g", const std::string& y_format = ".4~g");

}  // namespace lacuna::page
