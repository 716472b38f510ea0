#include "lacuna/model/detail/check_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lacuna::detail {
namespace {

std::string misfit_of_kernel(const Kernel& kernel, Index features) {
  if (const auto* ard = std::get_if<Ard>(&kernel.form); ard && Index(ard->theta.size()) != features)
    return fmt::format("the kernel has {} relevances for {} features", ard->theta.size(), features);
  const std::vector<Kernel>* parts = nullptr;
  if (const auto* sum = std::get_if<Sum>(&kernel.form)) parts = &sum->parts;
  if (const auto* product = std::get_if<Product>(&kernel.form)) parts = &product->parts;
  if (!parts) return "";
  if (parts->empty()) return "a sum or product of kernels has no parts";
  for (const Kernel& part : *parts)
    if (std::string why = misfit_of_kernel(part, features); !why.empty()) return why;
  return "";
}

std::string misfit_of_rows(const Rows& X) {
  if (!X.is_sparse()) return X.dense().allFinite() ? "" : "a row holds a number that is not finite";
  const SparseMatrix& s = X.sparse();
  for (const double v : s.value)
    if (!std::isfinite(v)) return "a row holds a number that is not finite";
  const auto entries = std::int64_t(s.value.size());
  if (s.row_start.size() != std::size_t(s.rows) + 1 || s.row_start.front() != 0 || s.row_start.back() != entries ||
      s.column.size() != s.value.size() || !std::is_sorted(s.row_start.begin(), s.row_start.end()))
    return "the sparse rows do not add up";
  for (std::size_t i = 0; i < std::size_t(s.rows); ++i)
    for (std::int64_t k = s.row_start[i]; k < s.row_start[i + 1]; ++k) {
      const std::int32_t j = s.column[std::size_t(k)];
      if (j < 0 || j >= s.cols || (k > s.row_start[i] && j <= s.column[std::size_t(k) - 1]))
        return "the columns of a sparse row do not ascend";
    }
  return "";
}

std::string misfit_of_encoding(const Encoding& e) {
  if (e.sparse && !e.columns.empty()) return "a sparse encoding has named columns";
  constexpr Index most = std::numeric_limits<std::int32_t>::max();
  if (e.sparse_columns > most || e.table_columns < 0) return "the number of columns cannot be";
  for (const ColumnCode& c : e.columns)
    if (!std::isfinite(c.fill) || c.position < 0 || c.position >= e.table_columns)
      return fmt::format("column '{}' is described wrongly", c.name);
  for (const std::int32_t p : e.target_positions)
    if (p < 0 || p >= e.table_columns) return "a target's column does not exist";
  if (!e.offset_column.empty() && (e.offset_position < 0 || e.offset_position >= e.table_columns))
    return "the offset's column does not exist";
  std::int32_t before = -1;
  for (const FeatureCode& f : e.features) {
    const std::string wrong = fmt::format("feature '{}' is described wrongly", f.name);
    if (!std::isfinite(f.centre) || !std::isfinite(f.scale) || f.scale == 0.0 || f.column < 0) return wrong;
    if (e.sparse) {
      if (f.column >= e.sparse_columns || f.column <= before) return wrong;
      before = f.column;
      continue;
    }
    if (std::size_t(f.column) >= e.columns.size()) return wrong;
    const ColumnCode& c = e.columns[std::size_t(f.column)];
    const std::int32_t levels = c.categorical ? std::int32_t(c.levels.size()) : 0;
    if (c.categorical ? f.level < 0 || f.level >= levels : f.level != -1) return wrong;
  }
  return "";
}

std::string misfit_of_held_out(const HeldOutRows& h, const Model& model) {
  const Index n = h.size(), m = model.alpha.cols();
  if (n == 0) return "";
  const bool classes = !model.classes.empty();
  const auto optional = [n](const Vector& v) { return v.size() == 0 || v.size() == n; };
  const auto of_outputs = [&](const Matrix& a) { return a.rows() == n && a.cols() == m; };
  const bool fitted = h.fitted.size() == 0 || of_outputs(h.fitted);
  const bool target = classes ? h.target.size() == 0 || of_outputs(h.target) : of_outputs(h.target);
  if (!of_outputs(h.output) || !fitted || !target || !optional(h.offset) || !optional(h.leverage) ||
      !optional(h.trust) || (classes && Index(h.label.size()) != n))
    return "the held-out rows do not fit the model";
  for (const int label : h.label)
    if (label < 0 || std::size_t(label) >= model.classes.size())
      return "a held-out row has a class that does not exist";
  return "";
}

std::string misfit_of_posterior(const Model& model) {
  const bool process = model.inference.has_value();
  if (process != (model.posterior != nullptr)) return "the precisions of a Gaussian process are absent or not wanted";
  const Matrix& held = model.held_out.variance;
  if ((process && model.held_out.size() > 0) != (held.size() > 0)) return "held-out variances are absent or not wanted";
  if (!process) return "";
  const Matrix& beta = model.posterior->beta();
  const bool probit = std::holds_alternative<Probit>(model.loss);
  if (!probit && (model.inference == Inference::ep || !std::holds_alternative<Logistic>(model.loss)))
    return fmt::format("a Gaussian process cannot have a {} likelihood with this approximation", name(model.loss));
  if (uses(model.kernel, Geometry::given)) return "a Gaussian process cannot have a precomputed kernel";
  if (beta.rows() != model.alpha.rows() || beta.cols() != model.alpha.cols())
    return "the precisions of the Gaussian process do not fit its rows";
  if (!beta.allFinite() || !(beta.array() > 0.0).all()) return "a precision of the Gaussian process is not positive";
  if (held.size() > 0 && (held.rows() != model.held_out.size() || held.cols() != model.alpha.cols() ||
                          !held.allFinite() || held.minCoeff() < 0.0))
    return "the held-out variances do not fit the model";
  return "";
}

std::string misfit_of_intervals(const Intervals& intervals, Index outputs) {
  const Vector& width = intervals.half_width;
  if (width.size() == 0) return "";
  if (width.size() != outputs || !width.allFinite() || width.minCoeff() < 0.0)
    return "its intervals do not fit its outputs";
  return "";
}

}  // namespace

std::string misfit(const Model& model) {
  // A model of a kernel matrix keeps no rows, only how many there were: its coefficients count columns.
  const bool matrix = std::holds_alternative<Precomputed>(model.kernel.form);
  const Index d = model.X.cols(), l = matrix ? d : model.X.rows(), m = model.alpha.cols();
  const std::size_t classes = model.classes.size();
  if (m < 1) return "it has no outputs";
  if (model.alpha.rows() != l || model.b.size() != m) return "its coefficients do not fit its rows";
  if (uses(model.kernel, Geometry::given) && (d != l || model.X.is_sparse())) return "its kernel matrix is not square";
  if (model.centre.size() > 0 && (model.centre.size() != d || !model.centre.allFinite() || matrix))
    return "its centre does not fit its rows";
  if (!model.alpha.allFinite() || !model.b.allFinite()) return "a coefficient is not finite";
  if (!std::isfinite(model.lambda) || model.lambda <= 0.0) return "its lambda is not positive";
  const bool task_fits = model.task == Task::binary       ? classes == 2 && m == 1
                         : model.task == Task::multiclass ? classes >= 2 && Index(classes) == m
                                                          : classes == 0;
  const bool classes_only = std::holds_alternative<Logistic>(model.loss) ||
                            std::holds_alternative<Probit>(model.loss) ||
                            std::holds_alternative<SquaredHinge>(model.loss);
  if (classes_only && classes == 0)
    return fmt::format("a {} loss does not make a {} task", name(model.loss), name(model.task));
  if (!task_fits) return fmt::format("{} classes and {} outputs do not make a {} task", classes, m, name(model.task));
  if (model.task != Task::binary && model.task != Task::multiclass && !model.target_names.empty() &&
      Index(model.target_names.size()) != m)
    return "it has not one name for each target";
  if (!model.encoding.features.empty() && Index(model.encoding.features.size()) != d)
    return fmt::format("{} features are encoded and {} are used", model.encoding.features.size(), d);
  for (std::string why :
       {misfit_of_kernel(model.kernel, d), misfit_of_rows(model.X), misfit_of_encoding(model.encoding),
        misfit_of_held_out(model.held_out, model), misfit_of_posterior(model), misfit_of_intervals(model.intervals, m)})
    if (!why.empty()) return why;
  return "";
}

}  // namespace lacuna::detail
