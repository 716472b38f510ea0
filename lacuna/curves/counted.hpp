// curves/counted.hpp -- held-out rows as curves count them: by what they count where they are judged, as scores do. A
// row of weight k is k copies of it (base/weights.hpp): rows of weight 0 and copies that are held out together with an
// earlier row have no place of their own, and the earlier row has the weight of all. So a model of weights and one of
// such copies have the same curves, with the same bands: what is drawn at random is drawn for each row that counts.
#pragma once

#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

struct CountedRows {
  std::vector<Index> place{};  ///< among the model's held-out rows; of several repeats the first
  Vector weight{};             ///< of each, > 0; 1 where the model does not know them
  std::vector<int> group{};    ///< of each; empty: every row is alone
  Index size() const { return Index(place.size()); }
  bool alike() const { return size() == 0 || (weight.array() == weight[0]).all(); }
};
CountedRows counted_rows(const Model& model);

/// The weights, or 1 for each of n rows where they are empty.
Vector weights_or_ones(const Vector& weight, Index n);

}  // namespace lacuna
