// curves/ranking.hpp -- how well outputs rank the rows of one class above the others, at every cut at once.
//
//   roc        share of the other rows called positive, against share of the positive ones that are found
//   precision  share found (recall), against the share that is right of those called positive
//
// Bands are of resampled rows (bootstrap, seeded), or groups of rows where there are some: at each spot of the
// horizontal axis, 95 of 100 resampled curves; of precision from where ten positive rows are found (of few rows half),
// as of less all resamples say the same. The spread of their areas is the standard error of the area. Rows of equal
// output are one step. O(n log n) once, O(n) for each of 200 resamples.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

struct RankCurve {
  std::vector<double> x{}, y{};                ///< corners
  std::vector<double> at{}, lower{}, upper{};  ///< the band
};

struct Ranking {
  RankCurve roc{}, precision{};
  double area = 0.0;            ///< of pooled rows under roc
  double standard_error = 0.0;  ///< of it
  double share = 0.0;           ///< of positive rows
};

/// `weight` > 0 is what each row counts; empty: one. `group`: rows of one number are alike; empty: none are. Requires a
/// positive row and another one.
Ranking ranking(const Vector& output, const std::vector<bool>& positive, const Vector& weight = {},
                const std::vector<int>& group = {}, std::uint64_t seed = 0);

/// The standard error of an area A under the curve of n1 positive and n0 other rows (Hanley and McNeil 1982), of A
/// itself and not of outputs:
///
///   [A(1 - A) + (n1 - 1)(A/(2 - A) - A^2) + (n0 - 1)(2A^2/(1 + A) - A^2)]/(n1 n0),
///
/// with A no nearer to 0 or 1 than half a row of the rarer kind. Areas of pairs that were left out together are of no
/// outputs that could be resampled.
double area_error(double area, double n1, double n0);

/// Corners without which a drawing would look the same: at most so many, the first and last among them.
RankCurve thinned(RankCurve curve, std::size_t most);

}  // namespace lacuna
