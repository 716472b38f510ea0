// The one-call path: what is given is kept, what is open is chosen, held-out scores are those of the outputs it keeps,
// and a caller's mistakes are named.
#include "lacuna/model/train.hpp"

#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/criterion/criterion.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace train_test {

using test::refusal;

struct Sample {
  RowMatrix X;
  std::vector<std::string> label;
  std::vector<double> value;
};

Sample sample(Index n, std::uint64_t seed) {
  Sample s{testing::random_rows(n, 3, seed), {}, {}};
  const Matrix y = testing::random_signs(s.X, seed + 1);
  for (Index i = 0; i < n; ++i) {
    s.label.push_back(y(i, 0) > 0.0 ? "yes" : "no");
    s.value.push_back(std::sin(s.X(i, 0)) + 0.1 * s.X(i, 1) * s.X(i, 1));
  }
  return s;
}

double scored(const Model& model, const std::string& name) {
  for (const auto& [n, v] : model.report.held_out)
    if (n == name) return v;
  return std::nan("");
}

TEST(Train, ChoosesWhatIsOpenAndKeepsWhatIsGiven) {
  const Sample s = sample(80, 1);
  const Model free = train(s.X, s.label);
  EXPECT_EQ(free.report.search.method, "lbfgs");
  EXPECT_GT(free.report.search.evaluations, 5);
  EXPECT_TRUE(free.report.optimistic);
  const Model fixed = train(s.X, s.label, {.kernel = rbf(0.25), .lambda = 0.5});
  EXPECT_EQ(std::get<kernels::Rbf>(fixed.kernel.form).theta, 0.25);
  EXPECT_EQ(fixed.lambda, 0.5);
  EXPECT_EQ(fixed.report.search.evaluations, 0);
  EXPECT_FALSE(fixed.report.optimistic);
  EXPECT_LE(free.report.criterion_value, fixed.report.criterion_value);
  const Model half = train(s.X, s.label, {.kernel = rbf(0.25)});
  EXPECT_EQ(std::get<kernels::Rbf>(half.kernel.form).theta, 0.25);
  EXPECT_NE(half.lambda, 0.5);
}

TEST(Train, PredictsTheTrainingRowsAsTheFitDid) {
  const Sample s = sample(60, 2);
  const Model model = train(s.X, s.value);
  EXPECT_EQ(model.task, Task::regression);
  EXPECT_EQ(model.report.rows, 60);
  const Matrix z = outputs(model, s.X);
  // the held-out error is larger than the training error, and both are small on a smooth function
  double training = 0.0;
  for (Index i = 0; i < 60; ++i) training += std::pow(z(i, 0) - s.value[std::size_t(i)], 2) / 60.0;
  EXPECT_LT(training, scored(model, "press"));
  EXPECT_GT(scored(model, "r2"), 0.8);
  const Predictions p = predict(model, s.X);
  int inside = 0;
  for (Index i = 0; i < 60; ++i)
    inside += s.value[std::size_t(i)] >= p.lower(i, 0) && s.value[std::size_t(i)] <= p.upper(i, 0);
  EXPECT_GE(inside, 54);
}

TEST(Train, ReportsTheScoresOfTheHeldOutOutputsItKeeps) {
  const Sample s = sample(70, 3);
  for (const char* cv : {"loo", "5", "4x3", "explicit:7"}) {
    SCOPED_TRACE(cv);
    const Model model =
        train(s.X, s.label,
              {.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.2, .select = {.cv = parse_cross_validation(cv)}});
    EXPECT_EQ(model.report.cv, cv);
    double press = 0.0;
    const Index kept = model.held_out.size();
    EXPECT_EQ(kept, std::string(cv) == "4x3" ? 210 : 70);
    for (Index i = 0; i < kept; ++i) {
      const double y = model.held_out.label[std::size_t(i)] == 1 ? 1.0 : -1.0;
      press += std::pow(y - model.held_out.output(i, 0), 2) / double(kept);
    }
    EXPECT_NEAR(press, scored(model, "press"), 1e-12);
    EXPECT_NEAR(scored(model, "press"), model.report.criterion_value, 1e-12);
  }
}

TEST(Train, ExplicitRefittingAgreesWithTheClosedForm) {
  const Sample s = sample(50, 4);
  for (const char* cv : {"loo", "5"}) {
    const Model closed =
        train(s.X, s.label,
              {.model = ls_svm(), .kernel = rbf(0.3), .lambda = 0.2, .select = {.cv = parse_cross_validation(cv)}});
    const Model slow = train(s.X, s.label,
                             {.model = ls_svm(),
                              .kernel = rbf(0.3),
                              .lambda = 0.2,
                              .select = {.cv = parse_cross_validation(std::string("explicit:") + cv)}});
    EXPECT_LE((closed.held_out.output - slow.held_out.output).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(Train, TakesSeveralClassesAndSeveralTargets) {
  Sample s = sample(90, 5);
  for (Index i = 0; i < 90; ++i) s.label[std::size_t(i)] = s.X(i, 0) > 0.5 ? "c" : s.X(i, 1) > 0.0 ? "b" : "a";
  const Model model = train(s.X, s.label);
  EXPECT_EQ(model.task, Task::multiclass);
  EXPECT_EQ(model.alpha.cols(), 3);
  EXPECT_LT(scored(model, "error"), 0.25);
  EXPECT_GT(scored(model, "auc"), 0.9);

  Dataset two = make_dataset(s.X, s.value);
  Matrix targets(90, 2);
  targets.col(0) = two.targets.col(0);
  targets.col(1) = 3.0 * two.targets.col(0).array() + 1.0;
  two.targets = targets;
  const Model both = train(two);
  const Matrix z = outputs(both, s.X);
  EXPECT_LE((z.col(1).array() - 3.0 * z.col(0).array() - 1.0).abs().maxCoeff(), 1e-7);  // of coefficients in the tens
}

TEST(Train, EveryCriterionAndSearchReachesAModel) {
  const Sample s = sample(60, 6);
  for (const std::string& c : criterion_names()) {
    SCOPED_TRACE(c);
    const Machine machine = c == "evidence" ? gp_laplace_classifier() : klr();
    const Model model = train(s.X, s.label, {.model = machine, .select = {.criterion = parse_criterion(c)}});
    EXPECT_TRUE(std::isfinite(model.report.criterion_value));
    EXPECT_LT(scored(model, "error"), 0.35);
  }
  for (const SearchMethod m : {SearchMethod::lbfgs, SearchMethod::scg, SearchMethod::nelder_mead, SearchMethod::grid}) {
    const Model model = train(s.X, s.label, {.select = {.search = m}});
    EXPECT_EQ(model.report.search.method, name_of(m));
    EXPECT_LT(scored(model, "error"), 0.35);
  }
}

// Many rows: one descent on all of them, from the optimum for some.
TEST(Train, ASampleFindsWhereTheSearchOnAllRowsBegins) {
  const Sample s = sample(500, 11);
  for (const Machine& machine : {ls_svm(), klr(), kfd()})
    for (const CrossValidation& cv : {CrossValidation{}, parse_cross_validation("5")}) {
      TrainOptions options{.model = machine};
      options.select.cv = cv;
      options.select.scout_rows = 0;
      const Model all = train(s.X, s.label, options);
      EXPECT_EQ(all.report.search.scouted, 0);
      options.select.scout_rows = 200;
      const Model from_some = train(s.X, s.label, options);
      EXPECT_NEAR(double(from_some.report.search.scouted), 200.0, 4.0);  // two rows of each class at least
      EXPECT_LE(from_some.report.criterion_value, 1.001 * all.report.criterion_value) << machine.name;
      EXPECT_LT(from_some.report.search.evaluations, all.report.search.evaluations) << machine.name;
      EXPECT_EQ(from_some.report.rows, 500);
      EXPECT_EQ(from_some.held_out.size(), 500);
      options.select.search_options.seconds = 1e-6;  // spent on the sample already: one point of all rows at least
      const Model hurried = train(s.X, s.label, options);
      EXPECT_EQ(hurried.report.search.stop, Stop::time_limit);
      EXPECT_EQ(hurried.report.search.evaluations, 1);
      EXPECT_TRUE(std::isfinite(hurried.report.criterion_value));
    }
  for (const Machine& machine :
       {gp_laplace_classifier(), gp_ep_classifier({})}) {  // by evidence, with a mean in other units
    TrainOptions options{.model = machine, .select = {.scout_rows = 0}};
    const Model all = train(s.X, s.label, options);
    options.select.scout_rows = 200;
    const Model from_some = train(s.X, s.label, options);
    EXPECT_NEAR(double(from_some.report.search.scouted), 200.0, 4.0);  // two rows of each class at least
    EXPECT_LE(from_some.report.criterion_value, 1.001 * all.report.criterion_value) << machine.name;
    EXPECT_LT(from_some.report.search.evaluations, all.report.search.evaluations) << machine.name;
  }
  // The penalty holds kernel parameters at the usual start, not at what the sample found.
  TrainOptions held{.model = klr(), .select = {.penalty = 1e4, .scout_rows = 0}};
  const Model all = train(s.X, s.label, held);
  held.select.scout_rows = 200;
  EXPECT_NEAR(std::log(kernel_parameters(train(s.X, s.label, held).kernel)[0] / kernel_parameters(all.kernel)[0]), 0.0,
              1e-3);
  TrainOptions given{.model = klr(), .kernel = rbf(0.5), .lambda = 1.0, .select = {.scout_rows = 200}};
  EXPECT_EQ(train(s.X, s.label, given).report.search.scouted, 0);
  EXPECT_NEAR(double(train(s.X, s.value, {.select = {.scout_rows = 200}}).report.search.scouted), 200.0, 4.0);
  EXPECT_NEAR(double(train(s.X, s.label, {}).report.search.scouted), 133.0, 4.0);  // by itself, a quarter
}

TEST(Train, SelectsTheRelevanceOfFeatures) {
  RowMatrix X = testing::random_rows(120, 6, 9);
  std::vector<double> t;
  for (Index i = 0; i < 120; ++i) t.push_back(std::sin(2.0 * X(i, 2)));  // the other five are noise
  const Model model = train(X, t, {.kernel = ard()});
  const std::vector<double>& theta = std::get<kernels::Ard>(model.kernel.form).theta;
  for (std::size_t j = 0; j < 6; ++j)
    if (j != 2) {
      EXPECT_LT(theta[j], 0.05 * theta[2]);
    }
  const Model held = train(X, t, {.kernel = ard(), .select = {.penalty = 1.0}});
  EXPECT_GE(held.report.criterion_value, model.report.criterion_value - 1e-12);  // the bare criterion is reported
}

TEST(Train, SparseRowsGiveWhatTheirDenseCopyGives) {
  const SparseMatrix S = testing::random_sparse(50, 5, 3);
  RowMatrix D(50, 5);
  std::vector<double> t;
  for (Index i = 0; i < 50; ++i) {
    dense_row(S, i, D.row(i).data());
    t.push_back(D(i, 0) + D(i, 1) * D(i, 2));
  }
  for (const char* k : {"linear", "poly2:c=1", "boolean:eta=0.5", "rbf:theta=0.2"}) {
    const Model sparse = train(S, t, {.kernel = parse_kernel(k), .lambda = 0.3});
    const Model dense = train(D, t, {.kernel = parse_kernel(k), .lambda = 0.3});
    EXPECT_TRUE(sparse.X.is_sparse());
    EXPECT_LE((outputs(sparse, S) - outputs(dense, D)).cwiseAbs().maxCoeff(), 1e-9) << k;
  }
}

TEST(Train, TrainingAndSelectionWeightsAreIndependent) {
  const Sample s = sample(60, 7);
  Dataset data = make_dataset(s.X, s.label);
  data.train_weights = testing::random_weights(60, 8, 10);
  const TrainOptions fixed{.kernel = rbf(0.3), .lambda = 0.2};
  TrainOptions weighted = fixed;
  weighted.model = ls_svm();
  weighted.train_weights = Weighting::column;
  const Model a = train(data, weighted);
  // rows of training weight 0 are predicted by a machine that never saw them: judged all the same
  EXPECT_EQ(a.held_out.size(), 60);
  EXPECT_EQ(a.X.rows(), (data.train_weights.array() > 0.0).count());
  data.select_weights = data.train_weights.unaryExpr([](double w) { return w > 0.0 ? 0.0 : 1.0; });
  weighted.select.weights = Weighting::column;
  const Model b = train(data, weighted);
  EXPECT_NE(a.report.criterion_value, b.report.criterion_value);
  double press = 0.0;
  int held = 0;
  const Matrix z = outputs(b, s.X);
  for (Index i = 0; i < 60; ++i)
    if (data.train_weights[i] == 0.0) {
      press += std::pow((data.label[std::size_t(i)] == 1 ? 1.0 : -1.0) - z(i, 0), 2);
      ++held;
    }
  EXPECT_NEAR(b.report.criterion_value, press / held, 1e-10) << "a validation set by weights";
}

TEST(Train, ZeroWeightEqualsARowRemovedAlways) {
  const Sample s = sample(50, 8);
  Dataset data = make_dataset(s.X, s.label);
  data.weights = Vector::Ones(50);
  std::vector<Index> kept;
  std::vector<std::string> label;
  for (Index i = 0; i < 50; ++i) {
    if (i % 5 == 0)
      data.weights[i] = 0.0;
    else {
      kept.push_back(i);
      label.push_back(s.label[std::size_t(i)]);
    }
  }
  const Model a = train(data), b = train(take_rows(s.X, kept), label);
  EXPECT_NEAR(a.lambda, b.lambda, 1e-6 * b.lambda);
  EXPECT_NEAR(a.report.criterion_value, b.report.criterion_value, 1e-9);
  EXPECT_NEAR(scored(a, "auc"), scored(b, "auc"), 1e-12);
}

TEST(Train, GivesTheSameBitsTwice) {
  const Sample s = sample(60, 10);
  const Model a = train(s.X, s.label), b = train(s.X, s.label);
  EXPECT_EQ(a.lambda, b.lambda);
  EXPECT_EQ(a.alpha, b.alpha);
  EXPECT_EQ(a.held_out.output, b.held_out.output);
}

TEST(Train, StopsWhenTheObserverSaysSo) {
  const Sample s = sample(60, 11);
  int calls = 0;
  TrainOptions options;
  options.run.observer = [&](const Progress&) { return ++calls < 5; };
  EXPECT_EQ(train(s.X, s.label, options).report.search.stop, Stop::interrupted);
}

TEST(Train, WarnsOfTwinsAndOfAKernelThatActsAsALinearOne) {
  Sample s = sample(60, 12);
  s.X.row(5) = s.X.row(6);
  for (Index i = 0; i < 60; ++i) s.value[std::size_t(i)] = 2.0 * s.X(i, 0) - s.X(i, 1);
  Random random(1);
  for (double& v : s.value) v += 0.3 * random.normal();
  s.value[5] = s.value[6];
  const Model model = train(s.X, s.value);
  std::string all;
  for (const Warning& w : model.report.warnings) all += w.text + "\n";
  EXPECT_NE(all.find("1 of 60 rows repeat"), std::string::npos);
  EXPECT_NE(all.find("`kernel=linear` does as well"), std::string::npos);
}

TEST(Train, NamesWhatIsWrong) {
  const Sample s = sample(30, 13);
  EXPECT_NE(refusal([&] { train(s.X, s.label, {.lambda = -0.1}); }).find("lambda = -0.1; must be > 0"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              train(s.X, s.label, {.select = {.search = SearchMethod::none}});
            }).find("not given: lambda, theta"),
            std::string::npos);
  EXPECT_NE(refusal([&] { train(s.X, s.value, {.select = {.criterion = Criterion::ber}}); }).find("needs classes"),
            std::string::npos);
  EXPECT_NE(refusal([&] { train(s.X, std::vector<std::string>(30, "a")); }).find("only one class"), std::string::npos);
  EXPECT_NE(refusal([&] { train(s.X, std::vector<double>(30, 1.0)); }).find("constant"), std::string::npos);
  EXPECT_NE(refusal([&] { train(s.X, std::vector<double>(29, 1.0)); }).find("29 targets for 30 rows"),
            std::string::npos);
  EXPECT_NE(refusal([&] { train(s.X, s.label, {.select = {.cv = parse_cross_validation("40")}}); }).find("40 folds"),
            std::string::npos);
  EXPECT_NE(refusal([&] { train(s.X, s.label, {.run = {.memory_bytes = 1000.0}}); }).find("GB"), std::string::npos);
  EXPECT_NE(refusal([&] {
              train(s.X, s.label, {.model = Machine{"svm", losses::Squared{}}});
            }).find("not in this version"),
            std::string::npos);
  RowMatrix bad = s.X;
  bad(3, 1) = std::nan("");
  EXPECT_NE(refusal([&] { train(bad, s.label); }).find("row 4, feature 2"), std::string::npos);
  EXPECT_NE(refusal([] { parse_cross_validation("1"); }).find("not understood"), std::string::npos);
  EXPECT_NE(refusal([] { parse_cross_validation("5x"); }).find("not understood"), std::string::npos);
}

TEST(Train, SaysByHowMuchAPrecomputedKernelIsNotPositiveDefinite) {
  const RowMatrix A = testing::random_rows(20, 20, 14);
  RowMatrix K = A * A.transpose();
  K(3, 3) -= 500.0;
  std::vector<double> t;
  for (Index i = 0; i < 20; ++i) t.push_back(double(i));
  const std::string m = refusal([&] { train(K, t, {.kernel = precomputed(), .lambda = 0.1}); });
  EXPECT_NE(m.find("least eigenvalue is -"), std::string::npos) << m;
  K(2, 3) += 1.0;
  EXPECT_NE(refusal([&] { train(K, t, {.kernel = precomputed(), .lambda = 0.1}); }).find("not symmetric"),
            std::string::npos);
}

TEST(Train, OnAPrecomputedKernelEqualsTheKernelItself) {
  const Sample s = sample(40, 15);
  const RowMatrix K = compute::cpu::kernel_matrix(kernels::Rbf{.theta = 0.4}, s.X, s.X);
  const Model given = train(K, s.value, {.kernel = precomputed(), .lambda = 0.1});
  const Model direct = train(s.X, s.value, {.kernel = rbf(0.4), .lambda = 0.1});
  const RowMatrix fresh = testing::random_rows(7, 3, 99);
  const RowMatrix K_fresh = compute::cpu::kernel_matrix(kernels::Rbf{.theta = 0.4}, fresh, s.X);
  EXPECT_LE((outputs(given, K_fresh) - outputs(direct, fresh)).cwiseAbs().maxCoeff(), 1e-10);
}

}  // namespace train_test
}  // namespace lacuna
