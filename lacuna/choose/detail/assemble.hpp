// choose/detail/assemble.hpp -- the model that a choice ends in: one candidate, or a stack of several, with the honest
// outputs as its held-out rows.
#pragma once

#include <chrono>

#include "lacuna/choose/detail/procedure.hpp"
#include "lacuna/data/split.hpp"

namespace lacuna::detail {

/// What was compared, and how.
struct Compared {
  const Dataset& data;
  const TrainOptions& options;
  Truth truth{};
  Vector trained{};                      ///< training weights
  std::vector<Index> first_of_copies{};  ///< rows that count as one (base/weights.hpp)
  Yardstick judged{};
  Folds folds{};
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();  ///< of a time limit
};

/// From held-out outputs, `folds` of which were left out of everything (0: of the fit alone); where their residuals
/// show it, the widths follow the noise.
Intervals honest_intervals(const Compared& compared, const Matrix& output, int folds);
/// `honest`: outputs for every row, as judged, that held-out figures are made of.
Model single(const Compared& compared, const Tried& chosen, const Matrix& honest);
/// One weight for each, none negative, together 1; those of weight 0 are left out. Members are calibrated each, and
/// their sum is not once more: two parameters more cost fresh rows what they gain on held-out ones, and more.
Model stack(const Compared& compared, const std::vector<const Tried*>& tried, const Vector& weights,
            const Matrix& honest);

}  // namespace lacuna::detail
