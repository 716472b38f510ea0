// A Gaussian kernel so wide that it acts as a polynomial is said to: no message calls that interpolation.
#include <gtest/gtest.h>

#include "lacuna/model/train.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace flat_limit_test {

std::string warnings_of(const RowMatrix& X, const std::vector<double>& t, const TrainOptions& options) {
  std::string all;
  for (const Warning& w : train(X, t, options).report.warnings) all += w.text + "\n";
  return all;
}

std::vector<double> polynomial(const RowMatrix& X, int degree, double noise, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> t;
  for (Index i = 0; i < X.rows(); ++i) {
    double sum = X(i, 0) - 0.5 * X(i, 1);
    if (degree >= 2) sum += X(i, 0) * X(i, 1) - 0.7 * X(i, 1) * X(i, 1);
    if (degree >= 3) sum += 0.5 * X(i, 0) * X(i, 0) * X(i, 0);
    t.push_back(sum + noise * random.normal());
  }
  return t;
}

TEST(FlatLimit, NamesThePolynomialThatDoesAsWell) {
  const RowMatrix X = testing::random_rows(120, 2, 96);
  for (const auto& [degree, name] : {std::pair{1, "`kernel=linear`"}, {2, "`kernel=poly2`"}, {3, "`kernel=poly3`"}})
    for (const double noise : {0.3, 1e-3}) {
      const std::string said = warnings_of(X, polynomial(X, degree, noise, 97), {});
      // With much noise a cubic asks for a narrower kernel.
      const bool named = said.find(name) != std::string::npos;
      EXPECT_TRUE(named || (degree == 3 && noise > 0.1)) << degree << ", noise " << noise << ": " << said;
      EXPECT_EQ(said.find("interpolation"), std::string::npos) << said;
    }
}

TEST(FlatLimit, SaysNothingOfDataThatAreNoPolynomial) {
  const RowMatrix X = testing::random_rows(120, 2, 96);
  std::vector<double> t;
  for (Index i = 0; i < X.rows(); ++i) t.push_back(std::sin(3.0 * X(i, 0)) * std::cos(2.0 * X(i, 1)));
  EXPECT_EQ(warnings_of(X, t, {}).find("acts as"), std::string::npos);
}

}  // namespace flat_limit_test
}  // namespace lacuna
