// data/representation.hpp -- encoded rows seen another way, learned from training rows and applied to new ones:
//
//   codes    a column of 3 to 8 distinct numbers may be a code: one feature for each value, 1 there and 0 at the others
//   scores   a heavy-tailed column (kurtosis above 6) becomes the normal scores of its ranks, Phi^-1(rank share)
//
// Every new feature is a piecewise linear function of one column, constant beyond its ends: a number that no training
// row had lies between its neighbours. Each is centred, and has the deviation of the column it comes from, so that rows
// in any unit keep it. Dense rows only: sparse ones would not stay sparse.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/base/rows.hpp"

namespace lacuna {

/// What to see another way.
struct Views {
  bool codes = false;
  bool scores = false;
  bool operator==(const Views&) const = default;
};

/// One new feature: `value` at `at`, linear between, constant beyond; both empty: the number of the column itself.
struct SeenFeature {
  std::int32_t column = 0;
  std::vector<double> at{}, value{};
};

/// A plain value, kept in models.
struct Representation {
  Index inputs = 0;  ///< columns of the rows it takes
  std::vector<SeenFeature> features{};
  bool empty() const { return features.empty(); }  ///< rows stay as they are
};

/// Empty where no column is one to see another way, or the rows are sparse. `weights`: one for each row, or none.
Representation learn_representation(const RowsView& X, const Vector& weights, const Views& views);
/// Rows through it; as they are where it is empty. Requires its number of columns.
Rows represent(const Representation& representation, const RowsView& X);
/// Names of its features, "age" or "rooms#3" (the third value of rooms); none where there are none.
std::vector<std::string> represented_names(const Representation& representation, const std::vector<std::string>& names);

}  // namespace lacuna
