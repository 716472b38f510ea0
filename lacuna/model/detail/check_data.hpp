// model/detail/check_data.hpp -- what train() refuses before it starts.
#pragma once

#include "lacuna/model/train.hpp"

namespace lacuna::detail {

/// Throws Error(data) when the machine's matrices do not fit into memory. `outputs`: columns of targets.
void check_memory(Index rows, Index features, Index outputs, const TrainOptions& options);
/// Whether the machine of all rows will be solved by its columns (select.hpp).
bool in_columns(Index rows, Index features, const TrainOptions& options);
/// The options with the machine that they leave open.
TrainOptions with_machine(TrainOptions options, const Machine& machine);
/// About what the machine of all rows needs, and that on a basis of n rows; and the bytes that may be taken. A loss
/// that iterates needs more: its held-out fits are followed, some of them side by side.
double all_rows_bytes(Index rows, Index features, Index outputs, const TrainOptions& options);
double primal_bytes(Index rows, Index outputs, Index n, const TrainOptions& options);
/// What a basis needs that grows up to n rows: a smaller one may need more, since its held-out fits are followed.
double growing_bytes(Index rows, Index outputs, Index n, const TrainOptions& options);
double allowed_bytes(const TrainOptions& options);
/// The most rows that --basis auto may take: 3200 or what was asked for, or what memory allows.
Index largest_basis(Index rows, Index outputs, const TrainOptions& options);
/// Throws Error(usage): more rows than there are, a kernel without rows, a machine that has none on a basis.
void check_basis(Index rows, Index features, bool sparse, const Machine& machine, const TrainOptions& options);
/// Inputs that are not in memory were checked when they were read. Throws Error: too few rows, labels that are no
/// classes, weights, targets or features that are not finite, ...
void check_data(const Dataset& data, const RowSource& X, Index features, const TrainOptions& options);

}  // namespace lacuna::detail
