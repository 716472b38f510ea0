// compute/host/factor.hpp -- host/ is for back ends whose matrices are in the host's memory: the closed forms of the
// door, written once over what such a back end can say of its own matrices. This file: the dual part.
#pragma once

#include "lacuna/compute/compute.hpp"

namespace lacuna::compute::host {

class HostGram : public Gram {
 public:
  using Gram::Gram;
  virtual Matrix block(std::span<const Index> rows, std::span<const Index> cols) const = 0;  ///< K_RC
  virtual Matrix cross(const RowsView& X) const = 0;                                         ///< k(x, x_j)
};

class HostFactor : public Factor {
 public:
  Vector explained(const RowsView& X) const override;
  HeldOutOptimum follow(const FollowProblem& problem) const override;  // follow.cpp
  SitesOut take_sites(const Folds& folds, const Vector& pull) const override;
  Matrix leave_out(const Folds& folds, const Vector& xi, const Matrix& alpha) const override;
  Vector pair_areas(const PairsOut& pairs) const override;
  AdjointResult contract(const Adjoint& adjoint) const override;
  Vector second_step(const Vector& xi, const Vector& alpha, const Vector& curvature) const override;

 protected:
  HostFactor(Vector beta, double lambda, bool has_inverse)
      : beta_(std::move(beta)), lambda_(lambda), has_inverse_(has_inverse) {}
  virtual const HostGram& gram() const = 0;
  virtual Matrix inverse_block(std::span<const Index> rows) const = 0;    ///< (M^-1)_FF
  virtual Matrix inverse() const = 0;                                     ///< all of M^-1
  virtual AdjointResult contract_rows(const Adjoint& adjoint) const = 0;  ///< without folds
  virtual Matrix product(const Matrix& A, const Matrix& B) const = 0;

  std::vector<Index> all_rows() const;  ///< their numbers
  bool in_system(Index i) const { return beta_[i] > 0.0; }
  Matrix apply_Q(const Vector& xi, const Matrix& W) const;  ///< M^-1 W where xi is empty
  /// Requires Want::inverse. Kept: whoever asks for it asks again (is one step enough, follow, differentiate).
  std::shared_ptr<const Matrix> all_of_Q(const Vector& xi) const;
  std::shared_ptr<const Matrix> kept_Q(const Vector& xi) const;  ///< the same if it was asked for before, or nothing

  Vector beta_;
  double lambda_;
  bool has_inverse_;

 private:
  // Q_FF^-1 W_F for the rows of each fold in the system, 0 elsewhere, for several W.
  std::vector<Matrix> solve_folds(const Folds& folds, const Vector& xi, const std::vector<Matrix>& right) const;
  Adjoint spread_folds(const Adjoint& adjoint, Vector& w, Matrix& C) const;
  Vector bordered_pairs(const PairsOut& pairs) const;
  Vector latent_pairs(const PairsOut& pairs) const;

  mutable std::shared_ptr<const Matrix> Q_;
  mutable Vector xi_of_Q_;
};

}  // namespace lacuna::compute::host
