// loss/detail/summed_loss.hpp -- the loss side of a machine that iterates: sums of zeta_i c(z_i + o_i, t_i), the bias
// that minimises them alone, and the weights that each row brings to the next weighted least-squares problem. Both
// cores share it.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "lacuna/base/matrix.hpp"
#include "lacuna/loss/loss.hpp"

namespace lacuna::detail {

/// What a row brings: beta = zeta c'' (c'' not below a floor), pull = -zeta c' = beta (eta - z), bend = c'''/c'' (0 at
/// the floor).
struct RowWeight {
  double beta = 0.0, pull = 0.0, bend = 0.0;
};

/// What stationarity is measured by, for one row of output z: its pull, and at least what 1e-5 of the output would
/// pull. Outputs that meet their targets leave pulls that are nothing but the rounding of the outputs, and no iteration
/// makes those smaller. A stationarity of 1e-10 need not say more than that outputs are good to 1e-15 of their size.
inline double pull_to_tell(const RowWeight& a, double z) {
  constexpr double rounded_pull = 1e-5;
  return std::max(std::abs(a.pull), rounded_pull * a.beta * std::abs(z));
}

class SummedLoss {
 public:
  /// Keeps references.
  SummedLoss(const Loss& loss, const Vector& zeta, const Vector& t, const Vector& offset)
      : loss_(loss), zeta_(zeta), t_(t), offset_(offset) {
    if (const auto* huber = std::get_if<losses::PseudoHuber>(&loss)) unit_ = huber->delta;
  }

  Index rows() const { return t_.size(); }
  losses::LossAt at(Index i, double z) const {
    return losses::at(loss_, offset_.size() > 0 ? z + offset_[i] : z, t_[i]);
  }
  /// sum_i zeta_i c(z_i + o_i, t_i).
  double loss(const Vector& z) const;
  /// All zero where zeta = 0, or c' = c'' = 0: the row leaves the system.
  RowWeight weight(Index i, double z) const;
  /// -zeta_i c'_i.
  double pull(Index i, double z) const { return zeta_[i] > 0.0 ? -zeta_[i] * at(i, z).c1 : 0.0; }
  /// The bias alone. None when all rows pull one way: then neither the bias alone nor the whole problem has a finite
  /// optimum.
  std::optional<double> intercept() const;

 private:
  losses::LossAt all_at(double b) const;  // sums of zeta c' and zeta c'' at the output b

  const Loss& loss_;
  const Vector& zeta_;
  const Vector& t_;
  const Vector& offset_;
  double unit_ = 1.0;  // of outputs: what a loss takes as a large step; values have the unit of their targets
};

/// The weighted least-squares problem at coefficients alpha with outputs z, for the dual core.
struct Working {
  Vector beta, eta, curvature;  ///< beta = 0: the row leaves the system. curvature = zeta c'''/beta^3
  double stationarity = 0.0;    ///< max |lambda alpha + zeta c'| / max pull_to_tell()
  bool any = false;             ///< whether any row is in the system
};
Working working(const SummedLoss& objective, double lambda, const Vector& alpha, const Vector& z);

}  // namespace lacuna::detail
