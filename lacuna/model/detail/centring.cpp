#include "lacuna/model/detail/centring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/data/centre.hpp"

namespace lacuna::detail {
namespace {

constexpr double worth_a_copy = 1e3;  // of a column's deviation, for kernels that are the same anywhere
constexpr double far_off = 1e4;       // x . x' loses the square of this: eight of sixteen digits

enum class Shift { nothing, bias, another };  // what a shift of all rows changes

Shift shift_changes(const Kernel& kernel) {
  if (!kernel_parts(kernel).empty()) {
    Shift worst = Shift::nothing;
    for (const Kernel& part : kernel_parts(kernel)) worst = std::max(worst, shift_changes(part));
    const bool product = std::holds_alternative<kernels::Product>(kernel.form);
    return product && worst == Shift::bias ? Shift::another : worst;
  }
  if (std::holds_alternative<kernels::Linear>(kernel.form)) return Shift::bias;
  const auto* polynomial = std::get_if<kernels::Polynomial>(&kernel.form);
  if (polynomial && polynomial->degree == 1) return Shift::bias;
  const bool differences =
      uses_geometry(kernel, kernels::Geometry::distance) || uses_geometry(kernel, kernels::Geometry::scaled_distance);
  return differences ? Shift::nothing : Shift::another;
}

bool has_free_bias(const TrainOptions& options) {
  return !options.model || (!options.model->inference && options.model->penalty == Penalty::norm);
}

}  // namespace

Vector centre_for(const Dataset& data, const RowSource& X, const TrainOptions& options) {
  const Shift shift = shift_changes(options.kernel.kernel);
  const bool sparse = X.in_memory() && X.view().is_sparse();
  if (shift == Shift::another || (shift == Shift::bias && !has_free_bias(options))) return {};
  if (shift == Shift::nothing && !sparse) return {};
  Centre centre = centre_of(X, data.weights);
  const bool wanted = shift == Shift::bias ? (centre.at.array() != 0.0).any() : centre.largest > worth_a_copy;
  return wanted && centre.at.allFinite() ? std::move(centre.at) : Vector();
}

std::string far_from_origin(const RowsView& X, const Vector& weights, const TrainOptions& options) {
  const Kernel& kernel = options.kernel.kernel;
  const Shift shift = shift_changes(kernel);
  if (!uses_geometry(kernel, kernels::Geometry::dot) || (shift == Shift::bias && has_free_bias(options))) return "";
  const Centre centre = centre_of(X, weights);
  const double ratio = centre.at.norm() / centre.spread;
  if (!(ratio > far_off) || !std::isfinite(ratio)) return "";
  return fmt::format(
      "the rows lie {:.2g} times as far from the origin as they differ, and kernel {} then loses about {} of 16 "
      "digits; standardise (leave out `no_standardise`), or subtract a constant from each column",
      ratio, kernel_text(kernel), std::min(16, int(std::ceil(2.0 * std::log10(ratio)))));
}

}  // namespace lacuna::detail
