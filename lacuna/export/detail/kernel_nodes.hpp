// export/detail/kernel_nodes.hpp -- kernels as nodes of a graph. Their formulas are those of kernel/, instantiated for
// values of a graph instead of numbers; this file makes what they are formulas of.
//
//   u = x . x'         one matrix product
//   u = ||x - x'||^2   from the differences, feature by feature: a Scan that adds (x_k - x'_k)^2 to an N x n matrix
//
// The expansion |x|^2 + |x'|^2 - 2 x . x' would be one matrix product, about five times as fast, but it has an error of
// eps |x|^2 wherever x is near x', and matern12 takes the square root of that: 1e-8. predict computes pairs that are so
// near from their differences; a graph would have to do so for all pairs.
#pragma once

#include "lacuna/base/rows.hpp"
#include "lacuna/base/twofold.hpp"
#include "lacuna/export/detail/value.hpp"
#include "lacuna/kernel/kernel.hpp"

namespace lacuna::onnx {

/// Throws Error(usage), saying why, when a kernel has no graph: precomputed ones, those written by the user, and those
/// whose formula is one of numbers only.
void require_exportable(const Kernel& kernel);

/// k(x_i, z_j) for the rows of x (N x d) and of Z: N x n. Requires: exportable.
Value kernel_block(const Kernel& kernel, const Value& x, const RowMatrix& Z);
/// The same in twice the digits, some hundred nodes for each: for expansions whose terms cancel.
Twofold<Value> precise_kernel_block(const Kernel& kernel, const Value& x, const RowMatrix& Z);
/// k(x_i, x_i): N x 1, or one number where it is the same for all rows.
Value kernel_self(const Kernel& kernel, const Value& x);
/// The same in twice the digits; x has that many columns.
Twofold<Value> precise_kernel_self(const Kernel& kernel, const Value& x, std::int64_t features);

}  // namespace lacuna::onnx
