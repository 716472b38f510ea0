// A linear kernel with few columns is solved by its columns: it has to be the dual machine all the same, in everything
// that a model says, for every loss, for columns that depend on one another, and for sparse rows.
#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/kinds.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace columns_test {

using test::refusal;
using testing::Kind, testing::largest_difference;

constexpr Index n = 60;

// Three columns that matter, one that is the sum of two of them, one that is a copy, and one that is constant.
RowMatrix dependent_columns(Index rows) {
  const RowMatrix X = testing::random_rows(rows, 3, 91);
  RowMatrix out(rows, 6);
  out << X, X.col(0) + X.col(1), X.col(2), Vector::Constant(rows, 0.7);
  return out;
}

Dataset classes(int count) { return testing::noisy_classes(dependent_columns(n), count, 92); }
Dataset values(bool counts) { return testing::noisy_values(dependent_columns(n), counts, 93); }
std::vector<Kind> kinds() { return testing::every_kind(dependent_columns(n), 92); }

// The same options, and the dual machine insisted on.
Model dual(const Dataset& data, TrainOptions options) {
  options.basis = parse_basis("none");
  return train(data, options);
}

TrainOptions linear_options(const Machine& machine, const std::string& cv) {
  return {.model = machine, .kernel = linear(), .lambda = 0.3, .select = {.cv = parse_cross_validation(cv)}};
}

TEST(Columns, GiveTheDualMachineForEveryLoss) {
  for (const Kind& k : kinds())
    for (const std::string cv : {"loo", "loo:one-step", "5:one-step", "explicit:5"}) {
      SCOPED_TRACE(k.machine.name + ", " + std::to_string(k.data.classes.size()) + " classes, " + cv);
      const TrainOptions options = linear_options(k.machine, cv);
      const Model a = train(k.data, options), b = dual(k.data, options);
      const double scale = std::max(1.0, b.held_out.output.cwiseAbs().maxCoeff());
      // Where held-out fits are followed, they are to a ten-thousandth (model/detail/final_fit.cpp), by either road.
      const bool followed = cv == "loo" && k.machine.name != "ls-svm";
      EXPECT_LE(largest_difference(a.held_out.output, b.held_out.output), (followed ? 1e-4 : 1e-9) * scale);
      EXPECT_NEAR(a.report.criterion_value, b.report.criterion_value, (followed ? 1e-5 : 1e-9) * scale);
      EXPECT_LE(largest_difference(outputs(a, k.data.X), outputs(b, k.data.X)), 1e-9 * scale);
      EXPECT_LE(largest_difference(a.held_out.fitted, b.held_out.fitted), 1e-9 * scale);
      EXPECT_LE(largest_difference(a.b, b.b), 1e-9 * scale);
      // The rows' own coefficients too: what explains a prediction by its rows must not notice the road.
      EXPECT_LE(largest_difference(a.alpha, b.alpha), 1e-8 * scale);
      EXPECT_LE(largest_difference(a.sites, b.sites), 1e-8 * scale);
      EXPECT_LE(largest_difference(a.X.dense(), b.X.dense()), 0.0);
      EXPECT_FALSE(a.report.basis);
      ASSERT_EQ(a.process.has_value(), b.process.has_value());
      if (a.process) {
        EXPECT_LE(largest_difference(a.process->noise, b.process->noise), 1e-9 * scale);
      }
      if (!options.select.cv.by_refit) {
        // As sure as the sites that they are leverages of.
        EXPECT_LE(largest_difference(a.held_out.leverage, b.held_out.leverage), 1e-8);
      }
    }
}

// The rows' coefficients are 1/lambda large and cancel; the model has what they add up to.
TEST(Columns, KeepTheirDigitsAtTheLeastLambdas) {
  const RowMatrix X = testing::random_rows(n, 3, 91);
  for (const Kind& k : testing::every_kind(X, 92))
    for (const double lambda : {1e-6, 1e-10, 1e-12}) {
      SCOPED_TRACE(k.machine.name + ", " + std::to_string(k.data.classes.size()) + " classes, lambda " +
                   std::to_string(std::log10(lambda)));
      TrainOptions options = linear_options(k.machine, "loo:one-step");
      options.lambda = lambda;
      const Model model = train(k.data, options);
      const double scale = std::max(1.0, model.held_out.fitted.cwiseAbs().maxCoeff());
      EXPECT_LE(largest_difference(outputs(model, k.data.X), model.held_out.fitted), 1e-12 * scale);
      if (k.machine.name != "ls-svm" || !k.data.classes.empty() || k.data.weights.size() > 0) continue;
      Matrix Z(n, 4);
      Z << X, Vector::Ones(n);
      Matrix C = Z.transpose() * Z;
      C.topLeftCorner(3, 3).diagonal().array() += lambda;
      const Matrix p = C.ldlt().solve(Z.transpose() * k.data.targets);
      EXPECT_LE(largest_difference(outputs(model, k.data.X), Z * p), 1e-12 * scale);
    }
}

TEST(Columns, LeadTheSearchToTheSameRegulariser) {
  for (const Kind& k :
       {Kind{ls_svm(), values(false)}, Kind{klr(), classes(2)}, Kind{poisson_regression(), values(true)}}) {
    SCOPED_TRACE(k.machine.name);
    TrainOptions options{.model = k.machine, .kernel = linear()};
    const Model a = train(k.data, options), b = dual(k.data, options);
    EXPECT_NEAR(std::log(a.lambda / b.lambda), 0.0, 1e-2);
    EXPECT_NEAR(a.report.criterion_value, b.report.criterion_value, 1e-5 * std::abs(b.report.criterion_value));
  }
}

TEST(Columns, OfSparseRowsAreThoseOfDenseOnes) {
  Dataset dense = classes(2), sparse = dense;
  SparseMatrix X;
  X.rows = n;
  X.cols = dense.X.cols();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < X.cols; ++j) {
      X.column.push_back(std::int32_t(j));
      X.value.push_back(dense.X.dense()(i, j));
    }
    X.row_start.push_back(std::int64_t(X.column.size()));
  }
  sparse.X = X;
  const TrainOptions options = linear_options(klr(), "loo:one-step");
  EXPECT_LE(largest_difference(train(sparse, options).held_out.output, train(dense, options).held_out.output), 1e-9);
}

TEST(Columns, AgreeOnTheReferenceBackEnd) {
  TrainOptions options = linear_options(ls_svm(), "loo");
  const Dataset data = values(false);
  const Model a = train(data, options);
  options.run.backend = &reference_backend();
  EXPECT_LE(largest_difference(train(data, options).held_out.output, a.held_out.output), 1e-9);
}

TEST(Columns, NeedLittleMemoryForManyRows) {
  constexpr Index many = 4000;  // four matrices of that order are 512 MB
  const RowMatrix X = testing::random_rows(many, 3, 97);
  const Vector t = X.col(0) - 2.0 * X.col(1) + 0.1 * testing::random_matrix(many, 1, 98).col(0);
  TrainOptions options{.model = ls_svm(), .kernel = linear(), .lambda = 1.0, .held_out = {.intervals = false}};
  options.run.memory_bytes = 64e6;
  const Dataset data = make_dataset(X, std::vector<double>(t.begin(), t.end()));
  const Model model = train(data, options);
  // Least squares in three columns and a constant, by hand.
  Matrix Z(many, 4);
  Z << X, Vector::Ones(many);
  Matrix C = Z.transpose() * Z;
  C.topLeftCorner(3, 3).diagonal().array() += 1.0;
  const Vector p = C.ldlt().solve(Z.transpose() * t);
  const Vector z = Z * p, e = t - z;
  const Vector h = (Z * C.inverse()).cwiseProduct(Z).rowwise().sum();
  const Vector held_out = t.array() - e.array() / (1.0 - h.array());
  EXPECT_LE(largest_difference(model.held_out.output, held_out), 1e-9);
  options.basis = parse_basis("none");
  EXPECT_NE(refusal([&] { train(data, options); }).find("4000 rows need 0.512 GB"), std::string::npos);
}

}  // namespace columns_test
}  // namespace lacuna
