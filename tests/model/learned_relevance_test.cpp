// Weights of features learned in rounds: against a computation of the test's own, on fresh rows, at the edges.
#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/bordered.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace learned_relevance_test {

// Two inputs matter, the others are noise.
Dataset noisy_inputs(Index rows, Index features, std::uint64_t seed, double noise = 0.3) {
  const RowMatrix X = testing::random_rows(rows, features, seed);
  Random random(seed + 1000);
  std::vector<double> t;
  for (Index i = 0; i < rows; ++i) {
    const double x = X(i, 0), y = X(i, 1);
    t.push_back(std::sin(1.5 * x) + 0.8 * y + 0.3 * y * y + noise * random.normal());
  }
  return make_dataset(X, t, DataOptions::TaskRequest::regression);
}

TrainOptions with_kernel(std::string_view text, std::optional<double> lambda = {}) {
  TrainOptions options{.model = ls_svm(), .kernel = parse_kernel(text), .lambda = lambda};
  options.held_out.intervals = false;
  return options;
}

const std::vector<double>& weights_of(const Model& model) {
  return std::get<kernels::Relevance>(model.kernel.form).weights;
}

double rmse(const Model& model, const Dataset& fresh) {
  const Matrix value = predict(model, fresh.X).value;
  return std::sqrt((value - fresh.targets).squaredNorm() / double(fresh.size()));
}

// The whole method in a few plain lines: bordered systems solved as they are written, a refit for every row, slopes by
// central differences.
struct Script {
  const RowMatrix& X;
  const Matrix& t;
  double theta, lambda;

  double kernel(const Eigen::RowVectorXd& x, const Eigen::RowVectorXd& y, const Vector& w) const {
    return std::exp(-theta * (x - y).cwiseProduct(w.transpose()).squaredNorm());
  }
  Matrix gram(const Vector& w) const {
    Matrix K(X.rows(), X.rows());
    for (Index i = 0; i < K.rows(); ++i)
      for (Index j = 0; j < K.cols(); ++j) K(i, j) = kernel(X.row(i), X.row(j), w);
    return K;
  }
  double press(const Vector& w) const {
    const Matrix z = testing::brute_force_held_out(gram(w), Vector::Ones(X.rows()), t, lambda, {});
    return (t - z).squaredNorm() / double(t.rows());
  }
  Vector next(const Vector& w) const {
    const std::vector<bool> all(std::size_t(X.rows()), true);
    const Vector alpha = testing::solve_bordered(gram(w), Vector::Ones(X.rows()), t, lambda, all).alpha.cast<double>();
    Vector g = Vector::Zero(X.cols());
    for (Index i = 0; i < X.rows(); ++i)
      for (Index k = 0; k < X.cols(); ++k) {
        const double slope = testing::difference([&](double h) {
          Eigen::RowVectorXd x = X.row(i);
          x[k] += h;
          double f = 0.0;
          for (Index j = 0; j < X.rows(); ++j) f += alpha[j] * kernel(x, X.row(j), w);
          return f;
        });
        g[k] += slope * slope / double(X.rows());
      }
    Vector squared(X.cols());
    double before = 0.0, after = 0.0;
    for (Index k = 0; k < X.cols(); ++k) {
      squared[k] = std::max(g[k] / g.mean(), 1e-6);
      const double variance = (X.col(k).array() - X.col(k).mean()).square().mean();
      before += variance;
      after += variance * squared[k];
    }
    Vector out(X.cols());
    for (Index k = 0; k < X.cols(); ++k) {
      const double value = std::sqrt(squared[k] * before / after);
      const double power = std::pow(10.0, 3.0 - std::floor(std::log10(value)));
      out[k] = std::nearbyint(value * power) / power;
    }
    return out;
  }
};

TEST(LearnedRelevance, RoundsEqualThoseOfAPlainScript) {
  const Dataset data = noisy_inputs(30, 4, 1);
  const double theta = 0.25, lambda = 0.3;
  const Script script{data.X.dense(), data.targets, theta, lambda};
  std::vector<Vector> weights{Vector::Ones(4)};
  std::vector<double> criteria{script.press(weights[0])};
  for (int round = 1; round <= 3; ++round) {
    weights.push_back(script.next(weights.back()));
    criteria.push_back(script.press(weights.back()));
  }
  const auto kept = std::size_t(std::ranges::min_element(criteria) - criteria.begin());
  ASSERT_GT(kept, 0u) << "the example shows nothing";

  const Model model = train(data, with_kernel("relevance(rbf:theta=0.25)", lambda));
  ASSERT_TRUE(model.report.relevance);
  ASSERT_EQ(model.report.relevance->criteria.size(), 4u);
  for (std::size_t r = 0; r < 4; ++r) EXPECT_NEAR(model.report.relevance->criteria[r], criteria[r], 1e-9);
  EXPECT_EQ(model.report.relevance->kept, int(kept));
  for (Index k = 0; k < 4; ++k) EXPECT_EQ(weights_of(model)[std::size_t(k)], weights[kept][k]);
  EXPECT_NEAR(model.report.criterion_value, criteria[kept], 1e-9);
  EXPECT_TRUE(model.report.optimistic);
}

TEST(LearnedRelevance, PredictsFreshRowsBetterWhereMostInputsAreNoise) {
  const Dataset data = noisy_inputs(120, 22, 2), fresh = noisy_inputs(1000, 22, 3, 0.0);
  for (const char* kernel : {"rbf", "matern12", "matern52", "rq"}) {
    SCOPED_TRACE(kernel);
    const Model plain = train(data, with_kernel(kernel));
    const Model weighed = train(data, with_kernel("relevance(" + std::string(kernel) + ")"));
    EXPECT_LT(rmse(weighed, fresh), 0.8 * rmse(plain, fresh));
    // The two inputs that matter come first.
    const std::vector<double>& w = weights_of(weighed);
    for (std::size_t k = 2; k < w.size(); ++k) EXPECT_LT(w[k], std::min(w[0], w[1]));
  }
}

TEST(LearnedRelevance, ServesEveryTaskOnAllRowsAndOnABasis) {
  const Dataset values = noisy_inputs(150, 12, 2), fresh = noisy_inputs(600, 12, 3, 0.0);
  const auto labels = [](const Dataset& of, int classes) {
    std::vector<std::string> label;
    for (const double t : of.targets.col(0)) label.emplace_back(t > 0.6 && classes == 3 ? "c" : t > 0.2 ? "b" : "a");
    return make_dataset(of.X, label);
  };
  for (const char* basis : {"", "random:40", "stochastic:40"})
    for (const int classes : {0, 2, 3}) {
      SCOPED_TRACE(std::string(basis) + ", classes " + std::to_string(classes));
      TrainOptions options = with_kernel("relevance(rbf)");
      options.model = classes == 0 ? ls_svm() : klr();
      if (*basis != '\0') options.basis = parse_basis(basis);
      const Dataset data = classes == 0 ? values : labels(values, classes);
      const Model model = train(data, options);
      ASSERT_TRUE(model.report.relevance);
      EXPECT_GT(model.report.relevance->kept, 0);
      const std::vector<double>& w = weights_of(model);
      for (std::size_t k = 2; k < w.size(); ++k) EXPECT_LT(w[k], std::min(w[0], w[1]));
      if (classes == 0) {
        EXPECT_LT(rmse(model, fresh), 0.35);  // the best there is errs by 0, the mean by 1
        continue;
      }
      const Dataset truth = labels(fresh, classes);
      int wrong = 0;
      const std::vector<int> said = predict(model, fresh.X).label;
      for (std::size_t i = 0; i < said.size(); ++i) wrong += said[i] != truth.label[i];
      EXPECT_LT(wrong, classes == 2 ? 110 : 160);  // of 600
    }
}

TEST(LearnedRelevance, GivenWeightsAreThePlainKernelOfRowsMultipliedByThem) {
  const Dataset data = noisy_inputs(40, 3, 4);
  Dataset multiplied = data;
  RowMatrix X = data.X.dense();
  X.col(0) *= 2.0, X.col(1) *= 0.5, X.col(2) *= 0.125;
  multiplied.X = X;
  const Model given = train(data, with_kernel("relevance(rbf):weights=2/0.5/0.125"));
  const Model plain = train(multiplied, with_kernel("rbf"));
  EXPECT_FALSE(given.report.relevance);
  EXPECT_EQ(given.lambda, plain.lambda);
  EXPECT_EQ(kernel_parameters(given.kernel), kernel_parameters(plain.kernel));
  EXPECT_TRUE(given.held_out.output.isApprox(plain.held_out.output, 1e-10));
  EXPECT_TRUE(outputs(given, data.X).isApprox(outputs(plain, multiplied.X), 1e-10));
}

TEST(LearnedRelevance, ARowOfWeightZeroIsNoRowAndWeightTwoIsTwoRows) {
  Dataset weighted = noisy_inputs(40, 4, 5);
  weighted.weights = Vector::Ones(40);
  std::vector<Index> copies;
  for (Index i = 0; i < 40; ++i) {
    weighted.weights[i] = double(i % 3);
    weighted.group.push_back(int(i));
    for (Index k = 0; k < i % 3; ++k) copies.push_back(i);
  }
  Dataset copied = take_rows(weighted, copies);
  copied.weights = {};
  const Model a = train(weighted, with_kernel("relevance(rbf:theta=0.25)", 0.4));
  const Model b = train(copied, with_kernel("relevance(rbf:theta=0.25)", 0.4));
  EXPECT_EQ(weights_of(a), weights_of(b));
  EXPECT_TRUE(outputs(a, weighted.X).isApprox(outputs(b, weighted.X), 1e-9));
}

TEST(LearnedRelevance, SparseRowsLearnWhatTheirDenseCopyLearns) {
  const SparseMatrix S = testing::random_sparse(60, 5, 3);
  RowMatrix D(60, 5);
  std::vector<double> t;
  Random random(4);
  for (Index i = 0; i < 60; ++i) {
    dense_row(S, i, D.row(i).data());
    t.push_back(std::sin(D(i, 0)) + D(i, 1) + 0.2 * random.normal());
  }
  const auto options = with_kernel("relevance(rbf:theta=0.25)", 0.2);
  const Model sparse = train(make_dataset(S, t), options), dense = train(make_dataset(D, t), options);
  EXPECT_EQ(weights_of(sparse), weights_of(dense));
  EXPECT_TRUE(sparse.held_out.output.isApprox(dense.held_out.output, 1e-9));
}

TEST(LearnedRelevance, ConstantDuplicatedSingleAndCollinearColumnsAreNoTrouble) {
  const Dataset data = noisy_inputs(50, 3, 6);
  const auto with = [&](const Matrix& more) {
    RowMatrix X(50, 3 + more.cols());
    X << data.X.dense(), more;
    Dataset out = data;
    out.X = X;
    return train(out, with_kernel("relevance(rbf)"));
  };
  const RowMatrix& X = data.X.dense();
  const Model constant = with(Matrix::Constant(50, 1, 7.0));
  EXPECT_EQ(weights_of(constant)[3], *std::ranges::min_element(weights_of(constant)));
  const Model twice = with(X.col(0));
  EXPECT_EQ(weights_of(twice)[0], weights_of(twice)[3]);
  const Model collinear = with(X.col(0) + X.col(1));
  EXPECT_TRUE(std::isfinite(collinear.report.criterion_value));
  Dataset one = data;
  one.X = RowMatrix(X.leftCols(1));
  const Model single = train(one, with_kernel("relevance(rbf)")), plain = train(one, with_kernel("rbf"));
  EXPECT_EQ(weights_of(single), std::vector<double>{1.0});
  EXPECT_EQ(single.lambda, plain.lambda);
}

TEST(LearnedRelevance, AMachineThatIsFlatKeepsEqualWeights) {
  const Model flat = train(noisy_inputs(30, 3, 7), with_kernel("relevance(rbf:theta=0.25)", 1e200));
  EXPECT_EQ(weights_of(flat), (std::vector<double>{1.0, 1.0, 1.0}));
  EXPECT_EQ(flat.report.relevance->criteria.size(), 1u);
}

TEST(LearnedRelevance, FeaturesOfOneColumnOfTheDataShareTheirWeight) {
  Dataset data = noisy_inputs(60, 5, 8);
  data.feature_column = {0, 1, 2, 2, 2};
  const std::vector<double> w = weights_of(train(data, with_kernel("relevance(rbf:theta=0.2)", 0.3)));
  EXPECT_EQ(w[2], w[3]);
  EXPECT_EQ(w[2], w[4]);
  EXPECT_NE(w[1], w[2]);
}

TEST(LearnedRelevance, BeginsWhereAnotherModelEndedAndLearnsOn) {
  const Dataset data = noisy_inputs(100, 10, 9);
  std::vector<Index> most;
  for (Index i = 0; i < 100; ++i)
    if (i % 5 != 0) most.push_back(i);
  const Dataset rest = take_rows(data, most);
  const TrainOptions options = with_kernel("relevance(rbf)");
  const Model all = train(data, options);
  ASSERT_GT(all.report.relevance->kept, 0);
  const TrainOptions warm = from_optimum(options, all);
  const Model again = train(rest, warm), cold = train(rest, options);
  EXPECT_LT(again.report.search.evaluations, cold.report.search.evaluations);
  EXPECT_LT(again.report.criterion_value, 1.1 * cold.report.criterion_value);
  TrainOptions from_weights = warm;
  from_weights.kernel = relevance_from(rbf(), weights_of(all));
  const Model refined = train(rest, from_weights);
  EXPECT_LT(refined.report.search.evaluations, cold.report.search.evaluations);
  EXPECT_NE(weights_of(refined), weights_of(all)) << "weights that saw other rows are not kept";
  EXPECT_LT(refined.report.criterion_value, 1.1 * cold.report.criterion_value);
  TrainOptions wrong = warm;
  wrong.select.near.pop_back();
  EXPECT_THROW(train(rest, wrong), Error);
}

TEST(LearnedRelevance, IntervalsLearnTheWeightsAgainWithoutEachFold) {
  // Of many columns of noise, weights that saw all rows promise too much.
  const auto covered = [](const Model& model, const Dataset& fresh, double half_width) {
    const Matrix off = (predict(model, fresh.X).value - fresh.targets).cwiseAbs();
    return double((off.array() <= half_width).count()) / double(fresh.size());
  };
  double again = 0.0, once = 0.0;
  constexpr int draws = 8;
  for (std::uint64_t seed = 20; seed < 20 + draws; ++seed) {
    const Dataset data = noisy_inputs(60, 40, seed, 0.5), fresh = noisy_inputs(1000, 40, seed + 100, 0.5);
    TrainOptions options = with_kernel("relevance(rbf)");
    options.held_out.intervals = true;
    const Model model = train(data, options);
    EXPECT_EQ(model.intervals.folds, 10);
    const Vector same = interval_half_width(data.targets - model.held_out.output, Vector::Ones(60));
    again += covered(model, fresh, model.intervals.half_width[0]) / draws;
    once += covered(model, fresh, same[0]) / draws;
  }
  EXPECT_GT(again, 0.86);
  EXPECT_LT(once, again - 0.03);
}

TEST(LearnedRelevance, StopsBetweenRoundsWhenAskedAndTellsWhereItIs) {
  const Dataset data = noisy_inputs(60, 5, 10);
  TrainOptions options = with_kernel("relevance(rbf)");
  std::vector<long> seen;
  options.run.observer = [&](const Progress& p) {
    if (p.stage == "relevance") seen.push_back(p.done);
    return true;
  };
  EXPECT_NE(train(data, options).report.search.stop, Stop::interrupted);
  EXPECT_EQ(seen, (std::vector<long>{0, 1, 2}));
  options.run.observer = [](const Progress& p) { return p.stage != "relevance" || p.done < 1; };
  EXPECT_EQ(train(data, options).report.search.stop, Stop::interrupted);
  options.run.observer = {};
  options.select.search_options.seconds = 0.0;
  const Model hurried = train(data, options);
  EXPECT_EQ(hurried.report.search.stop, Stop::time_limit);
  EXPECT_EQ(hurried.report.relevance->criteria.size(), 1u);
}

TEST(LearnedRelevance, IsRefusedWhenNothingMayBeSearched) {
  TrainOptions options = with_kernel("relevance(rbf:theta=1)", 1.0);
  options.select.search = SearchMethod::none;
  EXPECT_THROW(train(noisy_inputs(30, 3, 1), options), Error);
  options.kernel = parse_kernel("relevance(rbf:theta=1):weights=1/2/3");
  EXPECT_NO_THROW(train(noisy_inputs(30, 3, 1), options));
}

TEST(LearnedRelevance, SurvivesTheModelFile) {
  const Dataset data = noisy_inputs(60, 6, 11);
  const Model model = train(data, with_kernel("relevance(matern32)"));
  const Model back = model_from_bytes(model_to_bytes(model), "m.lacuna");
  EXPECT_EQ(kernel_text(back.kernel), kernel_text(model.kernel));
  EXPECT_EQ(back.report.relevance->criteria, model.report.relevance->criteria);
  EXPECT_EQ(back.report.relevance->kept, model.report.relevance->kept);
  EXPECT_EQ(back.report.relevance->first, model.report.relevance->first);
  EXPECT_EQ(outputs(back, data.X), outputs(model, data.X));
}

}  // namespace learned_relevance_test
}  // namespace lacuna
