// model/detail/make_problem.hpp -- data and options as a problem of selection: targets, weights, folds, criterion.
#pragma once

#include "lacuna/model/train.hpp"
#include "lacuna/select/select.hpp"

namespace lacuna::detail {

/// What stands for `auto`.
Machine automatic_machine(const Dataset& data, const TrainOptions& options);

/// What a regulariser of 1 that goes with weights without a unit is in the unit of the data's weights.
double regulariser_unit(const Dataset& data, const TrainOptions& options);
/// What is in the unit of the regulariser in a model of weights without a unit, told in this one.
void tell_in_unit(Model& model, double unit);
/// The weights of one purpose: 1, balanced over the classes or a column of their own, each times the common column.
Vector weights_for(Weighting weighting, const Vector& column, const Dataset& data, Index rows,
                   std::string_view purpose);
/// The machine that the options ask for, or the task's own, checked against the targets. What its loss leaves open is
/// chosen (loss_parameters.hpp), and `onward`, if given, is told where the search for the rest may begin and how long
/// it may take. It may be `options`.
Machine resolve_machine(const Dataset& data, const TrainOptions& options, TrainOptions* onward = nullptr);
/// Throws Error(usage) for options that belong to two classes, to leave-one-out, or to another machine.
void check_options(const Dataset& data, const Machine& machine, const TrainOptions& options);
/// Inputs are X, whatever `data` holds of them; their owner must outlive it.
Problem make_problem(const Dataset& data, const RowSource& X, const Machine& machine, const TrainOptions& options);
/// The same with an empty truth, and the truth alone: a machine of millions of rows needs one after the other.
Problem make_unjudged_problem(const Dataset& data, const RowSource& X, const Machine& machine,
                              const TrainOptions& options);
Truth make_truth(const Dataset& data, Index rows, const Machine& machine, const TrainOptions& options,
                 const std::vector<Index>& first_of_copies);

}  // namespace lacuna::detail
