// curves/cuts.hpp -- what is decided about held-out rows of two classes at each of many cuts, and how much the cut that
// a rule chooses would have been another one had other rows been drawn (bootstrap, seeded).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// Rows are positive whose probability is at least the cut.
struct Cuts {
  std::vector<double> at{};                    ///< 0, 0.005 ... 1
  std::vector<double> tp{}, fp{}, fn{}, tn{};  ///< sums of weights
};
/// `weight` is what each row counts; empty: one.
Cuts count_cuts(const Vector& probability, const std::vector<bool>& positive, const Vector& weight = {});

/// Probabilities at which the model's rule cuts resampled rows: 5 % and 95 % quantile. Empty: the rule does not look
/// at rows, or the model has none, or not two classes with probabilities.
struct CutSpread {
  double lower = 0.0, upper = 0.0;
  int resamples = 0;
};
std::optional<CutSpread> spread_of_cut(const Model& model, std::uint64_t seed = 0);

}  // namespace lacuna
