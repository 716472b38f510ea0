#include "lacuna/export/onnx.hpp"

#include "lacuna/export/detail/answers.hpp"
#include "lacuna/kernel/specification.hpp"

namespace lacuna {

std::string to_onnx(const Model& model) {
  onnx::require_exportable(model);
  const std::set<std::string> names = onnx::input_names(model);
  onnx::Graph graph(names);
  const onnx::Inputs inputs = onnx::add_inputs(graph, model);
  const onnx::MachineOutputs outputs = onnx::machine_outputs(model, inputs.encoded);
  onnx::add_answers(graph, model, inputs, outputs, names);
  const std::string kernel = model.members.empty() ? kernel_text(model.kernel) : "stack";
  return onnx::onnx_bytes(graph, {{"model", model.report.model}, {"kernel", kernel}});
}

}  // namespace lacuna
