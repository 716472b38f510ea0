// kernel/specification.hpp -- what the user says about a kernel: its form, and those parameters that are fixed. An
// empty parameter is one to select. In code `rbf()`, `rbf(0.5)`, `sum(rbf(), linear())`; in text "rbf",
// "rbf:theta=0.5", "poly:degree=4,c=1", "ard:theta=0.1/0.2/0.3", "sum(rbf:theta=1,linear)"; "relevance(rbf)", whose
// weights of the inputs are learned, "relevance(rbf):weights=0.5/1.3", whose are given, and
// "relevance(rbf):start=0.5/1.3", whose are learned from these on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/kernel/kernel.hpp"

namespace lacuna {

struct KernelSpec {
  Kernel kernel;
  std::vector<std::optional<double>> given;     ///< one for each of parameters(kernel): fixed, or empty = select it
  std::vector<std::string> feature_names = {};  ///< what the thetas of "ard" are of, in reports; empty: numbers
  /// "relevance": its weights are learned, beginning at those that the kernel has, or at 1 where it has none.
  bool learns = false;
};

KernelSpec linear();
KernelSpec polynomial(int degree, std::optional<double> c = {});
KernelSpec boolean(std::optional<double> eta = {});
KernelSpec rbf(std::optional<double> theta = {});
/// One theta for each feature, or one that holds for all; empty: all are selected.
KernelSpec ard(std::vector<double> theta = {});
KernelSpec matern12(std::optional<double> theta = {});
KernelSpec matern32(std::optional<double> theta = {});
KernelSpec matern52(std::optional<double> theta = {});
KernelSpec rational_quadratic(std::optional<double> theta = {}, std::optional<double> alpha = {});
KernelSpec precomputed();
/// All its parameters are selected, from the values they have.
KernelSpec custom(kernels::Custom kernel);
KernelSpec sum(std::vector<KernelSpec> parts);
KernelSpec product(std::vector<KernelSpec> parts);
/// A kernel of inputs that are weighed: weights are learned unless they are given, one for each feature.
KernelSpec relevance(KernelSpec kernel, std::vector<double> weights = {});
/// The same with weights that are learned from these on. They may have been learned on other rows, and are not kept
/// as they are unless they are all 1.
KernelSpec relevance_from(KernelSpec kernel, std::vector<double> start);

/// Throws Error(usage) naming what is wrong, with the nearest name that exists.
KernelSpec parse_kernel(std::string_view text);
/// The text that parse_kernel reads back to the same kernel with every parameter fixed.
std::string kernel_text(const Kernel& kernel);
/// Names that parse_kernel knows.
const std::vector<std::string>& kernel_names();

/// How they are written, for help: "rbf", "poly:degree=N", "sum(A,B)".
std::vector<std::string> kernel_usage();

/// Whether the kernel has derivatives in every parameter that is to be selected; user-written ones may have none.
bool is_differentiable(const KernelSpec& specification);

/// Gives "ard" and "relevance" their number of features; checks that values are positive and fit, that inputs with
/// weights have a kernel with slopes, and that user-written kernels have a value and one label for each parameter.
/// Throws Error(usage).
KernelSpec bind_kernel(const KernelSpec& specification, Index features);

}  // namespace lacuna
