// export/detail/variance_nodes.hpp -- the variances of a Gaussian process' latent outputs, as predict has them: in
// doubles, or where those have no digits left (compute/host/unexplained.hpp) without rounding errors.
#pragma once

#include "lacuna/export/detail/value.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna::onnx {

/// For rows as the kernel sees them (N x d): N x m.
Value variances(const Model& model, const Value& rows);

}  // namespace lacuna::onnx
