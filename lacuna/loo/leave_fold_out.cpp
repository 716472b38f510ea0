#include "lacuna/loo/leave_fold_out.hpp"

#include <Eigen/Cholesky>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/parallel.hpp"

namespace lacuna {

FoldSystem::FoldSystem(const DualFit& fit, const std::vector<Index>& fold) {
  for (const Index i : fold) (fit.in_system(i) ? inside_ : outside_).push_back(i);
  if (inside_.empty()) return;
  Q_FF_ = Q_block(fit, inside_);
  const Eigen::LLT<Matrix> llt(Q_FF_);
  if (llt.info() == Eigen::Success) factor_ = llt.matrixLLT();
}

Matrix FoldSystem::solve(const Matrix& W) const {
  Matrix x(Index(inside_.size()), W.cols());
  for (Index i = 0; i < x.rows(); ++i) x.row(i) = W.row(inside_[std::size_t(i)]);
  if (x.rows() == 0) return x;
  if (factor_.size() == 0) return Q_FF_.ldlt().solve(x);
  factor_.triangularView<Eigen::Lower>().solveInPlace(x);
  factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  return x;
}

Matrix leave_fold_out(const Gram& K, const DualFit& fit, const Folds& folds) {
  Matrix z = fit.z;
  parallel_for(Index(folds.size()), [&](Index f) {
    const FoldSystem fold(fit, folds[std::size_t(f)]);
    const Matrix e = fold.solve(fit.alpha);
    for (Index k = 0; k < e.rows(); ++k) {
      const Index i = fold.inside()[std::size_t(k)];
      z.row(i) += (fit.lambda / fit.beta[i]) * fit.alpha.row(i) - e.row(k);
    }
    if (fold.outside().empty() || fold.inside().empty()) return;
    // alpha of the held-out machine is alpha - Q_:F e_F, its bias b - xi_F' e_F / 1'xi.
    Matrix E = Matrix::Zero(fit.alpha.rows(), fit.alpha.cols());
    for (Index k = 0; k < e.rows(); ++k) E.row(fold.inside()[std::size_t(k)]) = e.row(k);
    const Matrix change = K.multiply(apply_Q(fit, E));
    const Eigen::RowVectorXd change_b = fit.xi.transpose() * E / fit.one_xi;
    for (const Index i : fold.outside()) z.row(i) -= change.row(i) + change_b;
  });
  return z;
}

}  // namespace lacuna
