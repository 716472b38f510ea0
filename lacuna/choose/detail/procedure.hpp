// choose/detail/procedure.hpp -- one candidate as a whole procedure: rows seen its way, parameters selected, fitted; on
// all rows, and again without each fold.
#pragma once

#include "lacuna/choose/candidates.hpp"
#include "lacuna/choose/stack_weights.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna::detail {

/// Where the search of a candidate begins, and where its penalty is least: all parameters, the regulariser first.
struct Beginning {
  std::vector<double> near{};  ///< empty: from the usual starts
  Matrix curvature{};          ///< there (FitReport::Search); empty: unknown
  std::vector<double> centre{};
  double penalty = 0.0;
};

/// What came of one candidate.
struct Tried {
  Candidate candidate{};
  Beginning beginning{};
  Model model{};              ///< of all rows
  Vector optimistic{};        ///< loss of each row, held out in closed form at the parameters of all rows
  Matrix z{};                 ///< honest outputs, as judged
  Vector loss{};              ///< of them, by row
  std::vector<Index> rows{};  ///< those that have an honest output so far
  int folds = 0;              ///< how many were left out so far
  double seconds = 0.0;
  std::string left{};  ///< why it was not followed to the end; empty: it was
  bool complete() const { return left.empty() && Index(rows.size()) == z.rows() && z.rows() > 0; }
};

/// Candidate on these rows. Interrupted, report.search.stop says so.
Model train_candidate(const Dataset& data, const Candidate& candidate, const Beginning& beginning,
                      TrainOptions options);
/// A search that ends where more of it would not show in the loss of some rows.
TrainOptions roughly(TrainOptions options);
/// All parameters of a model, the regulariser first.
std::vector<double> parameters_of(const Model& model);
/// Where to begin when its procedure is repeated: there, or at the first round where weights of features were learned,
/// since weights that are learned from those of all rows on remember rows left out. (The rounds after it begin at the
/// widths of all rows, which remember next to nothing.)
std::vector<double> beginning_of(const Model& model);
/// Outputs of different machines that compare: recalibrated where a machine is.
Matrix judged_outputs(const Model& model, const Matrix& output);
/// What they are judged by. Requires weights without a unit and a resolved cross-validation.
Yardstick judged_by(const Dataset& data, const Machine& machine, const Truth& truth, const TrainOptions& options);

/// Repeats the procedure without this fold and adds the outputs for its rows. False: interrupted.
bool leave_out(Tried& tried, const Dataset& data, const std::vector<Index>& fold, const Yardstick& judged,
               const TrainOptions& options);

/// What honest outputs would be if only the row itself, and not its whole fold, had been left out: they are moved by
/// the difference of the two at the parameters of all rows, as judged. Machines without a fold have fewer rows than the
/// model, and their loss alone would be that of a smaller table. Requires a complete candidate.
Matrix as_with_all_rows(const Tried& tried, const Dataset& data, const Folds& folds, const TrainOptions& options);

}  // namespace lacuna::detail
