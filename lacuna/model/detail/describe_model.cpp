#include "lacuna/model/detail/describe_model.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/slope.hpp"

namespace lacuna::detail {

std::string checked_kernel_text(const Kernel& kernel) {
  const std::string text = kernel_text(kernel);
  try {
    if (kernel_text(parse_kernel(text).kernel) == text) return text;
  } catch (const Error&) {
  }
  fail_usage(
      fmt::format("write: kernel {} exists only in the program that made it; a model with it cannot be saved", text));
}

Loss loss_named(std::string_view text) {
  std::optional<Loss> found;
  losses::for_each_loss([&]<class L>() {
    if (L::id == text) found = L{};
  });
  if (!found) fail_data("it is no loss");
  return *found;
}

std::string kernel_misfit(const Kernel& kernel, Index features) {
  if (const auto* ard = std::get_if<kernels::Ard>(&kernel.form); ard && Index(ard->theta.size()) != features)
    return fmt::format("the kernel has {} relevances for {} features", ard->theta.size(), features);
  if (const auto* k = std::get_if<kernels::Relevance>(&kernel.form)) {
    if (Index(k->weights.size()) != features)
      return fmt::format("the kernel has {} weights for {} features", k->weights.size(), features);
    if (!has_slopes(kernel)) return "the kernel weighs features that it does not see";
  }
  const bool combines = std::visit([]<class K>(const K&) { return kernels::HasParts<K>; }, kernel.form);
  if (combines && kernel_parts(kernel).empty()) return "a sum or product of kernels has no parts";
  for (const Kernel& part : kernel_parts(kernel))
    if (std::string why = kernel_misfit(part, features); !why.empty()) return why;
  return "";
}

std::string sparse_misfit(const SparseMatrix& s) {
  if (s.row_start.front() != 0 || s.row_start.back() != std::int64_t(s.value.size()) ||
      !std::is_sorted(s.row_start.begin(), s.row_start.end()))
    return "the sparse rows do not add up";
  for (std::size_t i = 0; i < std::size_t(s.rows); ++i)
    for (std::int64_t k = s.row_start[i] + 1; k < s.row_start[i + 1]; ++k)
      if (s.column[std::size_t(k)] <= s.column[std::size_t(k) - 1]) return "the columns of a sparse row do not ascend";
  return "";
}

std::string task_misfit(const Model& model) {
  const auto classes = Index(model.classes.size()), m = model.alpha.cols(), names = Index(model.target_names.size());
  const bool fits = model.task == Task::binary       ? classes == 2 && m == 1
                    : model.task == Task::multiclass ? classes >= 2 && classes == m
                                                     : classes == 0;
  if (!fits) return fmt::format("{} classes and {} outputs do not make a {} task", classes, m, name_of(model.task));
  if (names > (classes > 0 ? 1 : m) || (classes == 0 && names != 0 && names != m))
    return "it has not one name for each target";
  const auto positions = Index(model.encoding.target_positions.size());
  if (names != 0 && positions != 0 && names != positions) return "it has not one column for each target";
  return "";
}

std::string likelihood_misfit(const Model& model) {
  const bool classes = !model.classes.empty();
  if (!(classes ? for_classes(model.loss) : for_numbers(model.loss)))
    return fmt::format("a {} loss does not make a {} task", name_of(model.loss), name_of(model.task));
  if (model.calibration.fitted && !classes) return "probabilities are calibrated and there are no classes";
  if (model.threshold_rule && model.task != Task::binary) return "a threshold is chosen and there are not two classes";
  if (model.costs && std::size_t(model.costs->price.rows()) != model.classes.size())
    return "its prices are not those of its classes";
  if (const Matrix& c = model.report.confusion; c.size() > 0 && std::size_t(c.rows()) != model.classes.size())
    return "its confusion is not that of its classes";
  if (model.report.cheapest >= int(model.classes.size())) return "the cheapest class is none of its classes";
  if (!model.inference) return "";
  const bool probit = std::holds_alternative<losses::Probit>(model.loss);
  if (!probit && (model.inference == Inference::ep || !std::holds_alternative<losses::Logistic>(model.loss)))
    return fmt::format("a Gaussian process cannot have a {} likelihood with this approximation", name_of(model.loss));
  return uses_geometry(model.kernel, kernels::Geometry::given) ? "a Gaussian process cannot have a precomputed kernel"
                                                               : "";
}

std::string member_misfit(const Model& stack, const Model& member) {
  if (member.inference) return "a member of a stack is a Gaussian process";
  if (uses_geometry(member.kernel, kernels::Geometry::given)) return "a member of a stack has a precomputed kernel";
  if (member.task != stack.task || member.classes != stack.classes) return "a member of a stack has another task";
  return "";
}

}  // namespace lacuna::detail
