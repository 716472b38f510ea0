// basis/basis.hpp -- basis/ chooses the rows that a sparse machine expresses itself in, one file per way (method 7).
// This file: the list, and what they have in common. With basis S, what row i keeps of its squared norm in feature
// space is
//
//   delta_i = 1 - k_Si' K_SS^-1 k_Si / k_ii
//
// and the mean of delta over the rows says how much the basis cannot express. Every way ends at the size asked for,
// when the mean falls to a threshold, or when every further row is numerically a combination of those chosen. The same
// seed gives the same rows. Rows of weight 0 are neither chosen nor counted; others count, and are drawn, by their
// weight, as if each stood there so many times. Basis vectors of one's own need no choosing: Backend::features takes
// any rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/base/observer.hpp"
#include "lacuna/compute/compute.hpp"

namespace lacuna {

enum class BasisMethod {
  greedy,      ///< the row that lowers the mean of delta most; exact, O(l^2 n) time and l^2 doubles
  stochastic,  ///< the best of 59 random rows, judged on 1,000 random rows; cost does not grow with l
  pivoted,     ///< the row with the largest k_ii delta_i (pivoted Cholesky), O(l n^2) over at most `sample` rows
  random,      ///< by weight
  kmeans,      ///< far apart: each drawn with probability as its squared distance from those chosen (k-means++)
};
std::string_view name_of(BasisMethod method);
/// Throws Error(usage) with the nearest name.
BasisMethod parse_basis_method(std::string_view text);
const std::vector<std::string>& basis_method_names();

struct BasisOptions {
  Index size = 100;        ///< at most this many
  double residual = 0.0;   ///< stop when the mean of delta is no more than this
  double singular = 1e-8;  ///< a row with delta below this counts as a combination of those chosen
  std::uint64_t seed = 0;
  Index candidates = 59;  ///< stochastic: the best of 59 is among the best 5 % with probability 95 %
  Index judged = 1000;    ///< stochastic, random, kmeans: rows on which the mean of delta is taken
  Index sample = 50'000;  ///< pivoted, kmeans: rows looked at (a seeded sample of more)
};

enum class BasisEnd { size, residual, singular, interrupted };
std::string_view name_of(BasisEnd end);

struct BasisChoice {
  std::vector<Index> rows;       ///< in the order of choice
  std::vector<double> residual;  ///< mean of delta after each (stochastic, random, kmeans: on the rows judged)
  BasisEnd end = BasisEnd::size;
};

/// Requires size >= 1, rows of one kind, weights empty or one for each row with some > 0, a kernel that is not
/// precomputed.
BasisChoice choose_basis(BasisMethod method, const Backend& backend, const Kernel& kernel, const RowsView& X,
                         const Vector& weights, const BasisOptions& options, const Observer& observer = {});

// The ways themselves, one file each; choose_basis checks what they require.
BasisChoice greedy_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                         const BasisOptions& options, const Observer& observer);
BasisChoice stochastic_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                             const BasisOptions& options, const Observer& observer);
BasisChoice pivoted_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                          const BasisOptions& options, const Observer& observer);
BasisChoice random_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                         const BasisOptions& options, const Observer& observer);
BasisChoice kmeans_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                         const BasisOptions& options, const Observer& observer);

}  // namespace lacuna
