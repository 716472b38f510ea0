// machine/detail/anderson.hpp -- Anderson's acceleration of a fixed-point iteration s <- g(s). In coordinates x(s),
// with f = x(g(s)) - x(s), the last few rounds give the combination whose residual is least in a weighted norm, and the
// step goes from there:
//
//   c minimises || W (f - dF c) ||,   next x = x + f - (dX + dF) c
//
// where the columns of dX and dF are differences of successive rounds. Near a fixed point this is a quasi-Newton
// method; with no history it is the plain step. The coordinates may be others in every round.
#pragma once

#include <Eigen/QR>
#include <deque>
#include <utility>

#include "lacuna/base/matrix.hpp"

namespace lacuna::detail {

template <class State>
class Anderson {
 public:
  explicit Anderson(std::size_t depth) : depth_(depth) {}

  /// A round: g(from) = to.
  void met(const State& from, const State& to) {
    rounds_.emplace_back(from, to);
    if (rounds_.size() > depth_ + 1) rounds_.pop_front();
  }
  /// Coordinates of the next state. `coordinates` maps a State to a Vector; `weight` makes its entries comparable.
  /// Requires: met() was called since forget().
  template <class Coordinates>
  Vector next(const Coordinates& coordinates, const Vector& weight) const {
    const auto columns = Index(rounds_.size()) - 1;
    Matrix X(weight.size(), columns + 1), F(weight.size(), columns + 1);
    for (Index k = 0; k <= columns; ++k) {
      const auto& [from, to] = rounds_[std::size_t(k)];
      X.col(k) = coordinates(from);
      F.col(k) = coordinates(to) - X.col(k);
    }
    const Vector plain = X.col(columns) + F.col(columns);
    if (columns == 0) return plain;
    const Matrix dX = X.rightCols(columns) - X.leftCols(columns), dF = F.rightCols(columns) - F.leftCols(columns);
    Eigen::CompleteOrthogonalDecomposition<Matrix> least;
    least.setThreshold(1e-8);
    least.compute(weight.asDiagonal() * dF);
    const Vector c = least.solve(weight.cwiseProduct(F.col(columns)));
    return c.allFinite() ? Vector(plain - (dX + dF) * c) : plain;
  }
  void forget() { rounds_.clear(); }

 private:
  std::size_t depth_;
  std::deque<std::pair<State, State>> rounds_;
};

}  // namespace lacuna::detail
