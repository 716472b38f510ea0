#include "lacuna/compute/host/unexplained.hpp"

#include <gtest/gtest.h>

#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/host/precise.hpp"
#include "lacuna/kernel/diagonal.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace unexplained_test {

constexpr double lambda = 1e-6;  // the prior variance is a million

TEST(Unexplained, IsTheDifferenceThatLongDoublesGive) {
  const RowMatrix X = testing::random_rows(60, 2, 11), near = X.array() + 1e-3;
  const Kernel kernel = kernels::Rbf{.theta = 0.3};
  const Vector beta = testing::random_matrix(60, 1, 12).col(0).cwiseAbs().array() + 0.1;
  ASSERT_TRUE(wants_precise_variance(kernel, X, beta, lambda));
  const RowMatrix E = explaining_matrix(kernel, X, beta, lambda);
  const Vector v = Unexplained(kernel, X, beta, lambda).at(near);
  double worst = 0.0, in_doubles = 0.0;
  for (Index i = 0; i < near.rows(); ++i) {
    std::vector<double> k;  // the doubles next to the kernel's values
    for (Index j = 0; j < X.rows(); ++j) {
      long double u = 0.0L;
      for (Index c = 0; c < 2; ++c) {
        const long double step = static_cast<long double>(near(i, c)) - static_cast<long double>(X(j, c));
        u += step * step;
      }
      k.push_back(double(std::exp(-static_cast<long double>(0.3) * u)));
    }
    long double truth = 1.0L;
    double plain = 1.0;
    for (Index c = 0; c < E.cols(); ++c) {
      long double sum = 0.0L;
      double plain_sum = 0.0;
      for (std::size_t j = 0; j < k.size(); ++j) {
        sum += static_cast<long double>(k[j]) * static_cast<long double>(E(Index(j), c));
        plain_sum += k[j] * E(Index(j), c);
      }
      truth -= sum * sum;
      plain -= plain_sum * plain_sum;
    }
    worst = std::max(worst, std::abs(double(truth - v[i])));
    in_doubles = std::max(in_doubles, std::abs(double(truth) - plain));
  }
  EXPECT_LT(worst, 2e-17);       // of the long doubles
  EXPECT_GT(in_doubles, 1e-15);  // else this would be no test
}

TEST(Unexplained, ARowsVarianceDoesNotDependOnTheOthers) {
  const RowMatrix X = testing::random_rows(90, 3, 13), fresh = testing::random_rows(70, 3, 14);
  const Vector beta = Vector::Constant(90, 0.2);
  const Unexplained unexplained(kernels::Rbf{.theta = 0.1}, X, beta, lambda);
  const Vector all = unexplained.at(fresh);
  for (const Index i : {0, 1, 63, 64, 69}) {
    const RowMatrix one = fresh.row(i);
    EXPECT_EQ(unexplained.at(one)[0], all[i]);
  }
}

TEST(Unexplained, EqualsTheFactorsForEveryKernelWhereDoublesHaveTheDigits) {
  const RowMatrix X = testing::random_rows(30, 4, 15), fresh = testing::random_rows(20, 4, 16);
  const Vector beta = Vector::Constant(30, 0.3);
  for (const auto& [name, kernel] : testing::all_kernels(4)) {
    if (!has_precise_values(kernel, X)) continue;
    const auto factor = reference_backend().gram(kernel, X)->factor(beta, 0.5, compute::Want::solve);
    const Vector truth = kernel_diagonal(kernel, fresh) - factor->explained(fresh);
    const Vector v = Unexplained(kernel, X, beta, 0.5).at(fresh);
    EXPECT_LT((v - truth).cwiseAbs().maxCoeff(), 1e-11 * (1.0 + kernel_diagonal(kernel, fresh).maxCoeff())) << name;
  }
}

TEST(Unexplained, OrdinaryVariancesDoNotNeedIt) {
  const RowMatrix X = testing::random_rows(100, 3, 17);
  EXPECT_FALSE(wants_precise_variance(kernels::Rbf{.theta = 1.0}, X, Vector::Constant(100, 0.25), 1.0));
}

}  // namespace unexplained_test
}  // namespace lacuna
