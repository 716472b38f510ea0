// export/detail/outputs.hpp -- the outputs of the machine, z = K alpha + b, and the variances of a Gaussian process'
// latent ones,
//
//   (k(x, x) - |k'E|^2)/lambda,   E E' = M^-1,   M = K + lambda diag(1/beta),   E = D L^-T/sqrt(lambda),
//
// with L the Cholesky factor of A = I + D K D/lambda, D = diag(sqrt(beta)). A graph cannot solve, so E is in the file:
// n^2 numbers for each output. As a sum of squares it keeps more digits than k'M^-1 k would.
//
// A stack is the weighted sum of its members' outputs, each of which sees the rows in its own way.
#pragma once

#include <optional>

#include "lacuna/export/detail/value.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna::onnx {

struct MachineOutputs {
  Value z;                          ///< N x m
  std::optional<Value> variance{};  ///< N x m, Gaussian processes only
};

/// Throws Error(usage) for what has no graph: kernels that are not formulas, machines without rows or features, and
/// files of more than 2 GB.
void require_exportable(const Model& model);
/// Of encoded rows. Throws Error(data) when memory is too small, Error(numerical) when M cannot be factored. Requires:
/// an exportable model.
MachineOutputs machine_outputs(const Model& model, const Value& encoded);

/// s(x), by which the noise of values varies: N x m. Requires: intervals with such noise.
Value noise_scale(const Model& model, const Value& encoded);

}  // namespace lacuna::onnx
