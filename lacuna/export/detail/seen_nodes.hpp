// export/detail/seen_nodes.hpp -- encoded rows seen another way (data/representation.hpp) as nodes of a graph. Such a
// feature is a piecewise linear function of one column:
//
//   f(x) = v_k + (x - a_k)/(a_{k+1} - a_k) (v_{k+1} - v_k),   k the number of knots a at or below x
//
// in the same order of operations as represent() has, so that both round alike. Features of one column share its knots:
// their values and rises are rows of two matrices, gathered by k.
#pragma once

#include "lacuna/data/representation.hpp"
#include "lacuna/export/detail/value.hpp"

namespace lacuna::onnx {

/// N x features of the representation, from N x inputs; as they are where it is empty.
Value seen(const Representation& representation, const Value& rows);

}  // namespace lacuna::onnx
