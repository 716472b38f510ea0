#include "lacuna/compute/host/triangle.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "lacuna/compute/lanes.hpp"

namespace lacuna::compute::host {
namespace {

// Fewer rows than this share of the features join by rotations one at a time.
constexpr Index one_by_one = 4;

// A row joins the triangle [R | d] and is used up.
void rotate_in(RowMatrix& R, Eigen::RowVectorXd& row) {
  const Index columns = R.cols();
  for (Index k = 0; k < R.rows(); ++k) {
    if (row[k] == 0.0) continue;
    const double length = std::hypot(R(k, k), row[k]), c = R(k, k) / length, s = row[k] / length;
    double* a = &R(k, 0);
    double* b = row.data();
    for (Index j = k; j < columns; ++j) {
      const double x = a[j], y = b[j];
      a[j] = c * x + s * y;
      b[j] = c * y - s * x;
    }
    R(k, k) = length;
    row[k] = 0.0;
  }
}

}  // namespace

Triangle::Triangle(const HostFeatures& features, double lambda, Index outputs)
    : features_(features), R_(RowMatrix::Zero(features.size(), features.size() + outputs)) {
  const Index n = size() - 1;
  const Matrix P0 = features.penalise(Matrix::Identity(size(), size()));
  R_.topLeftCorner(n, n) = std::sqrt(lambda) * Matrix(P0.topLeftCorner(n, n).llt().matrixU());
}

void Triangle::add(const RowsView& X, const Vector& beta, const Matrix& eta) {
  const Index n = size(), l = X.rows();
  Matrix rows(l, R_.cols());
  rows << features_.of_block(X, Matrix::Identity(n, n)), eta;
  rows.array().colwise() *= beta.array().sqrt();
  if (one_by_one * l < n) {
    for (Index i = 0; i < l; ++i) {
      Eigen::RowVectorXd row = rows.row(i);
      if (beta[i] > 0.0) rotate_in(R_, row);
    }
    return;
  }
  Matrix stacked(n + l, R_.cols());
  stacked << R_, rows;
  const Eigen::HouseholderQR<Matrix> qr(stacked);
  R_ = qr.matrixQR().topRows(n);
  R_.leftCols(n).triangularView<Eigen::StrictlyLower>().setZero();
}

void Triangle::add(const RowSource& X, const std::vector<Index>& rows, const Vector& beta, const Matrix& eta) {
  const auto count = Index(rows.size());
  for (Index first = 0; first < count; first += kBlockRows) {
    const auto some = std::span(rows).subspan(std::size_t(first), std::size_t(std::min(kBlockRows, count - first)));
    add(X.take(some), beta(some), eta(some, Eigen::all));
  }
}

Matrix Triangle::substitute(const Matrix& right) const {
  return R_.leftCols(size()).triangularView<Eigen::Upper>().solve(right);
}

Matrix Triangle::substitute_transposed(const Matrix& right) const {
  return R_.leftCols(size()).transpose().triangularView<Eigen::Lower>().solve(right);
}

bool Triangle::usable() const { return R_.allFinite() && (R_.leftCols(size()).diagonal().array() != 0.0).all(); }

Matrix Triangle::solution() const { return substitute(R_.rightCols(R_.cols() - size())); }

Matrix Triangle::solve(const Matrix& right) const { return substitute(substitute_transposed(right)); }

Matrix Triangle::half(const RowsView& X) const {
  return substitute_transposed(features_.of_block(X, Matrix::Identity(size(), size())).transpose());
}

Matrix Triangle::outputs(const RowsView& X) const { return features_.of_block(X, solution()); }

Matrix Triangle::lower() const {
  Matrix T = R_.leftCols(size()).transpose();
  for (Index k = 0; k < size(); ++k)
    if (T(k, k) < 0.0) T.col(k) *= -1.0;
  return T;
}

void for_each_left_out(const HostFeatures& features, const RowSource& X, const Vector& beta, const Matrix& eta,
                       double lambda, const Folds& folds,
                       const std::function<void(std::size_t, const Triangle&)>& visit) {
  if (folds.empty()) return;
  std::vector<char> in_a_fold(static_cast<std::size_t>(X.rows()));
  for (const auto& fold : folds)
    for (const Index i : fold) in_a_fold[std::size_t(i)] = 1;
  std::vector<Index> others;
  for (Index i = 0; i < X.rows(); ++i)
    if (!in_a_fold[std::size_t(i)] && beta[i] > 0.0) others.push_back(i);
  Triangle base(features, lambda, eta.cols());
  base.add(X, others, beta, eta);
  // Folds first ... last - 1 are still to leave `triangle`; all others are in it.
  const auto leave = [&](std::size_t first, std::size_t last, const Triangle& triangle, const auto& self) -> void {
    if (last - first == 1) return visit(first, triangle);
    const std::size_t middle = first + (last - first) / 2;
    const auto with = [&](std::size_t from, std::size_t to) {
      Triangle more = triangle;
      std::vector<Index> rows;
      for (std::size_t k = from; k < to; ++k)
        for (const Index i : folds[k])
          if (beta[i] > 0.0) rows.push_back(i);
      more.add(X, rows, beta, eta);
      return more;
    };
    self(first, middle, with(middle, last), self);
    self(middle, last, with(first, middle), self);
  };
  leave(0, folds.size(), base, leave);
}

}  // namespace lacuna::compute::host
