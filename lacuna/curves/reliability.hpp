// curves/reliability.hpp -- whether stated probabilities come true.
//
//   curve  isotonic regression of what happened on what was stated: no bins to choose
//   band   where that curve would lie, in 95 of 100 cases at each point, if all statements were right: labels are drawn
//          with the stated probabilities (seeded). A curve outside it is evidence against the probabilities. Where rows
//          have groups, whose labels are not independent, what was less what was stated keeps its size, and its sign is
//          drawn, one for all rows of a group (a wild bootstrap)
//   bins   ten of equal width, with Wilson's interval of the share, for as many rows as are independent
//          (independent.hpp)
//
// O(n log n) once, O(n) for each of 200 draws.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna {

struct Reliability {
  std::vector<double> p{}, share{};            ///< the curve, a corner each
  std::vector<double> at{}, lower{}, upper{};  ///< the band
  struct Bin {
    double rows = 0.0, stated = 0.0, was = 0.0;  ///< sum of weights; means over its rows
    double lower = 0.0, upper = 0.0;
  };
  std::vector<Bin> bins{};  ///< those with rows
};

/// `p` are probabilities of something, `hit` whether it happened; `weight` > 0 is what each row counts, empty: one.
/// `group`: rows of one number are not independent; empty: all are. Requires at least one row.
Reliability reliability(const Vector& p, const std::vector<bool>& hit, const Vector& weight = {},
                        const std::vector<int>& group = {}, std::uint64_t seed = 0);

}  // namespace lacuna
