// select/relevance.hpp -- weights of the inputs from the slopes of a fitted machine (method 15). For outputs f_c(x) =
// sum_j k(x, x_j) alpha_jc + b_c let
//
//   g_k = sum_i omega_i sum_c (df_c/dx_k (x_i))^2 / sum_i omega_i
//
// the diagonal of the average gradient outer product, in the inputs as they are, before any weights that the kernel
// gives them; omega_i are the weights that count rows. Then
//
//   w_k = max(g_k / mean of g, 1e-6)^(1/2),   all times a number that leaves the mean squared distance of rows as it is
//
// Features of one column of the data (the indicators of a category) share the mean of their g. One product of l^2 d
// behind the compute door.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/select/select.hpp"

namespace lacuna {

/// g at these hyper-parameters; empty where the machine cannot be fitted. Rows are in memory; requires
/// has_slopes(kernel).
Vector mean_squared_slopes(const Problem& problem, const Kernel& kernel, const Prior& prior);

/// The weighted variance of each feature; empty weights: all 1.
Vector feature_variances(const RowsView& X, const Vector& weights);

/// w, to four digits: more would be noise. `column` says which features are of one column of the data; empty: none
/// are. Empty where g says nothing: a machine that is flat, or slopes that are not finite.
std::vector<double> relevance_weights(Vector g, const Vector& variance, const std::vector<std::int32_t>& column);

}  // namespace lacuna
