// model/detail/centring.hpp -- which machines are trained on rows about their mean (data/centre.hpp), and what to say
// of those that cannot be.
//
//   kernels of differences (rbf, ard, matern, rq)     no shift of the rows changes them, nor their products
//   linear, and its sums with those                   w.x + b = w.(x - c) + (b + w.c): the bias takes it up, where it
//                                                     is free and the penalty is on ||w||
//   all others, and kfd and Gaussian processes        a shift makes another machine of them
//   with a linear kernel
#pragma once

#include <string>

#include "lacuna/model/train.hpp"

namespace lacuna::detail {

/// The centre about which a machine is to be trained. Empty: none, since the rows are there already, the machine would
/// be another, or the kernel does not need it: the back end centres dense rows for kernels of differences itself, and
/// sparse ones are moved only where their full columns are far from the origin.
Vector centre_for(const Dataset& data, const RowSource& X, const TrainOptions& options);

/// What rounding does to a kernel of x . x' that may not be centred, where the rows are far from the origin; else
/// empty.
std::string far_from_origin(const RowsView& X, const Vector& weights, const TrainOptions& options);

}  // namespace lacuna::detail
