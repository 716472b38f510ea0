#include "lacuna/explain/held_out_machines.hpp"

#include <Eigen/LU>

#include "lacuna/choose/choose.hpp"
#include "lacuna/data/centre.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/predictor.hpp"
#include "tests/support/samples.hpp"

namespace lacuna {
namespace held_out_machines_test {

using testing::encoded_sample;
using testing::fitted;

// Rows that no machine saw.
Rows other_rows(const Model& model) { return prepare(testing::sample_table(15, 99), model.encoding).X; }

double largest(const Matrix& m) { return m.cwiseAbs().maxCoeff(); }

// The squared loss: a fit of the other rows at the same parameters, started from nothing.
void expect_refits(const Encoded& of, const TrainOptions& options) {
  const Model model = fitted(of, options);
  ASSERT_EQ(no_held_out_machines(model), "");
  const Folds folds = k_folds(of.data.size(), 4, of.data.label, 3);
  const std::vector<Model> without = machines_without(model, folds);
  const Rows x = other_rows(model);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    Dataset rest = take_rows(of.data, all_but(of.data.size(), folds[f]));
    rest.classes = of.data.classes;
    const Model refit = train(rest, options);
    EXPECT_LT(largest(outputs(without[f], x) - outputs(refit, x)), 1e-8) << f;
  }
}

TEST(HeldOutMachines, OfTheSquaredLossAreRefits) {
  TrainOptions options{.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.5};
  options.held_out.recalibrate = false;
  for (const char* target : {"value", "class", "letter"}) expect_refits(encoded_sample(target, 60), options);
}

TEST(HeldOutMachines, OfWeightedRowsAreRefits) {
  Encoded of = encoded_sample("value", 60);
  of.data.weights = Vector::LinSpaced(60, 1.0, 5.0);
  expect_refits(of, {.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.5});
}

// Plain least squares in the weights and working responses of the fit, without the fold's rows.
void expect_weighted_least_squares(const Model& model, const Folds& folds) {
  const RowMatrix X = model.X.dense();
  const Index l = X.rows(), m = model.alpha.cols();
  const bool border = !model.inference;
  const Matrix K = cpu_backend().expand(model.kernel, model.X, model.X, Matrix::Identity(l, l));
  const Matrix z = (K * model.alpha).rowwise() + model.b.transpose();
  const Rows x = other_rows(model);
  const Matrix k = cpu_backend().expand(model.kernel, model.centre.size() > 0 ? about(RowsView(x), model.centre) : x,
                                        model.X, Matrix::Identity(l, l));
  const std::vector<Model> without = machines_without(model, folds);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const std::vector<Index> rest = all_but(l, folds[f]);
    const auto n = Index(rest.size());
    for (Index c = 0; c < m; ++c) {
      const Vector B = model.lambda * model.sites.col(c).cwiseInverse();
      const Vector eta = z.col(c) + B.cwiseProduct(model.alpha.col(c));
      Matrix system = Matrix::Zero(n + 1, n + 1);
      system.topLeftCorner(n, n) = K(rest, rest);
      system.topLeftCorner(n, n).diagonal() += B(rest);
      Vector right = Vector::Zero(n + 1);
      right.head(n) = eta(rest);
      if (border) {
        system.rightCols(1).topRows(n).setOnes();
        system.bottomRows(1).leftCols(n).setOnes();
      } else {
        system(n, n) = 1.0;
        right.head(n).array() -= model.b[c];
        right[n] = model.b[c];
      }
      const Vector solution = system.fullPivLu().solve(right);
      const Vector expected = (k(Eigen::all, rest) * solution.head(n)).array() + solution[n];
      EXPECT_LT(largest(outputs(without[f], x).col(c) - expected), 1e-8);
    }
  }
}

TEST(HeldOutMachines, OfOtherLossesAreOneNewtonStep) {
  for (const auto& [target, machine] :
       {std::pair<const char*, Machine>{"class", klr()}, {"letter", klr()}, {"count", poisson_regression()}}) {
    TrainOptions options{.model = machine, .kernel = rbf(0.3), .lambda = 0.5};
    options.held_out.recalibrate = false;
    const Encoded of = encoded_sample(target, 50);
    expect_weighted_least_squares(fitted(of, options), k_folds(50, 4, of.data.label, 1));
  }
}

TEST(HeldOutMachines, OfAGaussianProcessKeepTheOtherSites) {
  const Encoded of = encoded_sample("class", 50);
  const Model model = fitted(of, {.model = gp_laplace_classifier(), .kernel = rbf(0.3), .lambda = 0.5});
  const Folds folds = k_folds(50, 4, of.data.label, 1);
  expect_weighted_least_squares(model, folds);
  // Variances are larger without a fold, and those of its own rows most of all.
  const std::vector<Model> without = machines_without(model, folds);
  Matrix all, some;
  (void)outputs(model, of.data.X, &all);
  (void)outputs(without[0], of.data.X, &some);
  EXPECT_GE((some - all).minCoeff(), -1e-10);
  EXPECT_GT((some - all)(folds[0], 0).minCoeff(), 1e-4);
}

TEST(HeldOutMachines, OfAFisherDiscriminantKeepItsColumns) {
  // The held-out output of a row is in closed form elsewhere: folds of one.
  const Encoded of = encoded_sample("class", 40);
  const Model model = fitted(of, {.model = kfd(), .kernel = rbf(0.3), .lambda = 0.5});
  Folds folds;
  for (Index i = 0; i < 40; ++i) folds.push_back({i});
  const std::vector<Model> without = machines_without(model, folds);
  for (Index i = 0; i < 40; ++i) {
    const Matrix own = outputs(without[std::size_t(i)], take_rows(of.data.X, folds[std::size_t(i)]));
    EXPECT_NEAR(own(0, 0), model.held_out.output(i, 0), 1e-8);
  }
}

TEST(HeldOutMachines, OfAStackAreThoseOfItsMembers) {
  Encoded of = encoded_sample("value", 60);
  TrainOptions options;
  Model stack = fitted(of, options);
  const Model one = train(of.data, {.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.5}),
              other = train(of.data, {.model = ls_svm(), .kernel = linear(), .lambda = 2.0});
  stack.members = {{"one", 0.25, one}, {"other", 0.75, other}};
  stack.X = take_rows(stack.X, std::vector<Index>{});
  stack.alpha = Matrix::Zero(0, 1);
  stack.b = Vector::Constant(1, 0.5);
  stack.sites = {};
  const Folds folds = k_folds(60, 3, {}, 1);
  const auto all = machines_without(stack, folds), a = machines_without(one, folds), b = machines_without(other, folds);
  const Rows x = other_rows(stack);
  for (std::size_t f = 0; f < folds.size(); ++f)
    EXPECT_LT(
        largest(outputs(all[f], x) - ((0.25 * outputs(a[f], x) + 0.75 * outputs(b[f], x)).array() + 0.5).matrix()),
        1e-12);
}

TEST(HeldOutMachines, SurviveAModelFile) {
  const Encoded of = encoded_sample("class", 40);
  const Model model = fitted(of, {.model = klr(), .kernel = rbf(0.3), .lambda = 0.5});
  const Model read = model_from_bytes(model_to_bytes(model), "m.lacuna");
  EXPECT_EQ(read.sites, model.sites);
  EXPECT_EQ(no_held_out_machines(read), "");
}

TEST(HeldOutMachines, SayWhatIsMissing) {
  const Encoded of = encoded_sample("class", 60);
  TrainOptions options{.model = klr(), .kernel = rbf(0.3), .lambda = 0.5};
  options.basis = parse_basis("10");
  EXPECT_NE(no_held_out_machines(fitted(of, options)).find("basis"), std::string::npos);
  options.basis = {};
  Model older = fitted(of, options);
  older.sites = {};
  EXPECT_NE(no_held_out_machines(older).find("older"), std::string::npos);
  older.held_out = {};
  EXPECT_NE(no_held_out_machines(older).find("held-out"), std::string::npos);
}

}  // namespace held_out_machines_test
}  // namespace lacuna
