// model/detail/check_data.hpp -- what train() refuses before it starts.
#pragma once

#include "lacuna/model/train.hpp"

namespace lacuna::detail {

/// Throws Error(data) when the dual machine's matrices do not fit into memory.
void check_memory(Index rows, const TrainOptions& options);
/// Throws Error: too few rows, labels that are no classes, weights, targets or features that are not finite, ...
void check_data(const Dataset& data, const TrainOptions& options);

}  // namespace lacuna::detail
