// export/onnx.hpp -- export/ makes files of a model for other programs. This file: ONNX, a graph of plain operators in
// double precision that computes what predict computes, from a table's own columns to labels and probabilities. The SVM
// operators of ONNX would be shorter, but their arithmetic is single precision.
//
// Every formula comes from where the library has it: kernels are the templates of kernel/, evaluated on nodes of the
// graph instead of numbers. ONNX Runtime agrees with predict() to 1e-12, also where terms of outputs cancel: both
// compute those in twice the digits (compute/host/precise.hpp).
#pragma once

#include <string>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// The bytes of an ONNX file. Inputs and outputs: export/detail/inputs.hpp, answers.hpp, and docs/guide/onnx.md. Throws
/// Error(usage) for kernels that are not formulas (precomputed, user-written), and for files above 2 GB.
std::string to_onnx(const Model& model);

}  // namespace lacuna
