// experiment/wcci.hpp -- the criterion x weighting x kernel table of [WLSSVM]: LS-SVMs selected by each criterion of
// leave-one-out outputs, nested validation over the same random 90/10 splits for all, balanced error, and how well it
// was predicted.
//
// One spectrum serves every lambda, every criterion and both selection weightings (experiment/ridge_path.hpp), so
// hyper-parameters are selected on a grid: lambda a factor 1.8 apart, kernel parameters a factor 2 (rbf, boolean) or 4
// (polynomials).
#pragma once

#include <string>
#include <vector>

#include "experiment/study.hpp"

namespace lacuna {

/// One cell in one split. Balanced errors; `cut` is the threshold that choose_threshold() takes for leave-one-out
/// outputs.
struct WcciResult {
  double parameter = 0.0, lambda = 0.0, criterion = 0.0;
  double loo_at_zero = 0.0, loo_at_cut = 0.0;
  double loo_at_best = 0.0;  ///< at whichever cut is best for these rows: optimistic
  double test_at_zero = 0.0, test_at_cut = 0.0;
  double test_at_best = 0.0;  ///< likewise
  double score = 0.0;  ///< test_at_cut and the error of the guess loo_at_cut, weighed by the test's own standard error
};

struct WcciCell {
  std::string set, criterion, kernel;
  bool weighted_training = false, weighted_selection = false;
  std::vector<WcciResult> splits;
};

std::vector<Sheet> wcci_sheets(const std::vector<WcciCell>& cells);

}  // namespace lacuna
