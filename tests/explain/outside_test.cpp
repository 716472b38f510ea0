// Rows that lie farther from the training rows than these do from one another.
#include "lacuna/explain/outside.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "tests/support/samples.hpp"

namespace lacuna {
namespace outside_test {

using testing::encoded_sample;
using testing::fitted;

const TrainOptions options{.model = ls_svm(), .kernel = rbf(0.2), .lambda = 0.3};

// In plain loops.
double nearest(const RowMatrix& X, const Eigen::RowVectorXd& x, Index without) {
  double out = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < X.rows(); ++j)
    if (j != without) out = std::min(out, (X.row(j) - x).norm());
  return out;
}

TEST(Outside, RatiosAreDistancesOverThatOfTheNinetyNinthPercentOfTrainingRows) {
  const Encoded of = encoded_sample("value", 150);
  const Model model = fitted(of, options);
  const Outside outside(model);
  const RowMatrix X = of.data.X.dense();
  std::vector<double> distances;
  for (Index i = 0; i < X.rows(); ++i) distances.push_back(nearest(X, X.row(i), i));
  std::sort(distances.begin(), distances.end());
  EXPECT_NEAR(outside.limit(), distances[148], 1e-10);  // 0.99 * 150 = 148.5: the 149th
  const Rows fresh = prepare(testing::sample_table(40, 5), model.encoding).X;
  const Vector ratio = outside.ratio(fresh);
  for (Index i = 0; i < 40; ++i) EXPECT_NEAR(ratio[i], nearest(X, fresh.dense().row(i), -1) / outside.limit(), 1e-9);
  EXPECT_LT((ratio.array() > 1.0).count(), 5);
}

TEST(Outside, TrainingRowsAreInsideAndFarRowsAreNot) {
  const Encoded of = encoded_sample("class", 80);
  const Model model = fitted(of, {.kernel = rbf(0.2), .lambda = 0.3});
  const Outside outside(model);
  EXPECT_EQ(outside.ratio(of.data.X).maxCoeff(), 0.0);
  RowMatrix far = of.data.X.dense().topRows(1);
  far(0, 0) += 50.0;
  EXPECT_GT(outside.ratio(far)[0], 10.0);
}

TEST(Outside, TwinsDoNotMakeOtherRowsOutside) {
  Encoded of = encoded_sample("value", 60);
  const double without_twins = Outside(fitted(of, options)).limit();
  std::vector<Index> twice;
  for (Index i = 0; i < 60; ++i) twice.insert(twice.end(), {i, i});
  of.data = take_rows(of.data, twice);
  const Outside outside(fitted(of, options));
  EXPECT_NEAR(outside.limit(), without_twins, 1e-12);
  EXPECT_EQ(outside.ratio(of.data.X).maxCoeff(), 0.0);
}

TEST(Outside, SaysWhatItCannotJudge) {
  const Encoded of = encoded_sample("value", 9);
  EXPECT_THROW(Outside{fitted(of, options)}, Error);
}

}  // namespace outside_test
}  // namespace lacuna
