// model/detail/final_fit.hpp -- the machine at the chosen hyper-parameters: coefficients for the model, and every row's
// held-out output with what is known about it.
#pragma once

#include <string>
#include <vector>

#include "lacuna/select/select.hpp"

namespace lacuna::detail {

struct FinalFit {
  Stop stop = Stop::converged;  ///< anything else: there is no machine
  Matrix alpha;                 ///< n x m, of the expansion in the kernel
  Vector b;
  Matrix column_weights{};  ///< d x m: K alpha = X w, to more digits (select/core.hpp); empty: it is not known
  Rows expansion;           ///< the n rows of the expansion; none: all of the problem's
  Matrix fitted;            ///< l x m: z; empty where it was not wanted, like leverage
  std::vector<Matrix> z;    ///< held-out outputs, one for each partition
  double criterion = 0.0;   ///< of these outputs, before any are refitted; or minus the log evidence
  Vector leverage;          ///< of a row on its own output, mean over outputs; NaN where rows were refitted
  /// l x m, iterated losses: how far a refit may end from z (of one step with its sign; NaN: not known); else empty
  Matrix step;
  /// By partition, of each output: area of pairs left out together; NaN: none, or not needed.
  std::vector<Vector> pair_auc;
  std::vector<Index> flagged;  ///< rows where one step is doubtful, worst first
  double doubt = 0.0;          ///< share of the loss by which refits would change rows that were not refitted, at most
  int refitted = 0;            ///< how many of them were refitted
  std::vector<Index> verified{};  ///< rows that were refitted as a check ...
  Matrix by_refit{};              ///< ... and their outputs, one row for each

  /// Gaussian processes only: z above are moderated outputs; these are the latent ones they come from, by partition.
  std::vector<Matrix> latent_mean{}, latent_variance{};
  Matrix by_refit_variance{};  ///< beside by_refit
  Matrix beta{};               ///< precisions of the rows, l x m; empty: a machine on a basis
  Warnings warnings{};         ///< about the fit itself

  bool usable() const { return stop == Stop::converged; }
};

struct RefitOptions {
  bool flagged = false;  ///< replace the held-out outputs of flagged rows by refits, a tenth of all rows at most
  int verify = 0;        ///< refit this many rows (or folds) picked at random, for comparison
  std::uint64_t seed = 0;
};

/// What is wanted besides the machine, where rows are many and every number of each counts.
struct RowsWanted {
  bool all = true;                 ///< fitted outputs and leverages, for models that keep them
  std::function<Truth()> truth{};  ///< makes the problem's truth, which is empty, when the fit is done
};
FinalFit final_fit(Problem& problem, const Kernel& kernel, const Prior& prior, const RefitOptions& refit,
                   const RowsWanted& rows, const Observer& observer);

}  // namespace lacuna::detail
