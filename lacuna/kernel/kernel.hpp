// kernel/kernel.hpp -- kernel/ has one file per kernel: its formula and derivatives in the logarithms of its positive
// parameters (method 10). This file is the list, and what can be asked of any kernel. A new one is its file and its
// place in kernels::Form; parser, names, reports, model files and back ends follow from what its struct says of itself:
//
//   id                 its name                    geometry        what it is a formula of
//   names, members()   parameters to be searched   start(scale)    where their search begins
//   scale              which of them, if any, is an inverse squared width
//   value(u)           its formula, for any type that has exp, log1p, sqrt and pow: numbers, and values of an ONNX
//                      graph (export/); of numbers alone, models with it cannot be exported
//   d_u(u, k)          its derivative in u, where it is not that of a scale: "relevance" needs one
//   whole()            a whole number that is not searched, if it has one, and shorthands for some values of it
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/base/rows.hpp"
#include "lacuna/kernel/ard.hpp"
#include "lacuna/kernel/boolean.hpp"
#include "lacuna/kernel/custom.hpp"
#include "lacuna/kernel/linear.hpp"
#include "lacuna/kernel/matern.hpp"
#include "lacuna/kernel/polynomial.hpp"
#include "lacuna/kernel/precomputed.hpp"
#include "lacuna/kernel/rational_quadratic.hpp"
#include "lacuna/kernel/rbf.hpp"

namespace lacuna {

struct Kernel;

namespace kernels {

struct Sum {
  std::vector<Kernel> parts;
  static constexpr std::string_view id = "sum";
};

struct Product {
  std::vector<Kernel> parts;
  static constexpr std::string_view id = "prod";
};

/// k(w o x, w o x'): a kernel of inputs that are weighed, feature by feature. The weights are learned from the slopes
/// of fitted machines (select/relevance.hpp) or given; they are no parameters of a search.
struct Relevance {
  std::vector<Kernel> parts;      ///< one
  std::vector<double> weights{};  ///< one for each feature, > 0; empty until the number of features is known: all 1
  static constexpr std::string_view id = "relevance";
};

/// The list: any one of them.
using Form = std::variant<Rbf, Ard, Linear, Polynomial, Boolean, Matern12, Matern32, Matern52, RationalQuadratic, Sum,
                          Product, Relevance, Precomputed, Custom>;

template <class K>
concept Combination = std::is_same_v<K, Sum> || std::is_same_v<K, Product>;
/// Kernels made of others.
template <class K>
concept HasParts = Combination<K> || std::is_same_v<K, Relevance>;
/// Kernels that are a formula in one number u and a fixed set of parameters.
template <class K>
concept Elementwise = requires(const K& k) {
  k.d_log(0, 0.0, 0.0);
};

template <class K>
concept HasWhole = requires {
  K::whole();
};
template <class K>
concept HasScale = requires {
  K::scale;
};
/// Kernels with one theta for each feature.
template <class K>
concept PerFeature = requires(const K& k) {
  k.theta.size();
};

}  // namespace kernels

/// A kernel with all its parameters: a plain value.
struct Kernel {
  using Form = kernels::Form;
  Form form = kernels::Rbf{};

  Kernel() = default;
  template <class K>
  requires std::is_constructible_v<Form, K&&> &&(!std::is_same_v<std::remove_cvref_t<K>, Kernel>)Kernel(K&& k)
      : form(std::forward<K>(k)) {}  // NOLINT: any kernel is a Kernel
};

/// The parts of a sum or product, and the kernel that "relevance" weighs the inputs of; none of any other kernel.
std::span<const Kernel> kernel_parts(const Kernel& kernel);

/// The searchable parameters in a fixed order (parts of sums and products one after another), their names (theta1 or,
/// where features have names, theta(age)) and copies of the kernel with other values.
std::vector<double> kernel_parameters(const Kernel& kernel);
std::vector<std::string> parameter_names(const Kernel& kernel, const std::vector<std::string>& feature_names = {});
Kernel with_parameters(const Kernel& kernel, std::span<const double> values);
/// Which of them are inverse squared widths.
std::vector<bool> parameter_scales(const Kernel& kernel);
/// Where a search begins, from the scale of the data.
std::vector<double> start_values(const Kernel& kernel, const kernels::DataScale& scale);

/// k(x, y) for two dense rows; `column` is the training row that y is, for precomputed kernels. Plain and slow: what
/// the reference back end and the tests are made of.
double pair_value(const Kernel& kernel, std::span<const double> x, std::span<const double> y, Index column);
/// Its derivatives in the logarithms of all parameters, in order.
std::vector<double> pair_d_log(const Kernel& kernel, std::span<const double> x, std::span<const double> y,
                               Index column);

/// True when any part satisfies it.
bool uses_geometry(const Kernel& kernel, kernels::Geometry geometry);

/// What "relevance" multiplies each feature by before anything else sees it; empty: nothing does.
std::span<const double> column_weights(const Kernel& kernel);

/// theta = 1/median squared distance over pairs of distinct rows (weighted; a seeded sample above 600 rows), the same
/// of nearest rows, and the mean of x . x. Weight k counts as k copies of the row; rows of weight 0 do not count. Empty
/// weights: all 1. With `columns`, of rows whose features are multiplied by these.
kernels::DataScale data_scale(const RowsView& X, const Vector& weights, std::span<const double> columns = {});

}  // namespace lacuna
