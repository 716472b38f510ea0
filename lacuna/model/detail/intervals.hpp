// model/detail/intervals.hpp -- how far new values lie from their predictions: a quantile of the residuals of rows held
// out.
//
// Residuals at hyper-parameters that all rows have chosen are too small, since the choice saw every target: 90 % of
// them covered 80 to 89 % of new rows at 12 to 40 rows (docs/decisions). So hyper-parameters are chosen again without
// each of some folds, by one descent from those of all rows, and the residuals are those of the rows that were left out
// of everything. With many rows the difference is lost in that of the quantile itself, and nothing is chosen again.
#pragma once

#include "lacuna/model/detail/choose.hpp"
#include "lacuna/model/detail/final_fit.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna::detail {

/// Rows up to which hyper-parameters are chosen again.
inline constexpr Index most_rows_chosen_again = 1000;

/// Of a machine whose outputs are values, with hyper-parameters `chosen` on `problem`, which is that of `data`, and
/// held-out outputs `fit`; `relevance`: how weights of features were learned. Rows that are not in memory, and
/// precomputed kernels, keep the residuals of `fit`.
Intervals intervals(const Dataset& data, const Problem& problem, const Machine& machine, const Selection& chosen,
                    const std::optional<FitReport::Relevance>& relevance, const FinalFit& fit,
                    const TrainOptions& options);

}  // namespace lacuna::detail
