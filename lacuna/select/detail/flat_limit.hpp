// select/detail/flat_limit.hpp -- what a very wide Gaussian kernel acts as. As theta -> 0, up to terms that the bias
// takes up,
//
//   exp(-theta |x - x'|^2)  ->  2 theta x.x' + 2 theta^2 (x.x')^2 + (4/3) theta^3 (x.x')^3 + ...
//
// so that a regulariser that falls like theta leaves a linear machine with ridge lambda/(2 theta) (method 11), one that
// falls like theta^2 a quadratic one with lambda/(2 theta^2), and one like theta^3 a cubic one: no interpolation, but a
// polynomial. Under a penalty on the coefficients this does not hold, since squared norms are of the same order there;
// nor for Gaussian processes, which have no bias.
#pragma once

#include <string>

#include "lacuna/select/select.hpp"

namespace lacuna::detail {

/// The plainest of linear, poly2 and poly3 that does as well (within half a per cent of the criterion); no name: none
/// does, or the kernel found is not a wide Gaussian one.
struct Plainer {
  std::string name = {};
  double criterion = 0.0;
};
Plainer acts_as(const Problem& problem, const Selection& chosen);

}  // namespace lacuna::detail
