// Random numbers do what they say, the same on every platform; names are matched with a tolerant eye.
#include <gtest/gtest.h>

#include "lacuna/base/matrix.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna {
namespace base_test {

TEST(Random, GivesTheSameNumbersForTheSameSeed) {
  Random a(42), b(42);
  for (int k = 0; k < 100; ++k) EXPECT_EQ(a.normal(), b.normal());
  // std::mt19937_64's 10000th number is fixed by the standard; ours are a fixed function of it.
  EXPECT_EQ(Random(42).uniform(), 0.75515553295453897);
}

TEST(Random, HasTheMomentsItShould) {
  Random random(1);
  const int n = 200000;
  double mean = 0, square = 0, uniform = 0, counts = 0;
  for (int k = 0; k < n; ++k) {
    const double z = random.normal();
    mean += z / n;
    square += z * z / n;
    uniform += random.uniform() / n;
    counts += double(random.poisson(2.5)) / n;
  }
  EXPECT_NEAR(mean, 0.0, 0.01);  // four standard errors and more
  EXPECT_NEAR(square, 1.0, 0.015);
  EXPECT_NEAR(uniform, 0.5, 0.003);
  EXPECT_NEAR(counts, 2.5, 0.015);
}

TEST(Random, BelowIsUnbiasedAndShuffleKeepsEveryElement) {
  Random random(3);
  std::vector<int> seen(7);
  for (int k = 0; k < 70000; ++k) ++seen[random.below(7)];
  for (const int s : seen) EXPECT_NEAR(s, 10000, 400);
  std::vector<int> v{1, 2, 3, 4, 5};
  random.shuffle(v);
  std::sort(v.begin(), v.end());
  EXPECT_EQ(v, (std::vector<int>{1, 2, 3, 4, 5}));
}

TEST(Names, SuggestsTheNearestAndNothingThatIsFar) {
  const std::vector<std::string> names{"rbf", "linear", "matern52"};
  EXPECT_EQ(did_you_mean("rfb", names), " (did you mean 'rbf'?)");
  EXPECT_EQ(did_you_mean("Liner", names), " (did you mean 'linear'?)");
  EXPECT_EQ(did_you_mean("zzzzzz", names), "");
}

// The table of a comparison is as large as the product of the lengths: 2.4 GB for one name of a damaged header.
TEST(Names, DoesNotCompareWhatIsTooLongToBeASlip) {
  const std::string endless(20'000'000, 'a'), long_name(300, 'a');
  EXPECT_EQ(did_you_mean("rfb", std::vector{endless, std::string("rbf")}), " (did you mean 'rbf'?)");
  EXPECT_EQ(did_you_mean(endless, std::vector{endless + "b"}), "");
  EXPECT_EQ(did_you_mean(long_name + "b", std::vector{long_name}), "");
}

TEST(MatrixView, SeesEigenMatricesVectorsAndStrides) {
  const RowMatrix R = RowMatrix::Random(3, 4);
  const Matrix C = R;
  EXPECT_EQ(MatrixView(R)(1, 2), R(1, 2));
  EXPECT_EQ(MatrixView(C)(1, 2), R(1, 2));
  EXPECT_EQ(Matrix(MatrixView(R).eigen()), C);
  EXPECT_EQ(Matrix(MatrixView(C).middle_rows(1, 2).eigen()), Matrix(C.middleRows(1, 2)));
  const std::vector<double> v{1, 2, 3};
  EXPECT_EQ(MatrixView(v)(2, 0), 3.0);
}

TEST(ThreadScope, RestoresTheNumberOfThreads) {
  const int before = thread_count();
  {
    const ThreadScope one(1);
    EXPECT_EQ(thread_count(), 1);
  }
  EXPECT_EQ(thread_count(), before);
}

}  // namespace base_test
}  // namespace lacuna
