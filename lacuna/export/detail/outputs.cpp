#include "lacuna/export/detail/outputs.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/host/precise.hpp"
#include "lacuna/export/detail/kernel_nodes.hpp"
#include "lacuna/export/detail/limit.hpp"
#include "lacuna/export/detail/seen_nodes.hpp"
#include "lacuna/export/detail/twofold_nodes.hpp"
#include "lacuna/export/detail/variance_nodes.hpp"
#include "lacuna/model/predictor.hpp"

namespace lacuna::onnx {
namespace {

bool is_linear(const Kernel& kernel) { return std::holds_alternative<kernels::Linear>(kernel.form); }

// sum_j k(x, z_j) alpha_j' + b, as predict has it: in twice the digits where the terms cancel.
Value expansion(const Kernel& kernel, const Value& rows, const Rows& Z, const Matrix& alpha, const Vector& b) {
  Graph& graph = *rows.graph;
  if (!wants_precision(kernel, Z, alpha))
    return product(kernel_block(kernel, rows, compute::cpu::dense_copy(Z)), graph.matrix(alpha)) + graph.row(b);
  const Twofold<Value> k = precise_kernel_block(kernel, rows, compute::cpu::dense_copy(Z));
  std::vector<Value> out;
  for (Index c = 0; c < alpha.cols(); ++c) out.push_back(column_sum(times(k, graph.row(alpha.col(c))), Z.rows()).high);
  return beside(out) + graph.row(b);
}

// x w + b, as predict has it: in twice the digits, unless the rows are sparse, whose columns may be too many for that.
Value weighed(const Value& rows, const LinearWeights& weights, bool sparse, const Vector& b) {
  Graph& graph = *rows.graph;
  const Twofold<RowMatrix> w = weights.values();
  if (sparse) return product(rows, graph.matrix(w.high)) + graph.row(b);
  std::vector<Value> out;
  for (Index c = 0; c < w.high.cols(); ++c) {
    const Twofold<Value> column{graph.row(w.high.col(c)), graph.row(w.low.col(c))};
    out.push_back(column_sum(times(column, rows), w.high.rows()).high);
  }
  return beside(out) + graph.row(b);
}

// As the kernel sees them.
Value seen_rows(const Model& model, const Value& encoded) {
  const Value rows = seen(model.representation, encoded);
  return model.centre.size() > 0 ? rows - rows.graph->row(model.centre) : rows;
}

// Bytes of the machine in the file; `because`: how there might be fewer.
double machine_bytes(const Model& model, const char*& because) {
  const double n = double(model.X.rows()), d = double(model.X.cols()), m = double(model.alpha.cols());
  if (model.inference) {
    because =
        ": the variances of a Gaussian process take n^2 numbers for each output; a machine on a basis, such as "
        "`model=klr` with `basis=500`, has none";
    return 8.0 * n * (n * m + d + m);
  }
  if (is_linear(model.kernel)) return 8.0 * d * m;
  because = "; a machine on a basis (`basis=500`) has fewer rows";
  return 8.0 * n * (d + m);
}

}  // namespace

void require_exportable(const Model& model) {
  if (model.intervals.jackknife)
    fail_usage("export: jackknife+ intervals have no ONNX form; fit with `interval=0.9`, which has one");
  const char* because = "";
  double bytes = 0.0;
  const auto require = [&](const Model& machine) {
    require_exportable(machine.kernel);
    if (machine.X.rows() == 0 || machine.X.cols() == 0) fail_usage("export: the model has no rows or no features");
    bytes += machine_bytes(machine, because);
  };
  if (model.members.empty()) require(model);
  for (const Member& member : model.members) require(member.machine);
  if (const auto& noise = model.intervals.noise) {
    require_exportable(noise->kernel);
    bytes += 8.0 * double(noise->X.rows()) * double(noise->X.cols() + noise->alpha.cols());
  }
  require_size(bytes, because);
}

MachineOutputs machine_outputs(const Model& model, const Value& encoded) {
  if (!model.members.empty()) {
    Value z = encoded.graph->row(model.b);
    for (const Member& member : model.members) z = z + member.weight * machine_outputs(member.machine, encoded).z;
    return {z};
  }
  const Value rows = seen_rows(model, encoded);
  const bool latent = model.inference.has_value();
  if (is_linear(model.kernel) && !latent) return {weighed(rows, linear_weights(model), model.X.is_sparse(), model.b)};
  MachineOutputs out{expansion(model.kernel, rows, model.X, model.alpha, model.b)};
  if (latent) out.variance = variances(model, rows);
  return out;
}

Value noise_scale(const Model& model, const Value& encoded) {
  const Noise& noise = *model.intervals.noise;
  const Value rows = noise.centre.size() > 0 ? encoded - encoded.graph->row(noise.centre) : encoded;
  Value z = expansion(noise.kernel, rows, noise.X, noise.alpha, noise.b);
  if (noise.least.size() > 0) z = smaller(larger(z, rows.graph->row(noise.least)), rows.graph->row(noise.largest));
  return exp(min(max(0.5 * z, -700.0), 700.0));  // as noise_at() has it
}

}  // namespace lacuna::onnx
