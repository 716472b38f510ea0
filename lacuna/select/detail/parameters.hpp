// select/detail/parameters.hpp -- what a search may change: the regulariser, the kernel's parameters and, for a
// Gaussian process, the constant mean of its prior. Which of them are free, where they begin, and how a point of the
// search becomes values:
//
//   positive ones     exp(x)
//   the mean m        x sqrt(1 + k/lambda), k the mean of k(x, x) over the rows at the start: in units of the prior's
//                     deviation, so
//                     that its box does not depend on the others; a prior of no variance still has any mean that a
//                     class's share asks for
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/base/warning.hpp"
#include "lacuna/compute/held_out.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/select/start_design.hpp"

namespace lacuna::detail {

/// Kernel parameters where a search begins: those given, and for the others what suits the scale of the data; parts
/// that could change places begin apart (apart.hpp).
std::vector<double> kernel_start(const KernelSpec& spec, const RowsView& X, const Vector& scale_weights);

/// Where the regulariser begins, and its box as factors of that; the lower end is no lower than rounding allows, below
/// which a criterion is noise (method 11).
struct RegulariserBox {
  double start = 1.0;
  double down = 1e-10, up = 1e6;
};

class Parameters {
 public:
  Parameters(const KernelSpec& spec, const char* regulariser, std::optional<double> lambda);
  /// With a mean, given or (empty) to be chosen; `self` is the k above.
  Parameters(const KernelSpec& spec, std::optional<double> lambda, std::optional<double> mean, double self);

  const std::vector<std::string>& names() const { return names_; }  ///< regulariser, kernel's, mean
  const std::vector<std::size_t>& free() const { return free_; }
  std::vector<std::string> free_names() const;
  /// All values, in the order of names(), at a point of the search.
  std::vector<double> values(const Vector& x) const;
  /// As they are kept: to four significant digits. More would be noise, and problems that differ by rounding only end
  /// at equal parameters.
  std::vector<double> settled(const Vector& x) const;
  /// The other way of values().
  Vector point(const std::vector<double>& values) const;
  Kernel kernel(const std::vector<double>& values) const;
  double mean(const std::vector<double>& values) const { return has_mean_ ? values.back() : 0.0; }

  /// d/dx from derivatives in log lambda, the logarithms of the kernel's parameters and m itself.
  Vector gradient(const compute::CriterionGradient& at, const std::vector<double>& values) const;

  /// Four to six decades about their start for the kernel's parameters, ten units either way for the mean.
  SearchSpace space(const std::vector<double>& kernel_start, const RegulariserBox& regulariser, double rows,
                    double neighbours) const;

  /// What a result says that sits on the box or did not come to an end. `interpolates`: what a regulariser at its lower
  /// end means; `regulariser_unit`: what 1 of it is to be shown as.
  Warnings warnings(const SearchSpace& space, const SearchResult& result, std::string_view interpolates,
                    double regulariser_unit = 1.0) const;

 private:
  bool is_mean(std::size_t p) const { return has_mean_ && p + 1 == names_.size(); }
  double unit_of_mean(double lambda) const;

  Kernel kernel_;
  std::vector<std::string> names_;
  std::vector<bool> scale_;    // inverse squared widths
  std::vector<double> place_;  // of the kernel's, among parts that could change places
  std::vector<std::optional<double>> given_;
  std::vector<std::size_t> free_;
  bool has_mean_ = false;
  double self_ = 1.0;
};

}  // namespace lacuna::detail
