// compute/host/projection.cpp (of backend.hpp) -- a growing basis. The Cholesky factor K_SS = L L' gains a row with
// every vector added, and so does Phi_J = K_JS L^-T, of which rho_jc = k(x_j, x_c) - phi_j'phi_c. Where every row is a
// candidate at every step rho itself is kept instead: a choice takes rho_:c rho_:c'/rho_cc off it.
#include <algorithm>
#include <cmath>

#include "lacuna/compute/host/backend.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna::compute::host {
namespace {

class Factored final : public Projection {
 public:
  Factored(const HostBackend& backend, const Kernel& kernel, const RowsView& X, const Judged& judged)
      : backend_(backend), kernel_(kernel), X_(X), judged_(take_rows(X, judged.rows)) {
    judge(judged, backend.gram(kernel, judged_, Use::once)->diagonal());
    L_.resize(judged.most, judged.most);
    Phi_.resize(judged_.rows(), judged.most);
  }

  Candidates look(std::span<const Index> rows) override {
    const Index n = Index(chosen_.size());
    seen_.assign(rows.begin(), rows.end());
    const Rows candidates = take_rows(X_, seen_);
    const Vector norm = backend_.gram(kernel_, candidates, Use::once)->diagonal();
    rho_ = backend_.kernel_matrix(kernel_, judged_, candidates);
    own_ = norm;
    if (n > 0) {
      phi_ = backend_.kernel_matrix(kernel_, take_rows(X_, chosen_), candidates);
      L_.topLeftCorner(n, n).triangularView<Eigen::Lower>().solveInPlace(phi_);
      if (phi_.cols() == 1)
        rho_.noalias() -= Phi_.leftCols(n) * phi_.col(0);
      else
        rho_ -= backend_.multiply(Phi_.leftCols(n), phi_);
      own_ -= phi_.colwise().squaredNorm().transpose();
    }
    return {norm, own_, (weight_.transpose() * rho_.cwiseAbs2()).transpose()};
  }

  void add(Index which) override {
    const Index n = Index(chosen_.size());
    const double root = std::sqrt(own_[which]);
    if (n > 0) L_.row(n).head(n) = phi_.col(which).transpose();
    L_(n, n) = root;
    Phi_.col(n) = rho_.col(which) / root;
    left_ = (left_ - Phi_.col(n).cwiseAbs2()).cwiseMax(0.0);
    chosen_.push_back(seen_[std::size_t(which)]);
  }

 private:
  const HostBackend& backend_;
  Kernel kernel_;
  RowsView X_;
  Rows judged_;
  std::vector<Index> chosen_, seen_;
  Matrix L_, Phi_;    // the leading |S| columns are in use
  Matrix phi_, rho_;  // of the candidates last looked at
  Vector own_;
};

class Whole final : public Projection {
 public:
  Whole(const HostBackend& backend, const Kernel& kernel, const RowsView& X, const Judged& judged) {
    const Rows rows = take_rows(X, judged.rows);
    E_ = backend.kernel_matrix(kernel, rows, rows);
    norm_ = E_.diagonal();
    judge(judged, norm_);
  }

  // E -= c c', and sum_i w_i E_ij^2.
  Candidates look(std::span<const Index>) override {
    const Index l = E_.rows();
    Vector taken(l);
    parallel_ranges(l, l > 200 ? 32 : l, [&](Index first, Index last) {
      for (Index j = first; j < last; ++j) {
        auto column = E_.col(j);
        if (c_.size() > 0) column -= c_[j] * c_;
        taken[j] = weight_.dot(column.cwiseAbs2());
      }
    });
    c_.resize(0);
    return {norm_, E_.diagonal(), taken};
  }
  void add(Index which) override {
    c_ = E_.col(which) / std::sqrt(E_(which, which));
    left_ = (E_.diagonal() - c_.cwiseAbs2()).cwiseMax(0.0);
  }

 private:
  Matrix E_;
  Vector norm_, c_;  // c: chosen, and still to be taken off
};

}  // namespace

std::unique_ptr<Projection> HostBackend::projection(const Kernel& kernel, const RowsView& X, Judged judged) const {
  if (judged.most > 0) return std::make_unique<Factored>(*this, kernel, X, judged);
  return std::make_unique<Whole>(*this, kernel, X, judged);
}

namespace {

// Matrix products round differently at their edges, and large coefficients make that visible: a row's output would
// depend on how many others are asked for with it. So the number of rows is made whole.
constexpr Index whole_rows = 32;

Rows padded(const RowsView& X, Index first, Index count) {
  std::vector<Index> rows;
  for (Index k = 0; k < (count + whole_rows - 1) / whole_rows * whole_rows; ++k)
    rows.push_back(first + std::min(k, count - 1));
  return take_rows(X, rows);
}

}  // namespace

Matrix HostBackend::expand(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A) const {
  constexpr Index block = 1024;  // so that memory does not grow with the number of rows of X
  Matrix out(X.rows(), A.cols());
  for (Index first = 0; first < X.rows(); first += block) {
    const Index count = std::min(block, X.rows() - first);
    const bool whole = count % whole_rows == 0;
    const Rows some = whole ? Rows() : padded(X, first, count);
    const Matrix z = kernel_matrix(kernel, whole ? middle_rows(X, first, count) : RowsView(some), Y) * A;
    out.middleRows(first, count) = z.topRows(count);
  }
  return out;
}

}  // namespace lacuna::compute::host
