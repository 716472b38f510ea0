// compute/host/beyond.cpp (of features.hpp) -- what one Newton step misses of some rows on a basis
// (loo/primal_beyond.hpp).

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/compute/host/features.hpp"

namespace lacuna::compute::host {
namespace {

// What one step moves row i's own output by.
double own_move(const PrimalState& fit, Index i) { return -fit.pull(i, 0) * fit.variance[i] / fit.rest[i]; }

// The rows that leave, and what their leaving does to all others, block by block.
class Leavers {
 public:
  Leavers(const HostFeatureFactor& factor, const PrimalState& fit, const RowSource& X, const std::vector<Index>& rows)
      : factor_(factor), X_(X), rows_(rows) {
    const Index n = Index(rows.size());
    V_.resize(factor.features().size(), n);
    Index at = 0;
    over_blocks(X, rows, [&](std::span<const Index> some, const RowsView& block) {
      V_.middleCols(at, Index(some.size())) = factor.rows(block);
      at += Index(some.size());
    });
    y_.resize(n);
    for (Index k = 0; k < n; ++k) {
      const Index i = rows[std::size_t(k)];
      y_[k] = fit.pull(i, 0) / fit.rest[i];
    }
  }
  Index size() const { return y_.size(); }
  Index row(Index k) const { return rows_[std::size_t(k)]; }
  double y(Index k) const { return y_[k]; }

  /// Sums over all rows j: body(j, k, v_j'v_k, sum of k) for every leaver k. One pass; `parts` sums for each leaver.
  template <class Body>
  Matrix sum(Index parts, const Body& body) const {
    const Index features = factor_.features().size();
    std::vector<Matrix> lane(std::size_t(row_lanes(X_, features)), Matrix::Zero(parts, size()));
    over_rows(X_, features, [&](Index at, Index first, const RowsView& block) {
      const Matrix rows = factor_.rows(block).transpose();
      const Matrix inner = factor_.features().backend().multiply(rows, V_);  // block x leavers
      Matrix& sums = lane[std::size_t(at)];
      for (Index k = 0; k < size(); ++k)
        for (Index j = 0; j < inner.rows(); ++j) body(first + j, k, inner(j, k), sums.col(k));
    });
    for (std::size_t k = 1; k < lane.size(); ++k) lane[0] += lane[k];
    return std::move(lane[0]);
  }

 private:
  const HostFeatureFactor& factor_;
  const RowSource& X_;
  const std::vector<Index>& rows_;
  Matrix V_;
  Vector y_;
};

// A slope that rises with s, known at some points with its own slope: where it crosses zero, and between which two it
// must.
class Crossing {
 public:
  void know(double s, double first, double second) {
    if (first <= 0.0 && s >= low_.s) low_ = {s, first, second};
    if (first > 0.0 && s <= high_.s) high_ = {s, first, second};
    last_ = {s, first, second};
  }
  // The cubic through both ends and their slopes, after the first look; then Newton's step, kept inside.
  double guess(bool first_look) const {
    const bool open = !std::isfinite(high_.s);
    if (open && first_look) return low_.s;  // it falls as far as anyone looks
    double s = first_look ? cubic() : last_.s - last_.first / last_.second;
    if (!(s > low_.s && (open || s < high_.s))) s = open ? low_.s : 0.5 * (low_.s + high_.s);
    return s;
  }

 private:
  struct Point {
    double s, first, second;
  };
  double cubic() const {  // by halving: it is cheap and cannot fail
    const double h = high_.s - low_.s;
    double a = 0.0, b = 1.0;
    for (int k = 0; k < 50; ++k) {
      const double t = 0.5 * (a + b), u = 1.0 - t;
      const double value = low_.first * u * u * (1.0 + 2.0 * t) + high_.first * t * t * (3.0 - 2.0 * t) +
                           h * t * u * (low_.second * u - high_.second * t);
      (value > 0.0 ? b : a) = t;
    }
    return low_.s + 0.5 * (a + b) * h;
  }
  Point low_{0.0, -1.0, 1.0}, high_{std::numeric_limits<double>::infinity(), 0.0, 0.0}, last_{};
};

constexpr double looks[] = {1.0, 4.0, 50.0}, precision = 1e-3;
constexpr int most_passes = 8;

// How far along the line each goes, in steps.
Vector along_line(const Leavers& leavers, const PrimalState& fit, const Supervision& learn, Index column) {
  const Index n = leavers.size();
  Vector s(n);
  std::visit(
      [&](const auto& loss) {
        // Slopes of the others' loss and their slopes at s: added to `to`.
        const auto add = [&](Index j, double u, double step, double& first, double& second) {
          const losses::LossAt a = loss.at(fit.z(j, 0) + learn.offset_of(j) + step * u, learn.t(j, column));
          first += learn.zeta[j] * a.c1 * u;
          second += learn.zeta[j] * a.c2 * u * u;
        };
        constexpr Index known = std::size(looks);
        const Matrix sums = leavers.sum(2 + 2 * known, [&](Index j, Index k, double inner, auto&& to) {
          const double u = -inner * leavers.y(k);
          to[0] += fit.pull(j, 0) * u;
          to[1] += fit.beta[j] * u * u;
          if (j == leavers.row(k) || u == 0.0 || !(learn.zeta[j] > 0.0)) return;
          for (Index g = 0; g < known; ++g) add(j, u, looks[g], to[2 + 2 * g], to[3 + 2 * g]);
        });
        std::vector<Crossing> crossing(static_cast<std::size_t>(n));
        Vector penalty(n);
        for (Index k = 0; k < n; ++k) {
          const Index i = leavers.row(k);
          const double y = leavers.y(k), u = own_move(fit, i);
          Crossing& here = crossing[std::size_t(k)];
          penalty[k] = std::max(0.0, y * y * fit.variance[i] - sums(1, k));
          here.know(0.0, fit.pull(i, 0) * u, penalty[k] + sums(1, k) - fit.beta[i] * u * u);
          for (Index g = 0; g < known; ++g)
            here.know(looks[g], sums(0, k) + looks[g] * penalty[k] + sums(2 + 2 * g, k),
                      penalty[k] + sums(3 + 2 * g, k));
          s[k] = here.guess(true);
        }
        for (int pass = 0; pass < most_passes; ++pass) {
          const Matrix at = leavers.sum(2, [&](Index j, Index k, double inner, auto&& to) {
            if (inner != 0.0 && j != leavers.row(k) && learn.zeta[j] > 0.0)
              add(j, -inner * leavers.y(k), s[k], to[0], to[1]);
          });
          double moved = 0.0;
          for (Index k = 0; k < n; ++k) {
            crossing[std::size_t(k)].know(s[k], sums(0, k) + s[k] * penalty[k] + at(0, k), penalty[k] + at(1, k));
            const double next = crossing[std::size_t(k)].guess(false);
            moved = std::max(moved, std::abs(next - s[k]) / next);
            s[k] = next;
          }
          if (moved <= precision) break;
        }
      },
      learn.loss);
  return s;
}

// By how much a second step would move each.
Vector second_step(const Leavers& leavers, const PrimalState& fit, const Supervision& learn, Index column) {
  Matrix sums;
  std::visit(
      [&](const auto& loss) {
        Vector c1(fit.beta.size());
        for (Index j = 0; j < c1.size(); ++j) c1[j] = loss.at(fit.z(j, 0) + learn.offset_of(j), learn.t(j, column)).c1;
        sums = leavers.sum(1, [&](Index j, Index k, double inner, auto&& to) {
          if (j == leavers.row(k) || !(fit.beta[j] > 0.0)) return;
          const double u = -inner * leavers.y(k);
          const double moved = loss.at(fit.z(j, 0) + u + learn.offset_of(j), learn.t(j, column)).c1;
          to[0] -= inner * (learn.zeta[j] * (moved - c1[j]) - fit.beta[j] * u);
        });
      },
      learn.loss);
  Vector dz = sums.row(0).transpose();
  for (Index k = 0; k < dz.size(); ++k) {
    const Index i = leavers.row(k);
    dz[k] /= fit.rest[i];
  }
  return dz;
}

}  // namespace

HeldOutOptimum HostFeatureFactor::beyond(const RowSource& X, const PrimalState& fit, const Supervision& learn,
                                         Index column, const std::vector<Index>& rows) const {
  const Index l = fit.z.rows();
  HeldOutOptimum out{fit.z.col(0), Vector::Constant(l, std::numeric_limits<double>::quiet_NaN()), {}};
  for (Index i = 0; i < l; ++i) out.z[i] += own_move(fit, i);
  if (rows.empty()) return out;
  const Leavers leavers(*this, fit, X, rows);
  const bool line = has_deviance(learn.loss);
  const Vector moved = line ? along_line(leavers, fit, learn, column) : second_step(leavers, fit, learn, column);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (line)
      out.z[rows[k]] = fit.z(rows[k], 0) + moved[Index(k)] * own_move(fit, rows[k]);
    else
      out.left[rows[k]] = std::abs(moved[Index(k)]);
  }
  return out;
}

}  // namespace lacuna::compute::host
