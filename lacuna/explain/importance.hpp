// explain/importance.hpp -- how much a model needs a column: the loss of rows whose column comes from another row, less
// their loss as they are (permutation importance). It counts what the model makes of the column, not what could be made
// of it: of two columns that say the same, either may have little.
//
//   rows the model was trained on   each row is judged by the machine without its fold (held_out_machines.hpp), before
//                                   and after: a model has seen its own rows as they are, never permuted, and its own
//                                   answers would make every column look needed
//   other rows                      judged by the model itself
//
// Rows count by their weights, also as sources of a permuted column, and copies that were joined are one row of their
// weight. Folds keep groups together, and the standard error is then over groups.
//
// The loss is minus the log-probability of the class, or 1 for a wrong one where there are no probabilities; the
// squared residual, mean over targets; or the deviance.
#pragma once

#include "lacuna/explain/explain.hpp"

namespace lacuna {

/// Which loss that is.
std::string importance_loss(const Model& model);

/// Of these columns; `rows` have targets where anything is to be said.
ImportanceReport importance_of(const Model& model, const ExplainRows& rows, const std::vector<InputColumn>& columns,
                               const ExplainOptions& options, const Backend& backend = cpu_backend());

/// So many rows at most, of those that `use` marks: a seeded sample in order, or all of them.
std::vector<Index> sample_rows(const std::vector<bool>& use, Index most, std::uint64_t seed);

}  // namespace lacuna
