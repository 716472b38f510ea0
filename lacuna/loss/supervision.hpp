// loss/supervision.hpp -- what a machine learns from besides its rows: a loss, a weight for each row, and one column of
// targets for each output. Kernel and lambda are not part of it: they are what selection varies.
#pragma once

#include "lacuna/base/matrix.hpp"
#include "lacuna/loss/loss.hpp"

namespace lacuna {

/// What the regulariser weighs (penalty.hpp): ||w||^2, or the coefficients of the expansion.
enum class Penalty { norm, coefficients };

struct Supervision {
  Loss loss = losses::Squared{};
  Vector zeta{};    ///< training weights >= 0, one for each row
  Matrix t{};       ///< l x m, coded as the loss wants them (loss.hpp)
  Vector offset{};  ///< o in c(z + o, t); empty: none
  Penalty penalty = Penalty::norm;

  Index columns() const { return t.cols(); }
  double offset_of(Index i) const { return offset.size() > 0 ? offset[i] : 0.0; }
};

/// The same for some of the rows.
Supervision take_rows(const Supervision& all, const std::vector<Index>& rows);

}  // namespace lacuna
