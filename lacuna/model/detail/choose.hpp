// model/detail/choose.hpp -- hyper-parameters and, for a machine on a basis, the rows of the basis. Where there are
// many rows both are found on a sample of them.
#pragma once

#include "lacuna/model/train.hpp"
#include "lacuna/select/select.hpp"

namespace lacuna::detail {

/// Which rows to select on; empty: all of them, where they are. On a basis, at most options.select.rows: a seeded
/// sample, ascending, in which every class (counts: none and some) has its share. Rows that are not in memory are
/// always taken.
std::vector<Index> selection_sample(const Dataset& data, const RowSource& X, const TrainOptions& options);

struct Chosen {
  Selection selection;
  Rows basis{};  ///< no rows: the dual machine
  std::optional<FitReport::Basis> record{};
  Index scouted = 0;  ///< rows of the sample whose optimum the search began at; 0: at all starts
  std::optional<FitReport::Relevance> relevance{};  ///< how weights of features were learned
};
/// `problem`, of the rows of `data`, has no basis yet and its rows in memory; `rows` is how many there are in all.
Chosen choose(const Problem& problem, const Dataset& data, const Machine& machine, Index rows, Index features,
              const TrainOptions& options);

}  // namespace lacuna::detail
