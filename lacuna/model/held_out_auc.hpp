// model/held_out_auc.hpp -- the area under the ROC curve of held-out rows. Outputs compare where one machine gave
// both, and only if it had rows of both classes to learn from; outputs of different machines, pooled, rank rows by
// what each machine lost: a constant model, which says less of a class when a row of it is away, would score 0.
//
//   same fold   where every fold has rows of both classes: pairs of rows of one fold
//   left out    else: every two folds are left out together, in closed form, and each pair compared without both;
//               rows held out one at a time are leave-pair-out (loo/leave_pair_out.hpp). At the final
//               hyper-parameters, also where rows were refitted.
//   pooled      what is left: too many rows to leave out pairs (then the bias is small), or two folds of one class each
//
// A row without which its class is gone has no place in any of them: a class of one row has no area.
#pragma once

#include <functional>
#include <vector>

#include "lacuna/criterion/criterion.hpp"
#include "lacuna/data/split.hpp"

namespace lacuna {

enum class AucPairs { none, same_fold, left_out, pooled };
std::string_view name_of(AucPairs pairs);  ///< "none", "same-fold", "left-out", "pooled"

/// Which rows are positive for an output column, and how much each row's pairs count in a partition: not at all where
/// a machine that did not see the row had lost one of the two sides.
struct Ranked {
  std::vector<bool> positive;
  Vector weights;
  Vector side() const;  ///< weights, with a minus for negative rows
};
/// `trained`: training weights; folds as in split.hpp (empty: one row at a time).
Ranked ranked(const Truth& truth, const Vector& trained, const Folds& folds, Index column);

/// Whether pairs have to be left out together: rows are held out one at a time, or some fold has rows of one class
/// only.
bool needs_pairs_out(const Ranked& rows, const Folds& folds);

/// Rows beyond which two folds at a time are too much work: as many factorisations as there are folds, about, of the
/// folds' size.
inline constexpr Index most_rows_for_pairs = 5000;
/// Of pairs whose folds are both left out; `held_out` gives the outputs of some folds, in row order; what it gives
/// for other rows is not looked at. Requires folds. NaN: fewer than three folds, more than most_rows_for_pairs rows,
/// or no pair.
double area_of_pairs_out(const Ranked& rows, const Vector& trained, const Folds& folds,
                         const std::function<Vector(const Folds&)>& held_out);

struct HeldOutAuc {
  double value = 0.0;                  ///< mean over the outputs that have one; NaN: none has
  AucPairs pairs = AucPairs::none;     ///< how; pooled where any output is
  std::vector<int> without_area = {};  ///< outputs that have none
};
/// Outputs `z` and areas of pairs left out (NaN: not known), one for each partition; these l x outputs and one for
/// each output.
HeldOutAuc held_out_auc(const Truth& truth, const Vector& trained, const std::vector<Folds>& partitions,
                        const std::vector<Matrix>& z, const std::vector<Vector>& of_pairs_out);

}  // namespace lacuna
