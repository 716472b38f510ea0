// model/detail/keep.hpp -- what a model keeps of its final fit: the expansion, the held-out rows, how they compare with
// refits, and the decision that follows from them.
#pragma once

#include "lacuna/model/detail/final_fit.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna::detail {

/// Rows whose coefficients are all zero say nothing; a precomputed kernel counts columns, so there every row stays, as
/// for the variances of a least-squares machine for values (Model::process), which are kept too.
void keep_expansion(Model& model, const Dataset& data, const Problem& problem, const FinalFit& fit);
/// What the rows count, their groups and which of them are copies (`first`; empty: none), so many times.
void keep_weights(HeldOutRows& held_out, const Dataset& data, const Truth& truth, const std::vector<Index>& first,
                  std::size_t repeats = 1);
void keep_held_out(Model& model, const Dataset& data, const Problem& problem, const FinalFit& fit);
/// Requires the model's held-out rows.
FitReport::Verification verification(const Model& model, const FinalFit& fit);
/// Probabilities and the decision, from what the held-out outputs of each repeat say. Shifts of several classes join
/// the biases of the model, so that outputs, labels and probabilities have one order; returned is what to add to every
/// output that is known already (empty: nothing).
[[nodiscard]] Vector decide(Model& model, const Truth& truth, const std::vector<Matrix>& held_out, bool recalibrate,
                            const TrainOptions& options);
/// Adds it.
void move_outputs(FinalFit& fit, const Vector& by);
/// The decision alone, for probabilities as they are.
void set_decision(Model& model, const Truth& truth, const std::vector<Matrix>& held_out, const TrainOptions& options);

}  // namespace lacuna::detail
