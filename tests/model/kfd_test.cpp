// The kernel Fisher discriminant through train(): its own scale, its regulariser's name, weights, files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/train.hpp"
#include "lacuna/report/report.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace kfd_test {

constexpr Index n = 60;

std::vector<std::string> labels(const RowMatrix& X, int classes) {
  std::vector<std::string> out;
  Random random(5);
  for (Index i = 0; i < X.rows(); ++i) {
    const double s = X(i, 0) + 0.3 * X(i, 1) * X(i, 1) + 0.4 * random.normal();
    out.push_back(classes == 2 ? (s > 0.7 ? "yes" : "no") : s > 1.0 ? "c" : s > 0.0 ? "b" : "a");
  }
  return out;
}
Dataset sample(int classes) {
  const RowMatrix X = testing::random_rows(n, 2, 4);
  return make_dataset(X, labels(X, classes));
}

const TrainOptions fixed{.model = kfd(), .kernel = rbf(0.4), .lambda = 2.0};

double scored(const Model& model, const std::string& score) {
  for (const auto& [name, value] : model.report.held_out)
    if (name == score) return value;
  return std::nan("");
}

double distance(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(KfdModel, PredictsItsFittedOutputsAndReadsBackTheSame) {
  for (const int classes : {2, 3}) {
    const Dataset data = sample(classes);
    const Model model = train(data, fixed);
    EXPECT_EQ(model.alpha.rows(), n);
    EXPECT_LE(distance(outputs(model, data.X), model.held_out.fitted), 1e-9);
    const Model back = model_from_bytes(model_to_bytes(model), "memory");
    EXPECT_EQ(back.report.model, "kfd");
    EXPECT_EQ(outputs(back, data.X), outputs(model, data.X));
    EXPECT_EQ(back.held_out.target, model.held_out.target);
    EXPECT_EQ(held_out_loss(back), held_out_loss(model));
    EXPECT_EQ(fit_json(back), fit_json(model));
  }
}

TEST(KfdModel, SelectsMuAndKernelByPressOfItsOwnTargets) {
  for (const int classes : {2, 3}) {
    const Dataset data = sample(classes);
    const Model model = train(data, {.model = kfd()});
    EXPECT_EQ(model.report.criterion, "press");
    EXPECT_EQ(model.report.search.stop, Stop::converged);
    EXPECT_FALSE(model.report.approximate);
    EXPECT_LT(scored(model, "error"), classes == 2 ? 0.2 : 0.4);
    const Matrix& t = model.held_out.target;
    EXPECT_NEAR(model.report.criterion_value, (t - model.held_out.output).cwiseAbs2().mean(), 1e-10);
    EXPECT_NEAR(held_out_loss(model).mean(), model.report.criterion_value, 1e-10);
    EXPECT_NEAR(scored(model, "press"), model.report.criterion_value, 1e-10);
  }
}

TEST(KfdModel, OneVersusRestColumnsAreTheDiscriminantsOfOneClassAgainstTheOthers) {
  const Dataset data = sample(3);
  const Model all = train(data, fixed);
  for (int k = 0; k < 3; ++k) {
    std::vector<std::string> one;
    for (const int label : data.label) one.push_back(label == k ? "1" : "0");
    const Model alone = train(make_dataset(data.X, one), fixed);
    EXPECT_LE(distance(alone.held_out.output, all.held_out.output.col(k)), 1e-10);
    EXPECT_LE(distance(alone.alpha, all.alpha.col(k)), 1e-10);
  }
}

TEST(KfdModel, ClosedFormEqualsExplicitRefits) {
  for (const char* how : {"loo", "5", "4x2"}) {
    TrainOptions options = fixed;
    options.select.cv = parse_cross_validation(how);
    const Model closed = train(sample(2), options);
    options.select.cv.by_refit = true;
    const Model refitted = train(sample(2), options);
    EXPECT_LE(distance(closed.held_out.output, refitted.held_out.output), 1e-9) << how;
    EXPECT_NEAR(closed.report.criterion_value, refitted.report.criterion_value, 1e-9) << how;
  }
}

TEST(KfdModel, ARowOfWeightZeroIsARowRemovedAndOfWeightTwoIsTwoRows) {
  Dataset weighted = sample(2);
  weighted.weights = Vector::Ones(n);
  std::vector<Index> copies;
  for (Index i = 0; i < n; ++i) {
    weighted.weights[i] = i % 7 == 0 ? 0.0 : i % 5 == 0 ? 2.0 : 1.0;
    for (int k = 0; k < int(weighted.weights[i]); ++k) copies.push_back(i);
  }
  std::vector<std::string> label;
  for (const Index i : copies) label.push_back(weighted.classes[std::size_t(weighted.label[std::size_t(i)])]);
  const Dataset repeated = make_dataset(take_rows(weighted.X, copies), label);
  const RowMatrix fresh = testing::random_rows(9, 2, 6);
  const Model a = train(weighted, fixed), b = train(repeated, fixed);
  EXPECT_LE(distance(outputs(a, fresh), outputs(b, fresh)), 1e-9);
  EXPECT_EQ(a.alpha.rows(), n - 9);  // rows of weight 0 are not in the expansion
}

TEST(KfdModel, BalancedWeightsMakeTheTwoTargetsOpposite) {
  TrainOptions options = fixed;
  options.train_weights = Weighting::balanced;
  const Matrix t = train(sample(2), options).held_out.target;
  EXPECT_NEAR(t.maxCoeff(), 2.0, 1e-12);
  EXPECT_NEAR(t.minCoeff(), -2.0, 1e-12);
}

TEST(KfdModel, IsJudgedByMarginsInUnitsOfItsTargets) {
  TrainOptions options = fixed;
  options.select.criterion = Criterion::hinge2;
  const Model model = train(sample(2), options);
  const Matrix margin = model.held_out.output.cwiseQuotient(model.held_out.target);  // y z / |t|
  EXPECT_NEAR(model.report.criterion_value, (1.0 - margin.array()).max(0.0).square().mean(), 1e-12);
}

TEST(KfdModel, ReportsMuAndResidualsOfItsOwnTargets) {
  const Model model = train(sample(2), {.model = kfd(), .kernel = rbf(0.4)});
  const auto json = fit_json(model);
  EXPECT_EQ(json["mu"], model.lambda);
  EXPECT_FALSE(json.contains("lambda"));
  EXPECT_TRUE(json["search"]["optima"][0].contains("mu"));
  EXPECT_NE(fit_text(model).find("  mu "), std::string::npos);
  EXPECT_EQ(fit_text(model).find("lambda"), std::string::npos);
  std::ostringstream csv;
  write_held_out_csv(model, csv);
  std::istringstream lines(csv.str());
  std::string line;
  std::getline(lines, line);
  ASSERT_EQ(line, "row,target,output,probability,prediction,residual,leverage,loss,trust");
  for (Index i = 0; std::getline(lines, line); ++i) {
    std::vector<std::string> cell;
    std::istringstream cells(line);
    for (std::string one; std::getline(cells, one, ',');) cell.push_back(one);
    EXPECT_NEAR(std::stod(cell[5]), model.held_out.target(i, 0) - std::stod(cell[2]), 1e-12);
    EXPECT_NEAR(std::stod(cell[7]), std::stod(cell[5]) * std::stod(cell[5]), 1e-12);
  }
}

TEST(KfdModel, TakesAPrecomputedKernelAndOneThatIsNotPositiveDefinite) {
  const Dataset data = sample(2);
  RowMatrix K = compute::cpu::kernel_matrix(kernels::Rbf{.theta = 0.4}, data.X, data.X);
  const Model direct = train(data, fixed);
  TrainOptions options = fixed;
  options.kernel = precomputed();
  std::vector<std::string> label;
  for (const int k : data.label) label.push_back(data.classes[std::size_t(k)]);
  const Model given = train(make_dataset(K, label), options);
  EXPECT_LE(distance(given.held_out.output, direct.held_out.output), 1e-9);
  EXPECT_LE(distance(outputs(given, K), outputs(direct, data.X)), 1e-9);
  K.diagonal().array() -= 3.0;
  EXPECT_TRUE(train(make_dataset(K, label), options).held_out.output.allFinite());
}

TEST(KfdModel, GetsProbabilitiesByRecalibration) {
  TrainOptions options = fixed;
  options.held_out.recalibrate = true;
  for (const int classes : {2, 3}) {
    const Dataset data = sample(classes);
    const Model model = train(data, options);
    EXPECT_LT(scored(model, "xent"), std::log(double(classes)));
  }
}

TEST(KfdModel, RefusesValuesAndNamesMu) {
  const RowMatrix X = testing::random_rows(20, 2, 4);
  const Dataset values = make_dataset(X, std::vector<double>(X.col(0).begin(), X.col(0).end()));
  EXPECT_THROW(train(values, {.model = kfd()}), Error);
  try {
    train(sample(2), {.model = kfd(), .lambda = -1.0});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("mu = -1"), std::string::npos) << e.what();
  }
  EXPECT_THROW(train(sample(2), {.model = kfd(), .select = {.criterion = Criterion::xent}}), Error);
}

}  // namespace kfd_test
}  // namespace lacuna
