// The kernel Fisher discriminant against its own definition: the ridge problem in (a, b) solved as it is written, in
// extended precision, once for every fold, with all columns in place and the fold's rows gone.
#include "lacuna/machine/kfd.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/reference/features.hpp"
#include "lacuna/loo/leave_fold_out.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/machine/dual.hpp"
#include "lacuna/machine/regulariser.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/bordered.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace kfd_test {

using testing::Long;

constexpr Index n = 40;

struct Sample {
  RowMatrix X = testing::random_rows(n, 3, 1);
  std::vector<int> label{};
  std::vector<std::string> classes{};
  Supervision learn{};
};

Sample sample(int classes, int zeros = 0, bool weighted = false) {
  Sample s;
  const Matrix y = testing::random_signs(s.X, 2);
  for (Index i = 0; i < n; ++i) s.label.push_back(classes == 2 ? y(i, 0) > 0.0 : int(i * i + i / 3) % classes);
  for (int k = 0; k < classes; ++k) s.classes.push_back(std::to_string(k));
  s.learn.zeta = weighted ? testing::random_weights(n, 3, zeros) : Vector(Vector::Ones(n));
  s.learn.t = kfd_targets(s.label, s.classes, s.learn.zeta);
  s.learn.penalty = Penalty::coefficients;
  return s;
}

Matrix kernel_matrix(const Kernel& kernel, const RowMatrix& X) {
  return compute::reference::kernel_matrix(kernel, X, X);
}

// A tenth of the mean of the diagonal of K Z K.
double some_mu(const Matrix& K, const Vector& zeta) {
  return 0.1 * (K * zeta.asDiagonal() * K).trace() / double(K.rows());
}

// Minimises mu sum a_j^2/zeta_j + sum_i zeta_i (t_i - (K a)_i - b)^2 over the rows `use`, by the normal equations.
struct Ridge {
  Long a;
  Long b;
};
Ridge solve_ridge(const Matrix& K, const Supervision& learn, double mu, const std::vector<bool>& use) {
  std::vector<Index> columns;
  for (Index j = 0; j < K.rows(); ++j)
    if (learn.zeta[j] > 0.0) columns.push_back(j);
  const auto m = Index(columns.size());
  Long C = Long::Zero(m + 1, m + 1), right = Long::Zero(m + 1, learn.t.cols()), row(m + 1, 1);
  for (Index j = 0; j < m; ++j) C(j, j) = static_cast<long double>(mu) / learn.zeta[columns[std::size_t(j)]];
  for (Index i = 0; i < K.rows(); ++i) {
    if (!use[std::size_t(i)] || learn.zeta[i] == 0.0) continue;
    for (Index j = 0; j < m; ++j) row(j, 0) = K(i, columns[std::size_t(j)]);
    row(m, 0) = 1.0L;
    const auto zeta = static_cast<long double>(learn.zeta[i]);
    C += zeta * row * row.transpose();
    right += zeta * row * learn.t.row(i).cast<long double>();
  }
  const Long x = testing::solve_by_lu(C, right);
  Ridge out{Long::Zero(K.rows(), learn.t.cols()), x.row(m)};
  for (Index j = 0; j < m; ++j) out.a.row(columns[std::size_t(j)]) = x.row(j);
  return out;
}

Matrix ridge_held_out(const Matrix& K, const Supervision& learn, double mu, Folds folds) {
  if (folds.empty())
    for (Index i = 0; i < K.rows(); ++i) folds.push_back({i});
  Matrix z(K.rows(), learn.t.cols());
  for (const auto& fold : folds) {
    std::vector<bool> use(std::size_t(K.rows()), true);
    for (const Index i : fold) use[std::size_t(i)] = false;
    const Ridge fit = solve_ridge(K, learn, mu, use);
    for (const Index i : fold) z.row(i) = (K.row(i).cast<long double>() * fit.a + fit.b).cast<double>();
  }
  return z;
}

double distance(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(Kfd, TargetsBalanceTheClassesByWeight) {
  for (const int classes : {2, 3}) {
    const Sample s = sample(classes, 4, true);
    ASSERT_EQ(s.learn.t.cols(), classes == 2 ? 1 : 3);
    EXPECT_LE((s.learn.zeta.transpose() * s.learn.t).cwiseAbs().maxCoeff(), 1e-12 * double(n));
  }
  const Matrix t = kfd_targets({0, 1, 1, 1}, {"a", "b"}, Vector::Ones(4));
  EXPECT_DOUBLE_EQ(t(0, 0), -4.0);
  EXPECT_DOUBLE_EQ(t(1, 0), 4.0 / 3.0);
  EXPECT_THROW(kfd_targets({0, 1}, {"a", "b"}, Vector::Unit(2, 0)), Error);
}

TEST(Kfd, ExpansionMinimisesTheRidgeProblemForEveryKernel) {
  const Sample s = sample(2, 4, true);
  for (const auto& [name, kernel] : testing::all_kernels(3)) {
    SCOPED_TRACE(name);
    const Matrix K = kernel_matrix(kernel, s.X);
    const double mu = some_mu(K, s.learn.zeta);
    const auto S = dual_gram(testing::backend(), kernel, s.X, s.learn);
    const DualFit fit = solve_dual(*S, s.learn.zeta, s.learn.t, mu, compute::Want::inverse);
    ASSERT_TRUE(fit.usable());
    const Matrix a = expansion(testing::backend(), kernel, s.X, s.learn, fit.alpha);
    const Ridge ridge = solve_ridge(K, s.learn, mu, std::vector<bool>(std::size_t(n), true));
    EXPECT_LE(distance(a, ridge.a.cast<double>()), 1e-9 * ridge.a.cast<double>().cwiseAbs().maxCoeff());
    EXPECT_NEAR(fit.b[0], double(ridge.b(0, 0)), 1e-9);
    EXPECT_LE(distance((K * a).rowwise() + fit.b.transpose(), fit.z), 1e-9);
  }
}

TEST(Kfd, LeaveOneOutAndFoldsEqualRefitsWithAllColumnsInPlace) {
  for (const int classes : {2, 3})
    for (const int zeros : {-1, 0, classes == 3 ? 5 : 0}) {
      const Sample s = sample(classes, std::max(0, zeros), zeros >= 0);
      SCOPED_TRACE(std::to_string(classes) + " classes, " + std::to_string(zeros));
      for (const auto& [name, kernel] : testing::all_kernels(3)) {
        if (name != "rbf" && zeros <= 0) continue;  // extended precision is slow
        SCOPED_TRACE(name);
        const Matrix K = kernel_matrix(kernel, s.X);
        const double mu = some_mu(K, s.learn.zeta);
        const auto S = dual_gram(testing::backend(), kernel, s.X, s.learn);
        const DualFit fit = solve_dual(*S, s.learn.zeta, s.learn.t, mu, compute::Want::inverse);
        EXPECT_LE(distance(leave_one_out(fit, Q_diagonal(fit)), ridge_held_out(K, s.learn, mu, {})), 1e-8);
        const Folds folds = k_folds(n, 5, s.label, 7);
        const Matrix z = ridge_held_out(K, s.learn, mu, folds);
        EXPECT_LE(distance(leave_fold_out(fit, folds), z), 1e-8);
        EXPECT_LE(distance(refit_held_out(*S, s.learn, mu, folds).z, z), 1e-8);
        const Matrix KZK = K * s.learn.zeta.asDiagonal() * K;
        EXPECT_LE(distance(testing::brute_force_held_out(KZK, s.learn.zeta, s.learn.t, mu, folds), z), 1e-8);
      }
    }
}

// K = U diag(omega) U', s = omega^2/(omega^2 + mu), S = U diag(s) U', o = 1 - S 1: h_i = S_ii + o_i^2/(1'o).
TEST(Kfd, LeverageEqualsTheHatDiagonalByEigenvalues) {
  const Sample s = sample(2);
  const kernels::Rbf kernel{.theta = 0.3};
  const Matrix K = kernel_matrix(kernel, s.X);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(K);
  const Vector omega2 = eigen.eigenvalues().cwiseAbs2();
  for (const double mu : {1e-4, 1e-2, 1.0, 100.0}) {
    const Vector ratio = omega2.array() / (omega2.array() + mu);
    const Matrix S = eigen.eigenvectors() * ratio.asDiagonal() * eigen.eigenvectors().transpose();
    const Vector o = Vector::Ones(n) - S * Vector::Ones(n);
    const Vector h = S.diagonal() + o.cwiseAbs2() / o.sum();
    const DualFit fit = solve_dual(*dual_gram(testing::backend(), kernel, s.X, s.learn), s.learn.zeta, s.learn.t, mu,
                                   compute::Want::inverse);
    EXPECT_LE(distance(leverage(fit, Q_diagonal(fit)), h), 1e-9) << mu;
    // The hat form of leave-one-out: t - e/(1 - h), e = t - z.
    const Matrix z = s.learn.t - ((s.learn.t - fit.z).array() / (1.0 - h.array())).matrix();
    EXPECT_LE(distance(leave_one_out(fit, Q_diagonal(fit)), z), 1e-8) << mu;
  }
}

// M = (m_1 - m_2)(m_1 - m_2)', N = the scatter of the columns of K within the classes, m_j their means.
TEST(Kfd, DirectionIsTheLeadingGeneralisedEigenvectorOfTheScatters) {
  const Sample s = sample(2);
  const kernels::Rbf kernel{.theta = 0.3};
  const Matrix K = kernel_matrix(kernel, s.X);
  Matrix mean = Matrix::Zero(n, 2), N = Matrix::Zero(n, n);
  Eigen::Vector2d count = Eigen::Vector2d::Zero();
  for (Index i = 0; i < n; ++i) {
    mean.col(s.label[std::size_t(i)]) += K.col(i);
    count[s.label[std::size_t(i)]] += 1.0;
  }
  mean = mean * count.cwiseInverse().asDiagonal();
  for (Index i = 0; i < n; ++i) {
    const Vector d = K.col(i) - mean.col(s.label[std::size_t(i)]);
    N += d * d.transpose();
  }
  const Vector between = mean.col(1) - mean.col(0);
  for (const double mu : {0.01, 1.0}) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(between * between.transpose(),
                                                                 N + mu * Matrix::Identity(n, n));
    const Vector direction = eigen.eigenvectors().col(n - 1).normalized();
    const DualFit fit = solve_dual(*dual_gram(testing::backend(), kernel, s.X, s.learn), s.learn.zeta, s.learn.t, mu,
                                   compute::Want::solve);
    const Vector a = expansion(testing::backend(), kernel, s.X, s.learn, fit.alpha).col(0).normalized();
    EXPECT_NEAR(std::abs(a.dot(direction)), 1.0, 1e-10) << mu;
  }
}

}  // namespace kfd_test
}  // namespace lacuna
