#include "lacuna/data/numeric.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/data/dataset.hpp"

namespace lacuna {
namespace numeric_test {

RowMatrix rows_with_a_constant_column() {
  Random random(4);
  RowMatrix X(12, 4);
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) X(i, j) = 100.0 * double(j) + random.normal();
  X.col(2).setConstant(7.0);
  return X;
}

// The same numbers as a table, with a target and weights.
Encoded by_table(const RowMatrix& X, const Vector& weights, bool standardise) {
  std::ostringstream csv;
  csv.precision(17);
  csv << "x1,x2,x3,x4,t,w\n";
  for (Index i = 0; i < X.rows(); ++i) {
    for (const double x : X.row(i)) csv << x << ',';
    csv << i * i << ',' << weights[i] << '\n';
  }
  return encode(parse_table(csv.str(), "rows", {}), {.targets = {"t"}, .weights = "w", .standardise = standardise});
}

TEST(Numeric, EncodingAndRowsEqualThoseOfATableToTheLastBit) {
  const RowMatrix X = rows_with_a_constant_column();
  const Matrix by_column = X;
  Vector weights(X.rows());
  for (Index i = 0; i < X.rows(); ++i) weights[i] = double(1 + i % 3);
  for (const bool standardise : {true, false}) {
    const Encoded expected = by_table(X, weights, standardise);
    for (const RowsView& view : {RowsView(X), RowsView(by_column)}) {
      Warnings notes;
      const Encoding encoding = learn_numeric(view, {}, weights, {.standardise = standardise}, notes);
      ASSERT_EQ(encoding.features.size(), 3U);
      for (std::size_t f = 0; f < 3; ++f) {
        EXPECT_EQ(encoding.features[f].name, expected.encoding.features[f].name);
        EXPECT_EQ(encoding.features[f].centre, expected.encoding.features[f].centre);
        EXPECT_EQ(encoding.features[f].scale, expected.encoding.features[f].scale);
      }
      EXPECT_EQ(notes, (Warnings{{Warning::Code::constant_features, "1 constant feature left out: x3"}}));
      EXPECT_EQ(encode_numeric(view, encoding).dense(), expected.data.X.dense());
    }
  }
}

TEST(Numeric, SparseColumnsAreDividedByTheirWeightedDeviation) {
  SparseMatrix S;
  S.rows = 4;
  S.cols = 3;
  S.row_start = {0, 1, 2, 2, 3};
  S.column = {0, 2, 0};
  S.value = {3.0, 5.0, -1.0};
  Vector weights(4);
  weights << 1.0, 2.0, 1.0, 4.0;
  Warnings notes;
  const Encoding encoding = learn_numeric(S, {}, weights, {}, notes);
  ASSERT_EQ(encoding.features.size(), 2U);  // the second column is 0 everywhere
  // Column 1 holds 3, 0, 0, -1 with weights 1, 2, 1, 4: mean -1/8, mean square 13/8.
  EXPECT_NEAR(encoding.features[0].scale, std::sqrt(13.0 / 8.0 - 1.0 / 64.0), 1e-15);
  // Column 3 holds 0, 5, 0, 0: mean 10/8, mean square 50/8.
  EXPECT_NEAR(encoding.features[1].scale, std::sqrt(50.0 / 8.0 - 100.0 / 64.0), 1e-14);
  const Rows encoded = encode_numeric(S, encoding);
  EXPECT_EQ(encoded.sparse().column, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(encoded.sparse().value[1], 5.0 / encoding.features[1].scale);
}

TEST(Numeric, RefusesOtherColumnsAndWhatIsNotFinite) {
  RowMatrix X = rows_with_a_constant_column();
  Warnings notes;
  const Encoding encoding = learn_numeric(X, {}, {}, {}, notes);
  EXPECT_THROW(encode_numeric(RowMatrix(X.leftCols(3)), encoding), Error);
  X(2, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(encode_numeric(X, encoding), Error);
  EXPECT_THROW(learn_numeric(X, {}, {}, {}, notes), Error);
  EXPECT_THROW(learn_numeric(RowMatrix(RowMatrix::Ones(5, 2)), {}, {}, {}, notes), Error);
}

}  // namespace numeric_test
}  // namespace lacuna
