// model/count_check.hpp -- whether counts t scatter about their expected numbers m as the loss says (docs/math/
// counts.md): with variance V(m), and with so many zeros, ones, twos ...
//
//   dispersion          mean of (t - m)^2/V(m), 1 where V is right: of held-out rows, where m has not seen t, and of
//                       fitted rows, over n less the trace of the hat matrix
//   score test          S = sum((t - m)^2 - t)/sqrt(2 sum m^2), m fitted (Cameron and Trivedi 1990): at most standard
//                       normal for large n where counts are Poisson's, larger where they scatter more. A fit follows
//                       its own counts, which lowers S by up to 2 sum h m; what it cannot follow raises it by as much
//                       at most where lambda is well chosen. Neither is corrected for.
//
// Rows count by their weights, as many as base/weights.hpp says. Several targets are counted together.
#pragma once

#include "lacuna/criterion/criterion.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna {

/// Poisson is contradicted where the score test exceeds this: one in a hundred tables of Poisson counts does.
inline constexpr double poisson_rejected = 2.326;

/// Whether the loss says how counts scatter.
bool says_how_counts_scatter(const Loss& loss);

/// What held-out outputs z, one matrix for each partition, all counted together, say. Zeros, and numbers of ones, twos
/// ... are for targets that are whole numbers only. Requires says_how_counts_scatter(truth.loss).
void check_held_out_counts(FitReport::Counts& to, const Truth& truth, const std::vector<Matrix>& z);
/// What fitted outputs and leverages (NaN: not known) say.
void check_fitted_counts(FitReport::Counts& to, const Truth& truth, const Matrix& fitted, const Vector& leverage);
/// The score test by held-out outputs of a fit with no more than so many degrees of freedom, where fitted outputs were
/// not kept: (t - m)^2 then has the error of m beside the scatter, sum h m at most about mean m times the degrees.
void test_held_out_counts(FitReport::Counts& to, const Truth& truth, const Matrix& z, double most_degrees);

/// (t - m)/sqrt(dispersion V(m)) of the model's own held-out rows, l x m: standard scores of a quasi-Poisson (or
/// quasi-negative-binomial) model. Requires held-out rows and report.counts.
Matrix standard_scores(const Model& model);

}  // namespace lacuna
