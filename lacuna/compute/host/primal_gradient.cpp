// compute/host/primal_gradient.cpp (of features.hpp) -- the derivative of a criterion of held-out outputs on a basis
// (loo/primal_gradient.hpp).

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/host/features.hpp"
#include "lacuna/compute/host/triangle.hpp"

namespace lacuna::compute::host {
namespace {

// The part of a fold that falls into a unit of work: a_F and q_F. A fold of one row needs neither: they are v y and v
// u.
struct Share {
  Index first = 0, count = 0;
  Matrix a, q;  // size x m
};

// Some rows and what their held-out machines need of them.
struct Unit {
  std::vector<Index> rows;
  Matrix V;     // one row to a column
  Matrix y, u;  // rows x m
  std::vector<Share> shares;
};

Matrix taken(const Matrix& all, std::span<const Index> rows) {
  Matrix out(Index(rows.size()), all.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = all.row(rows[std::size_t(i)]);
  return out;
}

class PrimalGradient {
 public:
  PrimalGradient(const HostFeatureFactor& factor, const RowSource& X, const PrimalState& fit, const Folds& folds,
                 const Matrix& d_output)
      : factor_(factor),
        backend_(factor.features().backend()),
        X_(X),
        fit_(fit),
        d_output_(d_output),
        size_(factor.features().size()),
        m_(d_output.cols()),
        p_(factor.rotate(fit.p)) {
    if (folds.empty()) {
      units_ = (X.rows() + kBlockRows - 1) / kBlockRows;
      return;
    }
    Folds doubtful;
    for (const auto& fold : folds) {
      if (fold.size() > 1 && !factor.of_sums())
        doubtful.push_back(fold);
      else if (Index(fold.size()) <= size_)
        small_.push_back(fold);
      else if (!add_large(fold))
        doubtful.push_back(fold);
    }
    add_doubtful(doubtful);
    make_units();
  }

  CriterionGradient run() {
    collect();
    if (std::ranges::any_of(cancels_, [](char c) { return c != 0; })) {  // the other road for these folds, and again
      Folds fine, doubtful;
      for (std::size_t f = 0; f < small_.size(); ++f) (cancels_[f] ? doubtful : fine).push_back(small_[f]);
      small_ = std::move(fine);
      add_doubtful(doubtful);
      make_units();
      collect();
    }
    if (fit_.bend.size() > 0) move_weights();
    CriterionGradient out;
    std::vector<Vector> sums(static_cast<std::size_t>(lanes()));
    in_lanes(lanes(), units_, [&](Index lane, Index k) {
      const Unit unit = make(k);
      const Vector d = factor_.contract(X_.take(unit.rows), adjoint(unit));
      Vector& sum = sums[std::size_t(lane)];
      sum = sum.size() == 0 ? d : Vector(sum + d);
    });
    out.d_log_kernel = sums[0];
    for (std::size_t k = 1; k < sums.size(); ++k)
      if (sums[k].size() > 0) out.d_log_kernel += sums[k];
    Matrix penalty = S_;
    for (Index c = 0; c < m_; ++c)
      penalty -= 0.5 * (q_.col(c) * p_.col(c).transpose() + p_.col(c) * q_.col(c).transpose());
    const PenaltyDerivative d = factor_.contract_penalty(penalty);
    out.d_log_kernel += fit_.lambda * d.d_log_kernel;
    out.d_log_lambda = fit_.lambda * d.along;
    return out;
  }

 private:
  Index lanes() const { return lanes_for(size_, units_); }

  void make_units() {
    batches_ = fold_batches(small_);
    cancels_.assign(small_.size(), 0);
    units_ = Index(batches_.size() + parts_.size());
  }

  // Z_F'W_F Z_F, and Z_F' (r_F, P'_F).
  Sums sums_of(const std::vector<Index>& fold) const {
    Sums part;
    over_blocks(X_, fold, [&](std::span<const Index> rows, const RowsView& block) {
      factor_.features().accumulate(
          block, Matrix::Zero(size_, 2 * m_),
          [&](const Matrix&, Vector& beta, Matrix& R) {
            beta = taken(fit_.beta, rows);
            R << taken(fit_.pull, rows), taken(d_output_, rows);
          },
          part);
    });
    return part;
  }

  void add_fold(const std::vector<Index>& fold, const Matrix& a, const Matrix& q) {
    large_.push_back({0, 0, factor_.rotate(a), factor_.rotate(q)});
    for (std::size_t first = 0; first < fold.size(); first += std::size_t(kBlockRows)) {
      const auto rows = std::span(fold).subspan(first, std::min(std::size_t(kBlockRows), fold.size() - first));
      parts_.push_back({{rows.begin(), rows.end()}, large_.size() - 1});
    }
  }

  // A fold of more rows than features: its a and q from the machine without it, its rows in blocks. False: too much
  // cancels.
  bool add_large(const std::vector<Index>& fold) {
    const Sums part = sums_of(fold);
    const auto without = factor_.without(part.ZWZ, fit_.lambda);
    if (!without) return false;
    const Matrix aq = without->solve(part.right);
    add_fold(fold, aq.leftCols(m_), aq.rightCols(m_));
    return true;
  }

  // The same from the machine of all other rows (machine/triangle.hpp), where C^-1 Z_F' y_F is what it lacks of p.
  void add_doubtful(const Folds& folds) {
    for_each_left_out(factor_.features(), X_, fit_.beta, folds.empty() ? Matrix() : fit_.eta(), fit_.lambda, folds,
                      [&](std::size_t k, const Triangle& without) {
                        if (!without.usable())
                          fail_numerical("gradient: the machine without a fold is not positive definite");
                        add_fold(folds[k], fit_.p - without.solution(),
                                 without.solve(sums_of(folds[k]).right.rightCols(m_)));
                      });
  }

  Unit make(Index k) const {
    Unit unit;
    if (small_.empty() && parts_.empty()) {  // leave one out
      unit.rows.resize(std::size_t(std::min(kBlockRows, X_.rows() - k * kBlockRows)));
      std::iota(unit.rows.begin(), unit.rows.end(), k * kBlockRows);
      for (Index i = 0; i < Index(unit.rows.size()); ++i) unit.shares.push_back({i, 1, {}, {}});
      solve_shares(unit, 0);
    } else if (k < Index(batches_.size())) {
      const FoldBatch& batch = batches_[std::size_t(k)];
      unit.rows = batch.rows;
      Index at = 0;
      for (std::size_t f = batch.first; f < batch.last; at += Index(small_[f++].size()))
        unit.shares.push_back({at, Index(small_[f].size()), {}, {}});
      solve_shares(unit, batch.first);
    } else {
      const Part& part = parts_[std::size_t(k) - batches_.size()];
      unit.rows = part.rows;
      unit.shares = {large_[part.fold]};
      Share& share = unit.shares[0];
      share.count = Index(unit.rows.size());
      unit.V = factor_.rows(X_.take(unit.rows));
      const Vector beta = taken(fit_.beta, unit.rows);
      unit.y = taken(fit_.pull, unit.rows) + beta.asDiagonal() * (unit.V.transpose() * share.a);
      unit.u = taken(d_output_, unit.rows) + beta.asDiagonal() * (unit.V.transpose() * share.q);
    }
    return unit;
  }

  // y and u of whole folds, and their a and q. `fold`: the number of the first.
  void solve_shares(Unit& unit, std::size_t fold) const {
    unit.V = factor_.rows(X_.take(unit.rows));
    const Vector beta = taken(fit_.beta, unit.rows);
    Matrix right(Index(unit.rows.size()), 2 * m_);
    right << taken(fit_.pull, unit.rows), taken(d_output_, unit.rows);
    for (Share& share : unit.shares) {
      if (share.count == 1) {
        right.row(share.first) /= fit_.rest[unit.rows[std::size_t(share.first)]];
        ++fold;
        continue;
      }
      const Matrix V = unit.V.middleCols(share.first, share.count);
      Matrix solved = solve_fold(factor_.features(), V, beta.segment(share.first, share.count),
                                 right.middleRows(share.first, share.count));
      if (solved.size() == 0) {
        cancels_[fold] = 1;
        solved.setZero(share.count, 2 * m_);
      }
      ++fold;
      right.middleRows(share.first, share.count) = solved;
      share.a = V * solved.leftCols(m_);
      share.q = V * solved.rightCols(m_);
    }
    unit.y = right.leftCols(m_);
    unit.u = right.rightCols(m_);
  }

  // q = sum q_F and S = sum (a_F q_F' + q_F a_F')/2.
  void collect() {
    std::vector<Matrix> q(std::size_t(lanes()), Matrix::Zero(size_, m_)), S(q.size(), Matrix::Zero(size_, size_));
    in_lanes(lanes(), Index(units_), [&](Index lane, Index k) {
      if (k >= Index(batches_.size()) && !parts_.empty()) return;
      const Unit unit = make(k);
      q[std::size_t(lane)] += unit.V * unit.u;
      Vector alone = Vector::Zero(unit.V.cols());
      for (const Share& share : unit.shares) {
        if (share.count == 1)
          alone[share.first] = unit.y.row(share.first).dot(unit.u.row(share.first));
        else
          add_pairs(share, S[std::size_t(lane)]);
      }
      if ((alone.array() != 0.0).any()) backend_.add_square(unit.V, alone, S[std::size_t(lane)]);
    });
    for (const Share& share : large_) {
      q[0] += share.q;
      add_pairs(share, S[0]);
    }
    for (std::size_t k = 1; k < q.size(); ++k) {
      q[0] += q[k];
      S[0] += S[k];
    }
    q_ = std::move(q[0]);
    S_ = S[0].selfadjointView<Eigen::Lower>();
  }

  // a q' + q a' = ((a + q)(a + q)' - (a - q)(a - q)')/2, the two scaled to the same length first.
  void add_pairs(const Share& share, Matrix& S) const {
    Matrix both(size_, 2 * m_);
    Vector w(2 * m_);
    for (Index c = 0; c < m_; ++c) {
      const double a = share.a.col(c).norm(), q = share.q.col(c).norm();
      const double s = a > 0.0 && q > 0.0 ? std::sqrt(q / a) : 0.0;
      if (s == 0.0) {
        both.middleCols(2 * c, 2).setZero();
        w.segment(2 * c, 2).setZero();
        continue;
      }
      both.col(2 * c) = s * share.a.col(c) + share.q.col(c) / s;
      both.col(2 * c + 1) = s * share.a.col(c) - share.q.col(c) / s;
      w[2 * c] = 0.25;
      w[2 * c + 1] = -0.25;
    }
    backend_.add_square(both, w, S);
  }

  // sigma, and V'sigma added to q.
  void move_weights() {
    sigma_.setZero(X_.rows());
    std::vector<Vector> q(std::size_t(lanes()), Vector::Zero(size_));
    in_lanes(lanes(), units_, [&](Index lane, Index k) {
      const Unit unit = make(k);
      const Matrix SV = backend_.multiply(S_, unit.V);
      Vector sigma(unit.V.cols());
      for (const Share& share : unit.shares)
        for (Index i = share.first; i < share.first + share.count; ++i) {
          const auto v = unit.V.col(i);
          const Index row = unit.rows[std::size_t(i)];
          const double own = share.count == 1 && share.a.size() == 0
                                 ? unit.y(i, 0) * unit.u(i, 0) * fit_.variance[row] * fit_.variance[row]
                                 : v.dot(share.a.col(0)) * v.dot(share.q.col(0));
          sigma[i] = fit_.bend[row] * fit_.beta[row] * (v.dot(SV.col(i)) - own);
          sigma_[row] = sigma[i];
        }
      q[std::size_t(lane)] += unit.V * sigma;
    });
    for (const Vector& part : q) q_ += part;
  }

  // Row by row of the unit, dP/dZ T.
  Matrix adjoint(const Unit& unit) const {
    Matrix G = backend_.multiply(S_, unit.V);
    const Matrix Vq = unit.V.transpose() * q_;
    for (const Share& share : unit.shares)
      for (Index i = share.first; i < share.first + share.count; ++i) {
        const Index row = unit.rows[std::size_t(i)];
        auto g = G.col(i);
        g *= 2.0 * fit_.beta[row];
        if (share.a.size() == 0) g -= (2.0 * unit.u.row(i).dot(unit.y.row(i))) * unit.V.col(i);
        for (Index c = 0; c < m_; ++c) {
          double of_p = unit.u(i, c) - fit_.beta[row] * Vq(i, c);
          if (sigma_.size() > 0) of_p += sigma_[row];
          g += of_p * p_.col(c) + fit_.pull(row, c) * q_.col(c);
          if (share.a.size() > 0) g -= unit.u(i, c) * share.a.col(c) + unit.y(i, c) * share.q.col(c);
        }
      }
    return G;
  }

  struct Part {
    std::vector<Index> rows;
    std::size_t fold;
  };

  const HostFeatureFactor& factor_;
  const HostBackend& backend_;
  const RowSource& X_;
  const PrimalState& fit_;
  const Matrix& d_output_;
  Index size_, m_;
  Matrix p_;
  Folds small_;
  std::vector<FoldBatch> batches_;
  std::vector<Share> large_;
  std::vector<Part> parts_;            // blocks of large folds
  mutable std::vector<char> cancels_;  // of small_: each is looked at by one lane
  Index units_ = 0;
  Matrix q_, S_;
  Vector sigma_;
};

}  // namespace

CriterionGradient HostFeatureFactor::gradient(const RowSource& X, const PrimalState& fit, const Folds& folds,
                                              const Matrix& d_output) const {
  return PrimalGradient(*this, X, fit, folds, d_output).run();
}

}  // namespace lacuna::compute::host
