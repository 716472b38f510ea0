#include "lacuna/export/detail/variance_nodes.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/base/slices.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/host/precise.hpp"
#include "lacuna/compute/host/unexplained.hpp"
#include "lacuna/export/detail/kernel_nodes.hpp"
#include "lacuna/export/detail/twofold_nodes.hpp"

namespace lacuna::onnx {
namespace {

// k(x, x) - ||E' k||^2 of one output, as Unexplained::at() does it.
class Unexplained {
 public:
  Unexplained(const Kernel& kernel, const Value& rows, const RowMatrix& X)
      : k_(precise_kernel_block(kernel, rows, X).high),
        parts_(slices(k_, power_of_two(row_maxima(abs(k_))))),
        self_(precise_kernel_self(kernel, rows, X.cols())),
        n_(X.rows()) {}

  Value after(const RowMatrix& E) const {
    Graph& graph = *k_.graph;
    Vector unit = E.cwiseAbs().colwise().maxCoeff();
    for (double& u : unit) u = lacuna::power_of_two(u);
    const auto e = slices(graph.matrix(E), graph.row(unit));
    const Twofold<Value> u =
        sum_of_slices<Value>([&](std::size_t s, std::size_t t) { return product(parts_[s], e[t]); });
    return max((self_ + -column_sum(square(u), n_)).high, 0.0);
  }

 private:
  Value k_;
  Slices<Value> parts_;
  Twofold<Value> self_;
  std::int64_t n_;
};

}  // namespace

Value variances(const Model& model, const Value& rows) {
  const double n = double(model.X.rows()), free = available_bytes();
  if (const double need = 8.0 * n * n * (4.0 + double(model.sites.cols())); need > free)
    fail_data(fmt::format(
        "export: a Gaussian process of {} rows and {} outputs needs {:.1f} GB of memory; {:.1f} GB are free",
        model.X.rows(), model.sites.cols(), need / 1e9, free / 1e9));
  const RowMatrix X = compute::cpu::dense_copy(model.X);
  std::optional<Value> k;
  std::optional<Unexplained> precise;
  std::vector<Value> out;
  for (Index c = 0; c < model.sites.cols(); ++c) {
    const Vector beta = model.sites.col(c);
    const RowMatrix E = explaining_matrix(model.kernel, model.X, beta, model.lambda);
    if (has_precise_values(model.kernel, model.X)) {
      if (!precise) precise.emplace(model.kernel, rows, X);
      out.push_back(precise->after(E));
    } else {
      if (!k) k = kernel_block(model.kernel, rows, X);
      const Value part = product(*k, rows.graph->matrix(E));
      out.push_back(max(kernel_self(model.kernel, rows) - row_sums(part * part), 0.0));
    }
  }
  return beside(out) / model.lambda;
}

}  // namespace lacuna::onnx
