#include "lacuna/compute/cpu/coordinates.hpp"

#include <algorithm>

#include "lacuna/compute/cpu/blas.hpp"
#include "lacuna/compute/cpu/triangular.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna::compute::cpu {
namespace {

constexpr double kLargest = 100.0;   // of E_jj (E_g^-1)_jj within a group
constexpr double kWorthwhile = 0.6;  // of a substitution's cost: above it, whiten

// C += sign op(A) B.
void add_product(Op op, double sign, const Matrix& A, const double* B, double* C, Index columns, Index ld) {
  const Index rows = op == Op::as_is ? A.rows() : A.cols(), depth = A.rows() + A.cols() - rows;
  gemm(op, Op::as_is, rows, columns, depth, sign, A.data(), A.rows(), B, ld, 1.0, C, ld);
}

// body(first column, columns), the columns of a wide matrix shared out among the threads.
template <class Body>
void share_columns(Index columns, const Body& body) {
  const Index threads = thread_count();
  if (threads == 1 || columns < 64) return body(Index(0), columns);
  const Index share = (columns / threads / 8 + 1) * 8;
  parallel_ranges(columns, share, [&](Index first, Index last) { body(first, last - first); });
}

}  // namespace

Coordinates::Coordinates(const Matrix& K, bool grouped) : n_(K.rows()), whitened_(!grouped) {
  for (Index failed = 1; failed > 0;) {
    L_ = Buffer(std::max<Index>(1, pair_size(n_, n_)));
    for (Index j = 0; j < n_; ++j) std::copy_n(&K(j, j), n_ - j, L_.data() + j * (n_ + 1));
    if (!cpu::factor_and_invert(n_, L_.data(), std::max<Index>(1, n_), &failed)) n_ = failed - 1;
  }
  if (!whitened_) cut();
  if (whitened_) return;
  for (std::size_t g = 0; g + 1 < start_.size(); ++g) {
    const Index b = start_[g], s = start_[g + 1] - b;
    Matrix L_gg = Matrix::Zero(s, s);
    for (Index j = 0; j < s; ++j) std::copy_n(L_.data() + (b + j) * (n_ + 1), s - j, &L_gg(j, j));
    E_.push_back(L_gg * L_gg.transpose());
    if (b == 0) continue;
    // A_g,<g = L_g,<g (blocks on the diagonal of L_<g)^-1, group by group of columns.
    Matrix A(s, b);
    for (Index j = 0; j < b; ++j) std::copy_n(L_.data() + b + j * n_, s, &A(0, j));
    for (std::size_t h = 0; h < g; ++h) {
      const Index c = start_[h], w = start_[h + 1] - c;
      trsm_from_right(s, w, L_.data() + c * (n_ + 1), n_, &A(0, c), s);
    }
    A_.push_back(std::move(A));
  }
}

// (L_gg)^-1 is the same block of L^-1, so that E_jj and (E_g^-1)_jj are sums along a row of L and down a column of S.
// Cut from the end, each group as large as can be: a few vectors first and many after them cost less than halves.
void Coordinates::cut() {
  start_ = {n_};
  double kept = 0.0;  // sum of squares of sizes
  Vector row = Vector::Zero(n_), column = Vector::Zero(n_);
  for (Index end = n_; end > 0; end = start_.back()) {
    Index b = end;
    for (bool fits = true; fits && b > 0;) {
      --b;
      row[b] = column[b] = 0.0;
      for (Index j = b; j < end; ++j) {
        const double l = L_.data()[j + b * n_], s = L_.data()[b + (j + 1) * n_];  // L_jb and S_jb
        row[j] += l * l;
        column[b] += s * s;
      }
      for (Index j = b; j < end; ++j) fits = fits && row[j] * column[j] <= kLargest;
      if (!fits) ++b;
    }
    if (b == end) --b;  // rounding: one vector alone always fits
    kept += double(end - b) * double(end - b);
    start_.push_back(b);
    row.setZero();
  }
  std::reverse(start_.begin(), start_.end());
  whitened_ = double(n_) * double(n_) - kept > kWorthwhile * double(n_) * double(n_);
}

void Coordinates::features(Matrix& k) const {
  const Index ld = std::max<Index>(1, k.rows());
  share_columns(k.cols(), [&](Index first, Index columns) {
    double* f = k.data() + first * ld;
    if (whitened_) return solve_lower(n_, L_.data(), n_, columns, f, ld);
    for (std::size_t g = 0; g < A_.size(); ++g) add_product(Op::as_is, -1.0, A_[g], f, f + start_[g + 1], columns, ld);
  });
}

void Coordinates::adjoint(Matrix& g) const {
  const Index ld = std::max<Index>(1, g.rows());
  share_columns(g.cols(), [&](Index first, Index columns) {
    double* f = g.data() + first * ld;
    if (whitened_) return solve_lower_transposed(n_, L_.data(), n_, columns, f, ld);
    for (std::size_t k = A_.size(); k-- > 0;)
      add_product(Op::transposed, -1.0, A_[k], f + start_[k + 1], f, columns, ld);
  });
}

void Coordinates::penalise(Matrix& p) const {
  if (whitened_) return;
  for (std::size_t g = 0; g < E_.size(); ++g) {
    const Matrix part = p.middleRows(start_[g], E_[g].rows());
    p.middleRows(start_[g], E_[g].rows()) = E_[g] * part;
  }
}

void Coordinates::add_penalty(double lambda, double* C, Index ld) const {
  if (whitened_) {
    for (Index j = 0; j < n_; ++j) C[j * (ld + 1)] += lambda;
    return;
  }
  for (std::size_t g = 0; g < E_.size(); ++g)
    for (Index j = 0; j < E_[g].cols(); ++j)
      for (Index i = j; i < E_[g].rows(); ++i) C[start_[g] + i + (start_[g] + j) * ld] += lambda * E_[g](i, j);
}

double Coordinates::along_penalty(const Matrix& G) const {
  if (whitened_) return G.topLeftCorner(n_, n_).trace();
  double sum = 0.0;
  for (std::size_t g = 0; g < E_.size(); ++g)
    sum += G.block(start_[g], start_[g], E_[g].rows(), E_[g].rows()).cwiseProduct(E_[g]).sum();
  return sum;
}

}  // namespace lacuna::compute::cpu
