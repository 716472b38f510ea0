// kernel/custom.hpp -- a kernel written by the user, behind one level of indirection. It must be symmetric and positive
// semi-definite; its parameters must be positive. A model that uses one cannot be saved to a file.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lacuna/kernel/geometry.hpp"

namespace lacuna::kernels {

struct Custom {
  std::string label;                          ///< for reports
  std::vector<std::string> parameter_labels;  ///< one for each parameter
  std::vector<double> parameter;              ///< current values, > 0

  using Row = std::span<const double>;
  std::function<double(Row x, Row y, Row parameter)> pair_value;
  /// Derivative in the logarithm of parameter p. Empty: parameters are searched without gradients.
  std::function<double(int p, Row x, Row y, Row parameter)> pair_d_log;
  /// Which parameters are inverse squared widths, where a search goes far towards 0; empty: none.
  std::vector<bool> scale = {};

  static constexpr std::string_view id = "custom";
  static constexpr Geometry geometry = Geometry::rows;
};

}  // namespace lacuna::kernels
