// kernel/geometry.hpp -- what a kernel sees of two rows. Every kernel but the user's own is a formula in one number u
// made from the pair, so that whole blocks of u come from one matrix product and the formula is applied element by
// element.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

namespace lacuna::kernels {

enum class Geometry {
  dot,              ///< u = x . x'
  distance,         ///< u = ||x - x'||^2
  scaled_distance,  ///< u = sum_k theta_k (x_k - x'_k)^2, one theta for each feature
  given,            ///< u is the entry of the data itself: rows of a kernel matrix computed elsewhere
  rows,             ///< the two rows themselves (user-written kernels)
};

/// The data's own scale: where a search for kernel parameters begins.
struct DataScale {
  double theta = 1.0;       ///< 1 / median squared distance between distinct rows
  double neighbours = 1.0;  ///< 1 / median squared distance of a row to the nearest one distinct from it
  double dot = 1.0;         ///< mean of x . x
};

}  // namespace lacuna::kernels
