// select/detail/apart.hpp -- parts of a sum or a product that could change places, such as the two of sum(rbf,rbf).
// Begun alike they have the same gradient and stay alike for ever: a search would never see two widths. So they begin
// apart, and the start design (select/start_design.hpp) also looks farther apart.
#pragma once

#include "lacuna/kernel/specification.hpp"

namespace lacuna::detail {

/// Of every parameter of a kernel: which place its part has among those that it could change places with, 0, 1, 2 ...,
/// and the same about their middle (-0.5 and 0.5 for two of them). 0 for whatever need not move: it is the thetas of
/// such parts that do or, where none is free, all that are free. Parts are interchangeable when they begin as the same
/// kernel with the same parameters free; sum(A,sum(B,C)) is a sum of three.
struct Places {
  std::vector<double> place, centred;
};
Places places_of_parts(const KernelSpec& spec);

}  // namespace lacuna::detail
