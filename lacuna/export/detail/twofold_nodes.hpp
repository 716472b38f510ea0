// export/detail/twofold_nodes.hpp -- sums of values in twice the digits (base/twofold.hpp), as nodes of a graph.
#pragma once

#include "lacuna/base/twofold.hpp"
#include "lacuna/export/detail/value.hpp"

namespace lacuna::onnx {

/// The sum of the n columns of a (N x n), N x 1.
Twofold<Value> column_sum(Twofold<Value> a, std::int64_t n);

}  // namespace lacuna::onnx
