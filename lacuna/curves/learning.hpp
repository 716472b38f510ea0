// curves/learning.hpp -- would more rows help: the loss of rows that took no part in a fit, for fits of some of the
// rows at the model's hyper-parameters. These were chosen with all rows, so small fits look a little too good; what
// counts is whether the curve is still falling at its end. The last point is that of all rows, each held out.
//
// Rows, or whole groups, are dealt into eight folds (stratified, seeded), and count by their weights where they are
// judged; it takes the first 1, 2, 4 or 6 of them, and is judged by the others, several times with other folds. Cost:
// 4 fits of at most six eighths of the rows for each repeat.
//
// Standard errors have two parts: that of the mean loss over the rows that were judged (each by its mean over the
// fits), and that over the fits. Fits share rows, so their spread alone says too little. A gain is of differences row
// by row, over the rows that both have judged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/base/observer.hpp"
#include "lacuna/curves/again.hpp"

namespace lacuna {

struct LearningCurve {
  std::string score{};  ///< main_score()
  struct Size {
    Index rows = 0;
    double loss = 0.0;
    double standard_error = 0.0;  ///< NaN: not known
    int repeats = 0;              ///< 0: all rows, each held out
  };
  std::vector<Size> sizes{};
  /// The last point is of rows without which everything was chosen again, the others are of what was chosen.
  bool chosen_again = false;
  struct Gain {
    std::size_t from = 0, to = 0;  ///< among `sizes`
    double value = 0.0, standard_error = 0.0;
  };
  std::optional<Gain> gain{};  ///< by the last doubling of the rows, of points that compare; empty: not known
  std::string missing{};       ///< why there is none; "" where there is
};
/// Rows beyond which it would take longer than some seconds.
inline constexpr Index most_rows_for_learning = 3000;

/// `all`: the model's own held-out score and its standard error.
LearningCurve learning_curve(const Model& model, const FitAgain& again, double all_error, std::uint64_t seed = 0,
                             const Observer& observer = {});

}  // namespace lacuna
