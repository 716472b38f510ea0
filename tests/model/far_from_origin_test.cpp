// A shift of all rows changes nothing for machines with a linear kernel or one of differences, however far it is:
// neither what is chosen, nor held-out outputs, nor predictions, dense or sparse, on a basis, through a file.
#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/data/centre.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace far_from_origin_test {

constexpr Index l = 80;
constexpr double far = 1e8;

// Multiples of 2^-20: exact also beside 1e8.
RowMatrix exact_rows(Index n, std::uint64_t seed) {
  RowMatrix X = testing::random_rows(n, 3, seed);
  for (double& v : X.reshaped()) v = std::round(v * 0x1p20) * 0x1p-20;
  return X;
}

std::vector<double> targets(const RowMatrix& X) {
  Random random(95);
  std::vector<double> t;
  for (Index i = 0; i < X.rows(); ++i)
    t.push_back(X(i, 0) - 2.0 * X(i, 1) + 0.3 * X(i, 2) * X(i, 2) + 0.2 * random.normal());
  return t;
}

SparseMatrix sparse_copy(const RowMatrix& X) {
  SparseMatrix out;
  out.rows = X.rows();
  out.cols = X.cols();
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.cols(); ++j)
      if (X(i, j) != 0.0) {
        out.column.push_back(std::int32_t(j));
        out.value.push_back(X(i, j));
      }
    out.row_start.push_back(std::int64_t(out.value.size()));
  }
  return out;
}

void expect_same(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance * a.cwiseAbs().maxCoeff());
}

TEST(FarFromOrigin, AShiftChangesNothing) {
  const RowMatrix X = exact_rows(l, 93), fresh = exact_rows(30, 94);
  const std::vector<double> t = targets(X);
  std::vector<std::string> labels;
  for (const double v : t) labels.push_back(v > 0.0 ? "a" : "b");
  const RowMatrix X_far = X.array() + far, fresh_far = fresh.array() + far;
  for (const std::string kernel :
       {"linear", "rbf", "ard", "matern12", "matern52", "rq", "sum(linear,rbf)", "prod(rbf,rq)"})
    for (const bool classes : {false, true})
      for (const bool on_basis : {false, true})
        for (const bool sparse : {false, true}) {
          SCOPED_TRACE(kernel + (classes ? ", klr" : ", ls-svm") + (on_basis ? ", basis" : "") +
                       (sparse ? ", sparse" : ""));
          if (classes && kernel != "linear") continue;
          TrainOptions options{.kernel = parse_kernel(kernel), .select = {.max_evaluations = 15}};
          if (on_basis) options.basis = BasisRequest{.method = BasisMethod::random, .size = 20};
          const auto fit = [&](const RowMatrix& rows) {
            const SparseMatrix s = sparse_copy(rows);
            const RowsView view = sparse ? RowsView(s) : RowsView(rows);
            return classes ? train(view, labels, options) : train(view, t, options);
          };
          const auto ask = [&](const Model& model, const RowMatrix& rows) {
            return sparse ? outputs(model, sparse_copy(rows)) : outputs(model, rows);
          };
          const Model near = fit(X), away = fit(X_far);
          EXPECT_NEAR(std::log(away.lambda / near.lambda), 0.0, 1e-5);
          // A search cut short passes rounding on, a little differently in every build.
          expect_same(near.held_out.output, away.held_out.output, 3e-6);
          expect_same(ask(near, fresh), ask(away, fresh_far), 3e-6);
          const Model read = model_from_bytes(model_to_bytes(away), "memory");
          EXPECT_EQ(ask(read, fresh_far), ask(away, fresh_far));
        }
}

TEST(FarFromOrigin, LinearMachinesAboutACentreAreThoseAboutTheOrigin) {
  // Ridge regression by the normal equations, the constant not penalised.
  const RowMatrix X = exact_rows(l, 93).array().rowwise() + Eigen::Array3d(1.0, -3.0, 10.0).transpose();
  const std::vector<double> t = targets(X);
  const double lambda = 0.7;
  const Model model = train(X, t, {.kernel = linear(), .lambda = lambda});
  ASSERT_EQ(model.centre.size(), 3);
  Matrix Z(l, 4);
  Z << X, Vector::Ones(l);
  Matrix C = Z.transpose() * Z;
  C.diagonal().head(3).array() += lambda;
  const Vector w = C.ldlt().solve(Z.transpose() * Eigen::Map<const Vector>(t.data(), l));
  expect_same(Z * w, outputs(model, X), 1e-10);
}

TEST(FarFromOrigin, CentredRowsAreLeftAlone) {
  RowMatrix X = exact_rows(l, 93);
  const std::vector<double> t = targets(X);
  X.rowwise() -= X.colwise().mean().eval();
  EXPECT_EQ(train(X, t, {.kernel = linear(), .lambda = 1.0}).centre.size(), 0);
  X.array() += 5.0;
  for (const std::string kernel : {"rbf", "poly2", "prod(linear,rbf)"})
    EXPECT_EQ(train(X, t, {.kernel = parse_kernel(kernel), .select = {.max_evaluations = 3}}).centre.size(), 0)
        << kernel;
  EXPECT_EQ(train(X, t, {.kernel = linear(), .lambda = 1.0}).centre.size(), 3);
}

TEST(FarFromOrigin, WhatMayNotBeCentredIsSaid) {
  const RowMatrix X = exact_rows(l, 93).array() + far;
  const std::vector<double> t = targets(exact_rows(l, 93));
  std::vector<double> signs;
  for (const double v : t) signs.push_back(v > 0.0 ? 1.0 : -1.0);
  const auto words = [&](const std::string& kernel, const Machine& machine) {
    try {
      std::string all;
      const TrainOptions options{.model = machine, .kernel = parse_kernel(kernel)};
      for (const Warning& w : train(X, signs, options).report.warnings) all += w.text + "\n";
      return all;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::numerical);
      return std::string(e.what());
    }
  };
  for (const auto& [kernel, machine] :
       {std::pair{"poly2", ls_svm()}, {"sum(poly3,rbf)", ls_svm()}, {"linear", kfd()}}) {
    const std::string said = words(kernel, machine);
    EXPECT_NE(said.find("e+07 times as far from the origin as they differ"), std::string::npos) << kernel << said;
    EXPECT_NE(said.find("standardise"), std::string::npos) << said;
  }
}

TEST(Centre, OfSparseRowsMovesFullColumnsOnly) {
  // Columns: full; with a gap; full.
  const SparseMatrix X{.rows = 3,
                       .cols = 3,
                       .row_start = {0, 3, 5, 8},
                       .column = {0, 1, 2, 0, 2, 0, 1, 2},
                       .value = {5.0, 1.0, -1.0, 6.0, -2.0, 7.0, 3.0, -3.0}};
  const Centre centre = centre_of(RowsView(X), {});
  EXPECT_EQ(centre.at, (Vector(3) << 6.0, 0.0, -2.0).finished());
  const Rows moved = about(RowsView(X), centre.at);
  EXPECT_EQ(moved.sparse().value, (std::vector<double>{-1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 3.0, -1.0}));
  // A new row that lacks a full column gets an entry for it, in its place.
  const SparseMatrix fresh{.rows = 1, .cols = 3, .row_start = {0, 1}, .column = {1}, .value = {4.0}};
  const Rows row = about(RowsView(fresh), centre.at);
  EXPECT_EQ(row.sparse().column, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(row.sparse().value, (std::vector<double>{-6.0, 4.0, 2.0}));
}

TEST(Centre, RowsOfNoWeightDoNotCount) {
  const RowMatrix X = (RowMatrix(3, 1) << 1.0, 3.0, 1000.0).finished();
  const Centre centre = centre_of(RowsView(X), (Vector(3) << 1.0, 3.0, 0.0).finished());
  EXPECT_DOUBLE_EQ(centre.at[0], 2.5);
  EXPECT_DOUBLE_EQ(centre.spread, std::sqrt(0.75));
}

}  // namespace far_from_origin_test
}  // namespace lacuna
