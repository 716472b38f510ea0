// loss/loss_at.hpp -- a loss and its derivatives in z at one point.
#pragma once

namespace lacuna {

struct LossAt {
  double c, c1, c2, c3;
};

}  // namespace lacuna
