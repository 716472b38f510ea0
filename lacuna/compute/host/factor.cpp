#include "lacuna/compute/host/factor.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "lacuna/compute/lanes.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna::compute::host {
namespace {

// Row i has its one in the column of its place in its fold.
Matrix places_in_folds(const Folds& folds, Index rows) {
  std::size_t largest = 0;
  for (const auto& fold : folds) largest = std::max(largest, fold.size());
  Matrix out = Matrix::Zero(rows, Index(largest));
  for (const auto& fold : folds)
    for (std::size_t k = 0; k < fold.size(); ++k) out(fold[k], Index(k)) = 1.0;
  return out;
}

}  // namespace

std::vector<Index> HostFactor::all_rows() const {
  std::vector<Index> all(static_cast<std::size_t>(gram().size()));
  std::iota(all.begin(), all.end(), Index(0));
  return all;
}

Matrix HostFactor::apply_Q(const Vector& xi, const Matrix& W) const {
  if (xi.size() == 0) return solve(W);
  return solve(W) - xi * ((xi.transpose() * W) / xi.sum());
}

std::shared_ptr<const Matrix> HostFactor::kept_Q(const Vector& xi) const {
  return Q_ && xi_of_Q_.size() == xi.size() && xi_of_Q_ == xi ? Q_ : nullptr;
}

std::shared_ptr<const Matrix> HostFactor::all_of_Q(const Vector& xi) const {
  if (auto kept = kept_Q(xi)) return kept;
  Matrix Q = inverse();
  const double one_xi = xi.sum();
  parallel_ranges(xi.size(), 64, [&](Index from, Index to) {
    for (Index j = from; j < to; ++j) Q.col(j) -= (xi[j] / one_xi) * xi;
  });
  xi_of_Q_ = xi;
  return Q_ = std::make_shared<const Matrix>(std::move(Q));
}

Vector HostFactor::explained(const RowsView& X) const {
  Vector out(X.rows());
  for (Index first = 0; first < X.rows(); first += kBlockRows) {
    const Index count = std::min(kBlockRows, X.rows() - first);
    const Matrix k = gram().cross(middle_rows(X, first, count)).transpose();
    out.segment(first, count) = k.cwiseProduct(solve(k)).colwise().sum().transpose();
  }
  return out;
}

SitesOut HostFactor::take_sites(const Folds& folds, const Vector& pull) const {
  const std::vector<Index> all = all_rows();
  const Vector unknown = Vector::Constant(Index(all.size()), std::nan(""));
  SitesOut out{unknown, unknown};
  for (std::size_t from = 0, to = 0; from < folds.size(); from = to) {
    std::vector<Index> rows;  // of several folds, so that one solve serves them
    for (; to < folds.size() && (rows.empty() || Index(rows.size() + folds[to].size()) <= kBlockRows); ++to)
      rows.insert(rows.end(), folds[to].begin(), folds[to].end());
    const Matrix k = gram().block(all, rows), solved = solve(k);
    Index at = 0;
    for (std::size_t f = from; f < to; at += Index(folds[f++].size())) {
      const auto& fold = folds[f];
      const auto n = Index(fold.size());
      const Matrix S =
          (gram().block(fold, fold) - k.middleCols(at, n).transpose() * solved.middleCols(at, n)) / lambda_;
      // S (I - W S)^-1, whose eigenvalues are those of A^-1 within the fold: between 0 and 1.
      const Matrix V = (Matrix::Identity(n, n) - S * Vector(beta_(fold)).asDiagonal()).partialPivLu().solve(S);
      out.shift(fold) = V * pull(fold);
      out.variance(fold) = V.diagonal();
    }
  }
  return out;
}

std::vector<Matrix> HostFactor::solve_folds(const Folds& folds, const Vector& xi,
                                            const std::vector<Matrix>& right) const {
  std::vector<Matrix> out;
  for (const Matrix& one : right) out.push_back(Matrix::Zero(one.rows(), one.cols()));
  const double one_xi = xi.sum();
  parallel_for(Index(folds.size()), [&](Index f) {
    std::vector<Index> inside;
    for (const Index i : folds[std::size_t(f)])
      if (in_system(i)) inside.push_back(i);
    if (inside.empty()) return;
    Matrix Q = inverse_block(inside);
    if (xi.size() > 0) {
      const Vector xi_F = xi(inside);
      Q -= xi_F * xi_F.transpose() / one_xi;
    }
    const Eigen::LLT<Matrix> llt(Q);
    for (std::size_t k = 0; k < right.size(); ++k) {
      Matrix x = right[k](inside, Eigen::all);
      if (llt.info() == Eigen::Success)
        llt.solveInPlace(x);
      else
        x = Q.ldlt().solve(x).eval();
      out[k](inside, Eigen::all) = x;
    }
  });
  return out;
}

Matrix HostFactor::leave_out(const Folds& folds, const Vector& xi, const Matrix& alpha) const {
  Matrix out = std::move(solve_folds(folds, xi, {alpha})[0]);
  const Matrix e = out;
  for (const auto& fold : folds) {
    std::vector<Index> outside;
    for (const Index i : fold)
      if (!in_system(i)) outside.push_back(i);
    if (outside.empty() || outside.size() == fold.size()) continue;
    Matrix e_F = Matrix::Zero(e.rows(), e.cols());
    e_F(fold, Eigen::all) = e(fold, Eigen::all);
    const Matrix change = gram().multiply(apply_Q(xi, e_F));
    const Eigen::RowVectorXd change_b = xi.transpose() * e_F / xi.sum();
    for (const Index i : outside) out.row(i) = change.row(i) + change_b;
  }
  return out;
}

// One column for each fold and output. Rows I of a fold that are not in the system are outputs all the same: with
// a = Q K p_I + xi 1'p_I / 1'xi, the response of the machine to them, u_F = Q_FF^-1 (P'_F + a_F) and p_I - a joins Q_:F
// u_F. With variances (no border) C is Q_:F Q_FF^-1, a column for each row of F.
Adjoint HostFactor::spread_folds(const Adjoint& adjoint, Vector& w, Matrix& C) const {
  const Matrix& alpha = adjoint.left;
  const Matrix& d_output = adjoint.right;
  const Folds& folds = adjoint.folds;
  const Index l = alpha.rows(), m = alpha.cols(), count = Index(folds.size());
  Matrix adjoint_hand = d_output, extra;
  for (Index f = 0; f < count; ++f) {
    Matrix p;
    for (const Index i : folds[std::size_t(f)])
      if (!in_system(i) && (d_output.row(i).array() != 0.0).any()) {
        if (p.size() == 0) p = Matrix::Zero(l, m);
        p.row(i) = d_output.row(i);
      }
    if (p.size() == 0) continue;
    const Matrix a = apply_Q(adjoint.xi, gram().multiply(p)) + adjoint.xi * (p.colwise().sum() / adjoint.xi.sum());
    for (const Index i : folds[std::size_t(f)]) adjoint_hand.row(i) += a.row(i);
    if (extra.size() == 0) extra = Matrix::Zero(l, count * m);
    extra.middleCols(f * m, m) = p - a;
  }
  std::vector<Matrix> right{alpha, adjoint_hand};
  if (adjoint.q.size() > 0) right.push_back(places_in_folds(folds, l));
  const std::vector<Matrix> solved = solve_folds(folds, adjoint.xi, right);
  Matrix E = Matrix::Zero(l, count * m), U = E;
  for (Index f = 0; f < count; ++f)
    for (const Index i : folds[std::size_t(f)]) {
      E.row(i).segment(f * m, m) = solved[0].row(i);
      U.row(i).segment(f * m, m) = solved[1].row(i);
    }
  Adjoint out{-apply_Q(adjoint.xi, E), apply_Q(adjoint.xi, U), Vector(), adjoint.xi};
  for (Index f = 0; f < count; ++f) out.left.middleCols(f * m, m) += alpha;
  if (extra.size() > 0) out.right += extra;
  if (adjoint.q.size() > 0) {
    C = inverse();
    parallel_for(count, [&](Index f) {
      const auto& fold = folds[std::size_t(f)];
      const Matrix Q_F = C(Eigen::all, fold), Q_FF_inv = solved[2](fold, Eigen::seqN(0, Index(fold.size())));
      C(Eigen::all, fold) = Q_F * Q_FF_inv;
      C(fold, fold).setIdentity();
    });
  }
  if (adjoint.curvature.size() == 0) return out;
  // Weights that move: w from the columns themselves (a row's own fold has no part in it), and one more column for G.
  w = Vector::Zero(l);
  for (Index f = 0; f < count; ++f)
    for (const Index j : folds[std::size_t(f)])
      for (Index g = 0; g < count; ++g)
        if (g != f) w[j] += lambda_ * out.right(j, g) * (out.left(j, g) - alpha(j, 0));
  // ... which must not be taken off again: a small w matters where beta is small.
  for (Index g = 0; C.size() > 0 && g < count; ++g) {
    const auto& fold = folds[std::size_t(g)];
    Vector part = C(Eigen::all, fold).cwiseAbs2() * adjoint.q(fold);
    part(fold).setZero();
    w += part;
  }
  out.left.conservativeResize(l, count + 1);
  out.right.conservativeResize(l, count + 1);
  out.left.col(count) = alpha.col(0);
  out.right.col(count) = -apply_Q(adjoint.xi, lambda_ * w.cwiseProduct(adjoint.curvature));
  return out;
}

AdjointResult HostFactor::contract(const Adjoint& adjoint) const {
  if (adjoint.folds.empty()) return contract_rows(adjoint);
  Vector w;
  Matrix C;
  AdjointResult out = contract_rows(spread_folds(adjoint, w, C));
  out.w = w;
  if (C.size() == 0) return out;
  const AdjointResult variances = contract_rows({C, C * (adjoint.q / lambda_).asDiagonal(), {}, adjoint.xi});
  out.d_log_kernel += variances.d_log_kernel;
  out.diagonal += variances.diagonal;
  return out;
}

Vector HostFactor::second_step(const Vector& xi, const Vector& alpha, const Vector& curvature) const {
  const Index l = gram().size();
  const auto kept = all_of_Q(xi);
  const Matrix& Q = *kept;
  const Vector bend = curvature.cwiseProduct(beta_.cwiseAbs2());
  const Vector by_weight = (beta_.array() > 0.0).select(lambda_ / beta_.array(), 0.0);
  Vector out = Vector::Zero(l);
  parallel_ranges(l, 64, [&](Index from, Index to) {
    for (Index i = from; i < to; ++i) {
      if (!in_system(i)) continue;
      Eigen::ArrayXd q = Q.col(i).array();
      const double own = std::exchange(q[i], 0.0);
      const Eigen::ArrayXd u = by_weight.array() * q * (alpha[i] / own);
      const Eigen::ArrayXd second = 0.5 * q * bend.array() * u.square(), x = (bend.array() * u).abs();
      out[i] = (std::abs(second.sum()) + (second.abs() * x * (1.0 / 3.0 + x / 12.0)).sum()) / own;
    }
  });
  return out;
}

}  // namespace lacuna::compute::host
