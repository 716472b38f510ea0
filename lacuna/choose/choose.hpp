// choose/choose.hpp -- kernels and representations chosen honestly, and stacks of them (method 16).
//
// The closed form is honest about what a fit saw, not about what the selection saw: with many parameters its least
// value no longer ranks candidates. So each candidate (candidates.hpp) is a whole procedure, repeated without each of
// K folds, from the optimum for all rows; the outputs for the rows left out are honest, and their loss decides.
//
//   quick    the plain machine alone: train() of model/train.hpp
//   normal   one candidate: the one of least honest loss, where that is better than the plain machine's by more than
//            the standard error of their difference over rows; otherwise the plain machine
//   best     several candidates with weights (stack_weights.hpp) that suit the honest outputs
//
// What is printed about held-out rows, intervals and the rows a model keeps are those of the honest outputs. Candidates
// that cannot win are left early: when even their own, optimistic loss is worse than the leader's by a standard error
// (three for a stack; twice that on a part of the rows, where 266 rows and more are looked at first), or their honest
// one after some of the folds; for a choice of one also when the folds yet to come could hardly make it better than the
// plain machine by a standard error.
#pragma once

#include <string_view>

#include "lacuna/model/train.hpp"

namespace lacuna {

enum class Effort { quick, normal, best };
std::string_view name_of(Effort effort);
/// Throws Error(usage) with the nearest name.
Effort parse_effort(std::string_view text);

struct ChooseOptions {
  Effort effort = Effort::quick;
  int folds = 5;  ///< fewer where there are fewer groups
};

/// As train(), with a choice of kernel and representation. `options.kernel` is then the plain rbf with nothing given,
/// and lambda is open. A time limit and the observer end the choice, not the fit: the model is the best so far, once
/// the plain machine is known, and report.choice says so. Throws Error(usage) for what leaves nothing to choose.
Model train(const Dataset& data, const TrainOptions& options, const ChooseOptions& how);

/// Throws Error(usage) for options that a choice has no use for.
void check_choice(const TrainOptions& options, const ChooseOptions& how);

}  // namespace lacuna
