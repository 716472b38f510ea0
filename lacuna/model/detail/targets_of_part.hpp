// model/detail/targets_of_part.hpp -- what machine.hpp says of all rows, said of a part of them.
#pragma once

#include "lacuna/model/machine.hpp"

namespace lacuna::detail {

/// Each target by itself. Throws as check_targets() does.
void check_each_target(const Machine& machine, const Dataset& data);
/// balanced_weights() where classes have these weights in all.
Vector balanced_weights(const std::vector<int>& label, const Vector& of_class, const Vector& weights);

}  // namespace lacuna::detail
