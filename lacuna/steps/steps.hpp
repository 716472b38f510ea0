// steps/steps.hpp -- the steps between a plan and its model (plan.hpp). A step on a part is a function of the part and
// the plan alone: an engine may run it anywhere, twice, or again after a worker was lost.
#pragma once

#include "lacuna/steps/plan.hpp"

namespace lacuna {

/// One pass over some rows. Statistics of other rows are added, in any grouping; of one plan and one pass only.
struct Statistics {
  int pass = 0;
  std::int64_t rows = 0;          ///< that are in the sums
  std::vector<Index> kept{};      ///< basis vectors in the order of the features
  std::vector<StepSums> parts{};  ///< for each walk; nothing for those that have arrived

  /// Throws Error(usage) for sums of another plan or pass.
  Statistics& operator+=(const Statistics& others);
};

/// Requires !plan.done(). The part may have no rows.
Statistics statistics(const Table& part, const Plan& plan);
/// Sums over all rows in, the next plan out. Throws Error(usage) for sums of fewer or more rows than the plan has (a part
/// that was lost, or came twice), Error(numerical) where there is no machine.
Plan solve(Plan plan, const Statistics& all);

/// What is known of the rows of a part once the machine is there, each as if it had been held out.
struct HeldOutPart {
  Dataset data{};     ///< everything about the rows but their inputs
  Matrix output{};    ///< held out
  Matrix fitted{};    ///< seen
  Vector leverage{};  ///< of a row on its own output, mean over outputs
};
/// Requires plan.done(). Rows count from `first_row` in the data.
HeldOutPart hold_out(const Table& part, const Plan& plan, std::int64_t first_row = 0);

/// The model, judged by the held-out rows of all parts, in their order: decisions, calibration, scores, intervals as
/// wide everywhere. About (3 + 2 outputs) numbers for each row are in one place here. Requires plan.done(). Throws
/// Error(usage) when rows are missing or there twice, Error(numerical) when a row has no held-out output.
Model finish(const Plan& plan, const std::vector<HeldOutPart>& parts);

}  // namespace lacuna
