// export/detail/answers.hpp -- what a caller gets for every row, as predict says it (model/model.hpp):
//
//   classes   label (N), output and, where the model has them, probabilities; a Gaussian process also variance
//   values    prediction and, where the model has intervals, lower and upper
//   counts    prediction (exposure included) and rate
//
// All but labels are N x m. Rows that nothing can be said of (inputs.hpp), and those whose outputs no double can hold,
// have NaN and the label "" (whole numbers: the least there is; other numbers: NaN).
#pragma once

#include <set>
#include <string>

#include "lacuna/export/detail/inputs.hpp"
#include "lacuna/export/detail/outputs.hpp"

namespace lacuna::onnx {

/// The names of all answers; one that an input has gets a "_" behind it.
void add_answers(Graph& graph, const Model& model, const Inputs& inputs, const MachineOutputs& outputs,
                 const std::set<std::string>& input_names);

}  // namespace lacuna::onnx
