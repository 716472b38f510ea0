// data/centre.hpp -- rows about a centre c: x - c in place of x. Machines whose bias is free and whose kernel is
// linear, or sees differences only, are the same machine about any centre; but far from the origin x . x' keeps no
// digits of what rows differ in, and about the mean of the rows it keeps all of them.
//
// Sparse rows stay sparse: only columns that every row has an entry in are moved.
#pragma once

#include "lacuna/data/row_source.hpp"

namespace lacuna {

struct Centre {
  Vector at;             ///< c, one for each column
  double spread = 0.0;   ///< square root of the mean of |x - c|^2
  double largest = 0.0;  ///< of |c_k| over the columns' own deviations; constant columns do not count
};

/// The weighted mean of the rows (empty weights: all 1; rows of weight 0 do not count), in two passes over blocks. It
/// is rounded to a power of two below a hundredth of each column's deviation: nearer is of no use, and x - c is then
/// exact for rows of few digits, the same for rows and rows shifted by a round number.
Centre centre_of(const RowSource& X, const Vector& weights);

/// x - c. Sparse rows without an entry in a column that is moved get one.
Rows about(const RowsView& X, const Vector& centre);
/// The same block by block, as it is asked for. X must outlive it when it lends its rows.
RowSource about(const RowSource& X, const Vector& centre);

}  // namespace lacuna
