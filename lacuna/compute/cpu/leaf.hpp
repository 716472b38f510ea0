// compute/cpu/leaf.hpp -- factor and invert one small block, the bottom of the recursion in triangular.cpp.
//
// One elimination yields both triangles. Write column k of the square array as w: above the diagonal the part of S'
// found so far, below it what is left of A. Step k scales w by 1/sqrt(w_k), which completes column k of L and of S',
// and subtracts w_i w from every later column i. n^3 flops instead of 2/3 n^3, but all of it full vectors: several
// times faster than dpotf2 + dtrti2 at this size.
#pragma once

#include "lacuna/base/matrix.hpp"

namespace lacuna::cpu {

/// On a pair (triangular.hpp) of order n <= kLeaf. Returns 0, or the order of the first leading minor not positive.
Index factor_and_invert_leaf(Index n, double* P, Index ld);

}  // namespace lacuna::cpu
