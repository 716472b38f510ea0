#include "lacuna/compute/mpi/factor.hpp"

#include <cmath>

#include "lacuna/compute/host/pairs.hpp"

namespace lacuna::compute::mpi {

// Q = M^-1 - xi xi'/(1'xi), from the elements of A^-1; without xi, M^-1.
struct SpreadFactor::Border {
  const Vector &d, &xi;
  double lambda, one_xi;
  Border(const Vector& d_of, const Vector& xi_of, double lambda_of)
      : d(d_of), xi(xi_of), lambda(lambda_of), one_xi(xi_of.sum()) {}
  double operator()(Index i, Index j, double a) const {
    const double m = d[i] * a * d[j] / lambda;
    return xi.size() > 0 ? m - xi[i] * xi[j] / one_xi : m;
  }
};

SpreadFactor::SpreadFactor(const SpreadGram& gram, Vector beta, double lambda, Want want)
    : gram_(gram), beta_(std::move(beta)), d_(beta_.cwiseSqrt()), lambda_(lambda), L_(gram.matrix()) {
  L_->change_lower_elements(
      [&](Index i, Index j, double k) { return (i == j ? 1.0 : 0.0) + d_[i] * k * d_[j] / lambda_; });
  positive_definite_ = factor_in_place(*L_);
  if (!positive_definite_) {
    L_.reset();
    return;
  }
  log_determinant_ = 2.0 * L_->diagonal_everywhere().array().log().sum();
  if (want == Want::solve) return;
  inverse_ = *L_;
  invert_triangle(*inverse_);
}

Matrix SpreadFactor::solve(const Matrix& B) const {
  Spread X(grid(), d_.asDiagonal() * B);
  solve_factored(*L_, X);
  return (d_ / lambda_).asDiagonal() * X.at_first();
}

// diag(A^-1): squared norms of the columns of L^-1.
Vector SpreadFactor::inverse_diagonal() {
  if (of_A_) return d_.cwiseAbs2().cwiseProduct(inverse_->diagonal_everywhere()) / lambda_;
  Vector sum = Vector::Zero(size());
  inverse_->for_lower_elements([&](Index, Index j, double s) { sum[j] += s * s; });
  team().sum_at_first(sum.data(), sum.size());
  return d_.cwiseAbs2().cwiseProduct(sum) / lambda_;
}

void SpreadFactor::form_inverse() {
  if (of_A_) return;
  square_transposed(*inverse_);
  of_A_ = true;
}

Matrix SpreadFactor::inverse_part(const std::vector<Index>& rows) {
  form_inverse();
  const Matrix part = inverse_->symmetric_part_at_first(rows, rows);
  const Vector d = d_(rows);
  return d.asDiagonal() * part * (d / lambda_).asDiagonal();
}

Vector SpreadFactor::diagonal_of_Q(const Border& of) {
  Vector out = inverse_->diagonal_everywhere();
  for (Index i = 0; i < size(); ++i) out[i] = of(i, i, out[i]);
  return out;
}

// w = -lambda o, o_j = sum_{k != j} Q_jk^2 v_k, and -lambda Q (w o s) added to the right factor. An element below the
// diagonal stands for the one above it too.
Vector SpreadFactor::moving_weights(const Border& of, const Adjoint& adjoint, Matrix& right) {
  Vector w = Vector::Zero(size());
  inverse_->for_lower_elements([&](Index i, Index j, double a) {
    if (i == j) return;
    const double q = of(i, j, a);
    w[i] -= lambda_ * q * q * adjoint.v[j];
    w[j] -= lambda_ * q * q * adjoint.v[i];
  });
  team().sum_everywhere(w.data(), w.size());
  for (Index j = 0; j < size(); ++j)
    if (!(beta_[j] > 0.0)) w[j] = 0.0;
  Vector change = Vector::Zero(size());
  inverse_->for_lower_elements([&](Index i, Index j, double a) {
    const double q = of(i, j, a);
    change[i] -= lambda_ * q * w[j] * adjoint.curvature[j];
    if (i != j) change[j] -= lambda_ * q * w[i] * adjoint.curvature[i];
  });
  team().sum_everywhere(change.data(), change.size());
  right.col(0) += change;
  return w;
}

Spread SpreadFactor::whole_Q(const Border& of) {
  Spread Q = *inverse_;
  Q.change_lower_elements(of);
  Q.mirror();
  return Q;
}

AdjointResult SpreadFactor::contract(const Adjoint& adjoint) {
  const Border of(d_, adjoint.xi, lambda_);
  const Vector none;
  const Border without(d_, none, lambda_);
  AdjointResult out;
  Matrix right = adjoint.right;
  if (adjoint.v.size() > 0 || adjoint.inverse != 0.0) form_inverse();
  // G, lower triangle: first what is of all of Q, -Q diag(v) Q + kappa M^-1.
  std::optional<Spread> G;
  if (adjoint.v.size() > 0) {
    if (adjoint.curvature.size() > 0) out.w = moving_weights(of, adjoint, right);
    const Spread Q = whole_Q(of);
    G = weighted_square(grid(), Q, -adjoint.v);
  } else {
    G.emplace(grid(), size());
  }
  if (adjoint.inverse != 0.0)
    for (std::size_t c = 0; c < G->col_numbers().size(); ++c)
      for (std::size_t r = 0; r < G->row_numbers().size(); ++r) {
        const Index i = G->row_numbers()[r], j = G->col_numbers()[c];
        if (i >= j)
          G->local()(Index(r), Index(c)) += adjoint.inverse * without(i, j, inverse_->local()(Index(r), Index(c)));
      }
  G->for_own_lower([&](const Spread::Block& b) {
    Eigen::Map<Matrix, 0, Eigen::OuterStride<>> g(b.at, b.ni, b.nj, Eigen::OuterStride<>(b.ld));
    g.noalias() += 0.5 * adjoint.left.middleRows(b.i0, b.ni) * right.middleRows(b.j0, b.nj).transpose();
    g.noalias() += 0.5 * right.middleRows(b.i0, b.ni) * adjoint.left.middleRows(b.j0, b.nj).transpose();
    if (b.on_diagonal()) g.triangularView<Eigen::StrictlyUpper>() = Matrix(g).transpose();
  });
  out.diagonal = G->diagonal_everywhere();
  if (gram_.squared() && gram_.parameters() > 0) {
    // <G, dR C R + R C dR> = <H C + C H', dR>, H = G R
    G->mirror();
    Spread R = gram_.kernel_matrix();
    R.mirror();
    Spread H = product(grid(), *G, R);
    for (std::size_t c = 0; c < H.col_numbers().size(); ++c)
      H.local().col(Index(c)) *= gram_.column_weights()[H.col_numbers()[c]];
    const Spread other = transposed(grid(), H);
    H.local() += other.local();
    out.d_log_kernel = gram_.contract(H);
  } else {
    out.d_log_kernel = gram_.contract(*G);
  }
  return out;
}

Vector SpreadFactor::second_step(const Vector& xi, const Vector& alpha, const Vector& curvature) {
  form_inverse();
  const Border of(d_, xi, lambda_);
  const Vector own = diagonal_of_Q(of);
  const Vector bend = curvature.cwiseProduct(beta_.cwiseAbs2());
  Matrix sums = Matrix::Zero(size(), 2);  // of row i when it leaves: the second step, and what bounds the rest
  const auto add = [&](Index i, Index j, double q) {
    if (!(beta_[i] > 0.0) || !(beta_[j] > 0.0)) return;
    const double u = lambda_ / beta_[j] * q * (alpha[i] / own[i]);
    const double second = 0.5 * q * bend[j] * u * u, x = std::abs(bend[j] * u);
    sums(i, 0) += second;
    sums(i, 1) += std::abs(second) * x * (1.0 / 3.0 + x / 12.0);
  };
  inverse_->for_lower_elements([&](Index i, Index j, double a) {
    if (i == j) return;
    const double q = of(i, j, a);
    add(i, j, q);
    add(j, i, q);
  });
  team().sum_at_first(sums.data(), sums.size());
  Vector out = Vector::Zero(size());
  for (Index i = 0; i < size(); ++i)
    if (beta_[i] > 0.0) out[i] = (std::abs(sums(i, 0)) + sums(i, 1)) / own[i];
  return out;
}

Vector SpreadFactor::pairs_won(const Vector& xi, const Matrix& side, const Vector& tie, const Matrix& alpha,
                               const Matrix& eta) {
  form_inverse();
  const Border of(d_, xi, lambda_);
  const Vector own = diagonal_of_Q(of);
  Vector won = Vector::Zero(side.cols());
  inverse_->for_lower_elements([&](Index row, Index col, double a) {
    if (row == col || !(beta_[row] > 0.0) || !(beta_[col] > 0.0)) return;
    const double q = of(row, col, a);
    for (Index c = 0; c < side.cols(); ++c) {
      if (!(side(row, c) * side(col, c) < 0.0)) continue;
      const Index i = side(row, c) > 0.0 ? row : col, j = side(row, c) > 0.0 ? col : row;
      const double determinant = own[i] * own[j] - q * q;
      const double by = eta(i, c) - eta(j, c) - ((own[j] + q) * alpha(i, c) - (own[i] + q) * alpha(j, c)) / determinant;
      won[c] += side(i, c) * -side(j, c) * host::share(by, tie[c]);
    }
  });
  team().sum_at_first(won.data(), won.size());
  return won;
}

}  // namespace lacuna::compute::mpi
