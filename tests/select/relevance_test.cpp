// Weights of the inputs from the slopes of a machine: against central differences of its outputs, and their formula.
#include "lacuna/select/relevance.hpp"

#include <gtest/gtest.h>

#include "lacuna/model/train.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace relevance_test {

constexpr Index rows = 40, inputs = 3;

Dataset dataset(const Rows& X, std::string_view kind) {
  Random random(5);
  const RowsView view = X;
  std::vector<double> t;
  std::vector<std::string> label;
  std::vector<double> x(std::size_t(X.cols()));
  for (Index i = 0; i < X.rows(); ++i) {
    dense_row(view, i, x.data());
    const double at = x[0] + 0.5 * x[1] * x[1] + 0.4 * random.normal();
    t.push_back(kind == "counts" ? std::floor(std::exp(0.5 * at) + 0.5) : kind == "positive" ? std::exp(at) : at);
    label.emplace_back(at > 1.0 && kind == "three" ? "c" : at > 0.2 ? "b" : "a");
  }
  if (kind == "two" || kind == "three") return make_dataset(X, label);
  return make_dataset(X, t, kind == "counts" ? DataOptions::TaskRequest::counts : DataOptions::TaskRequest::regression);
}

// g of the model itself, from its outputs. Fourth-order differences of outputs of size 1 are good to 1e-9 or so.
Vector by_differences(const Model& model, const RowsView& X, const Vector& omega) {
  Vector g = Vector::Zero(X.cols());
  std::vector<double> x(std::size_t(X.cols()));
  for (Index i = 0; i < X.rows(); ++i) {
    dense_row(X, i, x.data());
    for (Index k = 0; k < X.cols(); ++k)
      for (Index c = 0; c < model.alpha.cols(); ++c) {
        const double slope = testing::difference([&](double h) {
          RowMatrix moved = Eigen::Map<const RowMatrix>(x.data(), 1, X.cols());
          moved(0, k) += h;
          return reference_backend().expand(model.kernel, moved, model.X, model.alpha)(0, c);
        });
        g[k] += omega[i] * slope * slope / omega.sum();
      }
  }
  return g;
}

struct Case {
  std::string name, kind;
  TrainOptions options;
};
std::vector<Case> machines() {
  const auto of = [](const Machine& machine) { return TrainOptions{.model = machine}; };
  TrainOptions on_basis = of(ls_svm()), klr_on_basis = of(klr());
  on_basis.basis = klr_on_basis.basis = parse_basis("random:15");
  return {{"ls-svm", "values", of(ls_svm())},
          {"several classes", "three", of(ls_svm())},
          {"kfd", "two", of(kfd())},
          {"klr", "two", of(klr())},
          {"klr, several classes", "three", of(klr())},
          {"kpr", "two", of(kpr())},
          {"l2-svm", "two", of(l2_svm())},
          {"poisson", "counts", of(poisson_regression())},
          {"negative binomial", "counts", of(negative_binomial_regression(0.5))},
          {"gamma", "positive", of(gamma_regression())},
          {"huber", "values", of(huber_regression(0.5))},
          {"gp", "two", of(gp_laplace_classifier())},
          {"ls-svm on a basis", "values", on_basis},
          {"klr on a basis", "two", klr_on_basis}};
}

Problem problem_of(const Dataset& data, const Model& model, const Case& one) {
  Problem p;
  p.backend = &testing::backend();
  p.X = RowSource(data.X);
  p.learn = {.loss = one.options.model->loss, .zeta = Vector::Ones(data.size()), .penalty = one.options.model->penalty};
  p.learn.t = machine_targets(*one.options.model, data, p.learn.zeta);
  p.inference = one.options.model->inference;
  if (one.options.basis) p.basis = copy_rows(model.X);
  return p;
}

TEST(Relevance, SlopesOfEveryMachineEqualCentralDifferencesOfItsOutputs) {
  const RowMatrix dense = testing::random_rows(rows, inputs, 1);
  const SparseMatrix sparse = testing::random_sparse(rows, inputs, 2);
  for (const Case& one : machines())
    for (const Rows& X : {Rows(dense), Rows(sparse)}) {
      SCOPED_TRACE(one.name + (X.is_sparse() ? ", sparse" : ""));
      const Dataset data = dataset(X, one.kind);
      TrainOptions options = one.options;
      options.kernel = parse_kernel("relevance(rbf:theta=0.3):weights=0.5/1.5/0.7");
      options.lambda = 0.5;
      options.held_out.intervals = false;
      const Model model = train(data, options);
      ASSERT_EQ(model.centre.size(), 0);
      const Problem problem = problem_of(data, model, one);
      const Vector g = mean_squared_slopes(problem, model.kernel, {model.lambda, model.inference ? model.b[0] : 0.0});
      const Vector expected = by_differences(model, data.X, Vector::Ones(rows));
      ASSERT_EQ(g.size(), inputs);
      // Iterated fits are good to about 1e-7 of their outputs.
      for (Index k = 0; k < inputs; ++k) EXPECT_NEAR(g[k], expected[k], 1e-5 * expected.maxCoeff());
    }
}

TEST(Relevance, WeightsFollowTheFormulaAndKeepTheMeanSquaredDistance) {
  const Vector g{{4.0, 1.0, 0.0, 0.25}}, variance{{1.0, 2.0, 1.0, 0.5}};
  const std::vector<double> w = relevance_weights(g, variance, {});
  const double mean = g.mean();
  const Vector bare{{std::sqrt(4.0 / mean), std::sqrt(1.0 / mean), 1e-3, std::sqrt(0.25 / mean)}};
  const double factor = std::sqrt(variance.sum() / variance.dot(bare.cwiseAbs2()));
  double after = 0.0;
  for (Index k = 0; k < 4; ++k) {
    EXPECT_NEAR(w[std::size_t(k)], factor * bare[k], 5.1e-4 * factor * bare[k]);  // to four digits
    after += variance[k] * w[std::size_t(k)] * w[std::size_t(k)];
  }
  EXPECT_NEAR(after, variance.sum(), 1e-3 * variance.sum());
}

TEST(Relevance, FeaturesOfOneColumnShareTheMeanOfTheirSlopes) {
  const Vector g{{4.0, 1.0, 3.0, 0.5}}, variance = Vector::Ones(4);
  const std::vector<double> w = relevance_weights(g, variance, {0, 1, 1, 2});
  EXPECT_EQ(w, relevance_weights(Vector{{4.0, 2.0, 2.0, 0.5}}, variance, {}));
  EXPECT_EQ(w[1], w[2]);
}

TEST(Relevance, AFlatMachineHasNoWeights) {
  EXPECT_TRUE(relevance_weights(Vector::Zero(3), Vector::Ones(3), {}).empty());
  EXPECT_TRUE(relevance_weights(Vector{{1.0, std::nan("")}}, Vector::Ones(2), {}).empty());
  EXPECT_TRUE(relevance_weights({}, {}, {}).empty());
  EXPECT_EQ(relevance_weights(Vector{{7.0}}, Vector{{3.0}}, {}), std::vector<double>{1.0})
      << "one input keeps its scale";
}

TEST(Relevance, VariancesAreWeightedAndThoseOfSparseRowsAreThoseOfTheirDenseCopy) {
  const SparseMatrix S = testing::random_sparse(30, 4, 3);
  RowMatrix D(30, 4);
  for (Index i = 0; i < 30; ++i) dense_row(S, i, D.row(i).data());
  const Vector w = testing::random_weights(30, 4, 5);
  const Vector dense = feature_variances(D, w), sparse = feature_variances(S, w);
  for (Index k = 0; k < 4; ++k) {
    const double mean = w.dot(D.col(k)) / w.sum();
    const double expected = w.dot((D.col(k).array() - mean).square().matrix()) / w.sum();
    EXPECT_NEAR(dense[k], expected, 1e-13);
    EXPECT_NEAR(sparse[k], expected, 1e-13);
  }
}

}  // namespace relevance_test
}  // namespace lacuna
