#include "lacuna/export/onnx.hpp"

#include "lacuna/base/error.hpp"
#include "lacuna/export/detail/answers.hpp"
#include "lacuna/export/detail/kernel_nodes.hpp"
#include "lacuna/kernel/specification.hpp"

namespace lacuna {

std::string to_onnx(const Model& model) {
  if (!model.members.empty()) fail_usage("export: a stack has no ONNX form; fit one machine with `effort=normal`");
  if (!model.representation.empty())
    fail_usage("export: a model that sees columns as codes or scores has no ONNX form; fit one with `effort=quick`");
  if (model.intervals.jackknife)
    fail_usage("export: jackknife+ intervals have no ONNX form; fit with `interval=0.9`, which has one");
  onnx::require_exportable(model.kernel);
  if (model.intervals.noise) onnx::require_exportable(model.intervals.noise->kernel);
  if (model.X.rows() == 0 || model.X.cols() == 0) fail_usage("export: the model has no rows or no features");
  const std::set<std::string> names = onnx::input_names(model);
  onnx::Graph graph(names);
  const onnx::Inputs inputs = onnx::add_inputs(graph, model);
  const onnx::MachineOutputs outputs = onnx::machine_outputs(model, inputs.rows);
  onnx::add_answers(graph, model, inputs, outputs, names);
  return onnx::onnx_bytes(graph, {{"model", model.report.model}, {"kernel", kernel_text(model.kernel)}});
}

}  // namespace lacuna
