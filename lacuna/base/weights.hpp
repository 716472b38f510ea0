// base/weights.hpp -- what weights of rows count. A row of weight k stands for k copies of it, in a unit that nobody
// states: weights of 1 and of 10^-6 for all rows say the same. So rules that need a number of rows (a prior worth one
// row, the rank of a quantile, the width of a kernel) take it from here, and from nowhere else:
//
//   the weight of one row   u = sum w_i^2 / sum w_i
//   the number of rows      n = sum w_i / u = (sum w_i)^2 / sum w_i^2
//
// Equal weights make u their value and n their number. Rows of weight 0 do not count, nor do rows of next to none.
// No function of the weights alone can also be the same for weight k and for k copies in its place (l rows of weight k
// and k l rows of weight 1 are k l copies, and scaled to one another): what makes copies one row is that they are held
// out together. They are therefore gathered first (data/duplicates.hpp says which they are).
#pragma once

#include <utility>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

/// Weights >= 0, some > 0, copies gathered.
double weight_of_one_row(const Vector& weights);
double rows_counted(const Vector& weights);

/// Divides weights by a unit of their own and returns it, so that weights of any unit become the same numbers, to the
/// last bit: the largest number that all of them are whole multiples of, or else the largest of them; what remains is
/// rounded to ten digits. Weights that are whole numbers without a common factor stay as they are. Requires finite
/// weights >= 0.
double take_unit_out(Vector& weights);

/// first[i] is the first of the rows that row i is a copy of: it gets the weight of all of them, the others 0. Empty:
/// every row is alone.
Vector gathered(const Vector& weights, const std::vector<Index>& first);

/// The least value such that it and all smaller ones have together `weight` or more (but for rounding); the largest
/// when there is none. Pairs of value and weight >= 0, not empty; their order changes.
double value_at_weight(std::vector<std::pair<double, double>>& value_weight, double weight);

/// The mean of the values between two shares of the weight, 0 <= from < to <= 1, smallest first: as value_at_weight()
/// counts copies, and moves little when weights do. Pairs as above, some with weight; their order changes.
double mean_between(std::vector<std::pair<double, double>>& value_weight, double from, double to);

/// Sums of weights that differ by this share of all of them differ by rounding.
inline constexpr double weight_rounding = 1e-11;

}  // namespace lacuna
