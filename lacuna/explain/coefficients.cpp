#include "lacuna/explain/coefficients.hpp"

#include <algorithm>

#include "lacuna/model/predictor.hpp"

namespace lacuna {
namespace {

constexpr Index most_features = 3000;

bool is_linear(const Kernel& kernel) {
  if (std::holds_alternative<kernels::Linear>(kernel.form)) return true;
  if (!std::holds_alternative<kernels::Sum>(kernel.form) && !std::holds_alternative<kernels::Relevance>(kernel.form))
    return false;
  return std::ranges::all_of(kernel_parts(kernel), is_linear);
}

bool is_linear(const Model& model) {
  if (!model.representation.empty()) return false;
  if (model.members.empty()) return is_linear(model.kernel);
  return std::ranges::all_of(model.members, [](const Member& m) { return is_linear(m.machine); });
}

// A row of zeros, then one row for each feature with a 1 there.
Rows unit_rows(Index features, bool sparse) {
  if (!sparse) {
    RowMatrix out = RowMatrix::Zero(features + 1, features);
    out.bottomRows(features).diagonal().setOnes();
    return out;
  }
  SparseMatrix out;
  out.rows = features + 1;
  out.cols = features;
  out.row_start.push_back(0);
  for (Index f = 0; f < features; ++f) {
    out.column.push_back(std::int32_t(f));
    out.value.push_back(1.0);
    out.row_start.push_back(std::int64_t(f) + 1);
  }
  return out;
}

std::vector<double> numbers(const Vector& v) { return {v.begin(), v.end()}; }

}  // namespace

Coefficients coefficients_of(const Model& model, const std::vector<InputColumn>& columns, const Backend& backend) {
  const Index features = input_features(model);
  if (!is_linear(model) || features > most_features) return {};
  const Matrix z = Predictor(model, backend).outputs(unit_rows(features, model.X.is_sparse()));
  Coefficients out;
  Vector intercept = z.row(0);
  for (const InputColumn& column : columns)
    for (std::size_t k = 0; k < column.features.size(); ++k) {
      const FeatureCode& code = column.codes[k];
      const Vector slope = (z.row(column.features[k] + 1) - z.row(0)).transpose() / code.scale;
      intercept -= slope * code.centre;
      const bool number = !column.categorical;
      const std::string level = code.level < 0 ? "" : number ? "(missing)" : value_text(column, double(code.level));
      out.columns.push_back({column.name, level, numbers(slope)});
    }
  out.intercept = numbers(intercept);
  return out;
}

}  // namespace lacuna
