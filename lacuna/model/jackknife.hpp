// model/jackknife.hpp -- jackknife+ intervals (Barber et al. 2021): what the machines without each row say about a new
// one, each with the residual of the row it was left out for. Of n rows and the level 1 - a, with r_i the residual of
// row i held out,
//
//   lower = the floor(a (n + 1))-th smallest of f^(-i)(x) - |r_i|,   upper = the ceil((1 - a)(n + 1))-th smallest of
//   f^(-i)(x) + |r_i|;   |r_i| s(x)/s_i in place of |r_i| where the noise varies (model/detail/noise_machine.hpp)
//
// For a least-squares machine all n of them follow from one factor (method 9): with M = K + lambda diag(1/beta),
// M xi = 1 and Q = M^-1 - xi xi'/(1'xi),
//
//   alpha^(-i) = alpha - Q_:i alpha_i/Q_ii,    b^(-i) = b - (xi_i/1'xi) alpha_i/Q_ii
//
// An n x n matrix of coefficients for each target, so for small data: O(n^3) once, O(n^2) a new row.
#pragma once

#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// Rows up to which a model may have jackknife+ intervals.
inline constexpr Index most_rows_for_jackknife = 2000;

/// The least-squares machine of a model without each of its rows.
class LeftOutMachines {
 public:
  /// Requires model.process; the model and the back end must outlive it. Throws Error(numerical) when M cannot be
  /// factored.
  LeftOutMachines(const Model& model, const Backend& backend);
  /// Column i: outputs of the machine without row i, of this target, for rows as the model's kernel sees them.
  Matrix outputs(const RowsView& rows, Index target) const;

 private:
  const Model& model_;
  const Backend& backend_;
  std::vector<Matrix> alpha_;  // for each target: n x n, a column for each machine
  Matrix b_;                   // n x m
};

/// The ends of the interval of this level for a row, of which the machines say `left_out`: residuals (over s_i) times
/// `noise`, s(x). They hold `value`, what the machine of all rows says. Requires a level that half_width_at() knows.
struct IntervalEnds {
  double lower = 0.0, upper = 0.0;
};
IntervalEnds jackknife_ends(const JackknifePlus& jackknife, Index target, const Vector& left_out, double noise,
                            double value, double level);

}  // namespace lacuna
