// machine/ls_svm.hpp -- the least-squares support vector machine: squared loss, targets +1/-1 for two classes, one column
// of +1/-1 for each class of several (one versus rest, all on one factorisation), the values themselves for regression.
#pragma once

#include "lacuna/base/matrix.hpp"
#include "lacuna/data/dataset.hpp"

namespace lacuna {

/// l x m targets of the machine: m = 1 for binary problems, the number of classes otherwise, or of target columns.
Matrix ls_svm_targets(const Dataset& data);

/// l/(m l_k) for a row of class k of m, so that every class weighs the same; l_k counts by `weights` where given, and
/// the result is multiplied by them.
Vector balanced_weights(const std::vector<int>& label, int classes, const Vector& weights);

}  // namespace lacuna
