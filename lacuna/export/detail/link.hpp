// export/detail/link.hpp -- outputs as probabilities (model/probability.hpp), by their logarithms: rows far from all
// classes have probabilities that no double can hold before they are divided by their sum.
#pragma once

#include "lacuna/export/detail/value.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna::onnx {

/// N x classes, from outputs (of a Gaussian process: moderated ones), N x m.
Value probabilities(const Model& model, const Value& z);

}  // namespace lacuna::onnx
