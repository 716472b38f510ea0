// Choosing a basis: the greedy one is the brute-force greedy one, residuals are what projecting out the basis leaves,
// every way stops when it should, repeats itself from a seed and never touches rows of weight 0.
#include "lacuna/basis/basis.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/reference/features.hpp"
#include "tests/support/bordered.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace basis_test {

using testing::Long;

constexpr BasisMethod every_method[] = {BasisMethod::greedy, BasisMethod::stochastic, BasisMethod::pivoted,
                                        BasisMethod::random, BasisMethod::kmeans};

// Weighted mean of delta from its definition, in extended precision.
double mean_residual(const Kernel& kernel, const RowsView& X, const Vector& w, const std::vector<Index>& basis) {
  const Long K = compute::reference::kernel_matrix(kernel, X, X).cast<long double>();
  const auto n = Index(basis.size());
  Long K_SS(n, n), K_Sl(n, K.rows());
  for (Index i = 0; i < n; ++i) {
    K_Sl.row(i) = K.row(basis[std::size_t(i)]);
    for (Index j = 0; j < n; ++j) K_SS(i, j) = K(basis[std::size_t(i)], basis[std::size_t(j)]);
  }
  const Long half = Eigen::LLT<Long>(K_SS).matrixL().solve(K_Sl);
  long double sum = 0.0L, total = 0.0L;
  for (Index i = 0; i < K.rows(); ++i) {
    const long double weight = w.size() > 0 ? static_cast<long double>(w[i]) : 1.0L;
    sum += weight * (1.0L - half.col(i).squaredNorm() / K(i, i));
    total += weight;
  }
  return double(sum / total);
}

TEST(Basis, GreedyIsTheBruteForceGreedyChoice) {
  const Index l = 30;
  const RowMatrix X = testing::random_rows(l, 3, 71);
  for (const Vector& w : {Vector(), testing::random_weights(l, 72)})
    for (const auto& [name, kernel] : testing::all_kernels(3)) {
      SCOPED_TRACE(name);
      BasisOptions options;
      options.size = name == "linear" ? 3 : 6;
      const BasisChoice choice = choose_basis(BasisMethod::greedy, cpu_backend(), kernel, X, w, options);
      EXPECT_EQ(choice.end, BasisEnd::size);
      std::vector<Index> basis;
      for (Index step = 0; step < options.size; ++step) {
        std::vector<double> value(std::size_t(l), 2.0);  // of every candidate
        for (Index j = 0; j < l; ++j) {
          if (std::find(basis.begin(), basis.end(), j) != basis.end()) continue;
          std::vector<Index> with = basis;
          with.push_back(j);
          value[std::size_t(j)] = mean_residual(kernel, X, w, with);
        }
        const double least = *std::min_element(value.begin(), value.end());
        basis.push_back(choice.rows[std::size_t(step)]);
        EXPECT_LE(value[std::size_t(basis.back())], least + 1e-14) << "step " << step;  // the best, or level with it
        EXPECT_NEAR(choice.residual[std::size_t(step)], least, 1e-12);
      }
    }
}

TEST(Basis, ResidualsAreWhatProjectingOutTheBasisLeaves) {
  const Index l = 80;
  const RowMatrix X = testing::random_rows(l, 3, 73);
  const SparseMatrix S = testing::random_sparse(l, 5, 74);
  const Vector w = testing::random_weights(l, 75);
  BasisOptions options{.size = 12, .seed = 5};
  for (const BasisMethod method : every_method)
    for (const RowsView& rows : {RowsView(X), RowsView(S)}) {
      SCOPED_TRACE(name_of(method));
      const BasisChoice choice = choose_basis(method, cpu_backend(), kernels::Rbf{.theta = 0.2}, rows, w, options);
      ASSERT_EQ(choice.rows.size(), 12u);
      for (std::size_t k = 0; k < 12; ++k)
        EXPECT_NEAR(choice.residual[k],
                    mean_residual(kernels::Rbf{.theta = 0.2}, rows, w,
                                  {choice.rows.begin(), choice.rows.begin() + long(k) + 1}),
                    1e-10);
    }
}

TEST(Basis, RepeatsItselfFromASeed) {
  const RowMatrix X = testing::random_rows(300, 3, 76);
  for (const BasisMethod method : every_method) {
    SCOPED_TRACE(name_of(method));
    const auto from = [&](std::uint64_t seed) {
      return choose_basis(method, cpu_backend(), kernels::Rbf{.theta = 0.5}, X, {},
                          {.size = 10, .seed = seed, .judged = 100})
          .rows;
    };
    EXPECT_EQ(from(3), from(3));
    const bool seeded = method != BasisMethod::greedy && method != BasisMethod::pivoted;
    EXPECT_EQ(from(3) != from(4), seeded);
  }
}

TEST(Basis, DoesNotKnowTheUnitOfWeights) {
  const RowMatrix X = testing::random_rows(120, 3, 81);
  const Vector w = testing::random_weights(120, 82, 4);
  for (const BasisMethod method : every_method) {
    SCOPED_TRACE(name_of(method));
    const auto rows = [&](double unit) {
      return choose_basis(method, cpu_backend(), kernels::Rbf{.theta = 0.5}, X, unit * w,
                          {.size = 15, .seed = 2, .judged = 50})
          .rows;
    };
    EXPECT_EQ(rows(1e-6), rows(1.0));
    EXPECT_EQ(rows(1e6), rows(1.0));
  }
}

// Ten rows, the first of weight 5 or there five times over: how often is it the first that is chosen?
TEST(Basis, DrawsARowOfWeightKLikeKCopies) {
  const RowMatrix X = testing::random_rows(10, 2, 83);
  RowMatrix copies(14, 2);
  copies << X.row(0), X.row(0), X.row(0), X.row(0), X;
  Vector w = Vector::Ones(10);
  w[0] = 5.0;
  for (const BasisMethod method : {BasisMethod::random, BasisMethod::kmeans, BasisMethod::stochastic}) {
    SCOPED_TRACE(name_of(method));
    constexpr int draws = 4000;
    int weighted = 0, copied = 0;
    for (std::uint64_t seed = 1; seed <= draws; ++seed) {
      const BasisOptions options{.size = 2, .seed = seed, .candidates = 1};
      const auto first = [&](const RowMatrix& from, const Vector& by) {
        return from.row(
                   choose_basis(method, cpu_backend(), kernels::Rbf{.theta = 0.5}, from, by, options).rows.at(0)) ==
               X.row(0);
      };
      weighted += first(X, w);
      copied += first(copies, {});
    }
    // 5 of 14; four standard deviations of a share of 4,000 draws.
    EXPECT_NEAR(weighted / double(draws), 5.0 / 14.0, 0.03);
    EXPECT_NEAR(copied / double(draws), 5.0 / 14.0, 0.03);
  }
}

TEST(Basis, StopsAtTheThresholdAndWhenComplete) {
  RowMatrix X = testing::random_rows(60, 2, 77);
  for (Index i = 30; i < 60; ++i) X.row(i) = X.row(i - 30);  // twins
  for (const BasisMethod method : every_method) {
    SCOPED_TRACE(name_of(method));
    const BasisChoice enough =
        choose_basis(method, cpu_backend(), kernels::Rbf{.theta = 0.5}, X, {}, {.size = 60, .residual = 0.1});
    EXPECT_EQ(enough.end, BasisEnd::residual);
    EXPECT_LE(enough.residual.back(), 0.1);
    EXPECT_GT(enough.residual[enough.residual.size() - 2], 0.1);
    const BasisChoice all = choose_basis(method, cpu_backend(), kernels::Rbf{.theta = 10.0}, X, {}, {.size = 60});
    EXPECT_EQ(all.end, BasisEnd::singular);
    EXPECT_LE(all.rows.size(), 30u);
    EXPECT_LE(all.residual.back(), 1e-8);
    const BasisChoice linear = choose_basis(method, cpu_backend(), kernels::Linear{}, X, {}, {.size = 60});
    EXPECT_EQ(linear.end, BasisEnd::singular);
    EXPECT_EQ(linear.rows.size(), 2u);
  }
}

TEST(Basis, NeverTouchesRowsOfWeightZero) {
  const RowMatrix X = testing::random_rows(60, 2, 78);
  Vector w = Vector::Ones(60);
  for (Index i = 0; i < 60; i += 2) w[i] = 0.0;
  std::vector<Index> odd;
  for (Index i = 1; i < 60; i += 2) odd.push_back(i);
  for (const BasisMethod method : every_method) {
    SCOPED_TRACE(name_of(method));
    const BasisOptions options{.size = 8, .seed = 2};
    const BasisChoice some = choose_basis(method, cpu_backend(), kernels::Rbf{}, X, w, options);
    const BasisChoice without = choose_basis(method, cpu_backend(), kernels::Rbf{}, take_rows(X, odd), {}, options);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(some.rows[k], odd[std::size_t(without.rows[k])]);
  }
}

TEST(Basis, StochasticIsNearlyAsGoodAsGreedyAndBetterThanRandom) {
  const RowMatrix X = testing::random_rows(400, 3, 79);
  const auto residual = [&](BasisMethod method) {
    return choose_basis(method, cpu_backend(), kernels::Rbf{.theta = 0.2}, X, {}, {.size = 20}).residual.back();
  };
  EXPECT_LE(residual(BasisMethod::greedy), residual(BasisMethod::stochastic));
  EXPECT_LE(residual(BasisMethod::stochastic), 1.15 * residual(BasisMethod::greedy));
  EXPECT_LT(residual(BasisMethod::stochastic), residual(BasisMethod::random));
}

TEST(Basis, StopsWhenTheObserverSaysSo) {
  const RowMatrix X = testing::random_rows(50, 3, 80);
  for (const BasisMethod method : every_method) {
    const BasisChoice choice = choose_basis(method, cpu_backend(), kernels::Rbf{}, X, {}, {.size = 20},
                                            [](const Progress& p) { return p.done < 4; });
    EXPECT_EQ(choice.end, BasisEnd::interrupted);
    EXPECT_EQ(choice.rows.size(), 4u);
  }
}

TEST(Basis, RefusesWhatItCannotDo) {
  const RowMatrix X = testing::random_rows(10, 10, 81);
  EXPECT_THROW(choose_basis(BasisMethod::random, cpu_backend(), kernels::Precomputed{}, X, {}, {}), Error);
  EXPECT_THROW(choose_basis(BasisMethod::random, cpu_backend(), kernels::Rbf{}, X, {}, {.size = 0}), Error);
  EXPECT_THROW(choose_basis(BasisMethod::random, cpu_backend(), kernels::Rbf{}, X, Vector::Zero(10), {}), Error);
  EXPECT_EQ(parse_basis_method("kmeans"), BasisMethod::kmeans);
  try {
    parse_basis_method("gredy");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("greedy"), std::string::npos);
  }
}

}  // namespace basis_test
}  // namespace lacuna
