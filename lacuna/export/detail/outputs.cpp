#include "lacuna/export/detail/outputs.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/cpu/triangular.hpp"
#include "lacuna/export/detail/kernel_nodes.hpp"
#include "lacuna/export/detail/limit.hpp"
#include "lacuna/export/detail/seen_nodes.hpp"

namespace lacuna::onnx {
namespace {

RowMatrix dense_rows(const RowsView& X) {
  RowMatrix out(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i) dense_row(X, i, out.row(i).data());
  return out;
}

bool is_linear(const Kernel& kernel) { return std::holds_alternative<Linear>(kernel.form); }

// sum_j x_j alpha_j': with a linear kernel these d x m numbers stand for all rows, of which sparse ones can be too many
// to be written out.
RowMatrix linear_weights(const Model& model) {
  const Matrix& alpha = model.alpha;
  if (!model.X.is_sparse()) return model.X.dense().transpose() * alpha;
  const SparseMatrix& X = model.X.sparse();
  RowMatrix w = RowMatrix::Zero(X.cols, alpha.cols());
  for (Index j = 0; j < X.rows; ++j)
    for (auto k = std::size_t(X.row_start[std::size_t(j)]); k < std::size_t(X.row_start[std::size_t(j) + 1]); ++k)
      w.row(X.column[k]) += X.value[k] * alpha.row(j);
  return w;
}

// E, from the pair (triangular.hpp) of L and S = L^-1: E = D S'.
RowMatrix explaining(const Matrix& K, const Vector& beta, double lambda) {
  const Index n = K.rows();
  const Vector D = (beta / lambda).cwiseSqrt();
  cpu::Buffer pair(cpu::pair_size(n, n));
  Eigen::Map<Matrix> P(pair.data(), n, n + 1);
  for (Index j = 0; j < n; ++j) {
    P.col(j).tail(n - j) = D[j] * D.tail(n - j).cwiseProduct(K.col(j).tail(n - j));
    P(j, j) += 1.0;
  }
  if (!cpu::factor_and_invert(n, pair.data(), n))
    fail_numerical("export: the kernel matrix of the model is not positive definite");
  RowMatrix E = RowMatrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) E.col(j).head(j + 1) = D.head(j + 1).cwiseProduct(P.col(j + 1).head(j + 1));
  return E;
}

Value variances(const Model& model, const Value& rows, const Value& k) {
  const double n = double(model.X.rows()), free = available_bytes();
  if (const double need = 8.0 * n * n * (4.0 + double(model.sites.cols())); need > free)
    fail_data(fmt::format(
        "export: a Gaussian process of {} rows and {} outputs needs {:.1f} GB of memory; {:.1f} GB are free",
        model.X.rows(), model.sites.cols(), need / 1e9, free / 1e9));
  const Matrix K = cpu::kernel_matrix(model.kernel, model.X, model.X);
  std::vector<Value> explained;
  for (Index c = 0; c < model.sites.cols(); ++c) {
    const Value part = product(k, rows.graph->matrix(explaining(K, model.sites.col(c), model.lambda)));
    explained.push_back(row_sums(part * part));
  }
  return max(kernel_self(model.kernel, rows) - beside(explained), 0.0) / model.lambda;
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
  const Value b = encoded.graph->row(model.b);
  if (!model.members.empty()) {
    Value z = b;
    for (const Member& member : model.members) z = z + member.weight * machine_outputs(member.machine, encoded).z;
    return {z};
  }
  const Value rows = seen_rows(model, encoded);
  const bool latent = model.inference.has_value();
  if (is_linear(model.kernel) && !latent) return {product(rows, rows.graph->matrix(linear_weights(model))) + b};
  const Value k = kernel_block(model.kernel, rows, dense_rows(model.X));
  MachineOutputs out{product(k, rows.graph->matrix(model.alpha)) + b};
  if (latent) out.variance = variances(model, rows, k);
  return out;
}

Value noise_scale(const Model& model, const Value& encoded) {
  const Noise& noise = *model.intervals.noise;
  const Value rows = noise.centre.size() > 0 ? encoded - encoded.graph->row(noise.centre) : encoded;
  const Value k = kernel_block(noise.kernel, rows, dense_rows(noise.X));
  const Value z = product(k, rows.graph->matrix(noise.alpha)) + rows.graph->row(noise.b);
  return exp(min(max(0.5 * z, -700.0), 700.0));  // as noise_at() has it
}

}  // namespace lacuna::onnx
