// Machines on a basis through train(): all rows as basis are the dual machine, leave-one-out is refitting, weights are
// copies, rows on disk are rows in memory; and how rows are chosen, counted and sampled.
#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/kinds.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace basis_test {

using test::refusal;
using testing::Kind, testing::largest_difference;

constexpr Index n = 60;

Dataset classes(int count, Index rows = n) {
  return testing::noisy_classes(testing::random_rows(rows, 3, 81), count, 82);
}
Dataset values(bool counts, Index rows = n) {
  return testing::noisy_values(testing::random_rows(rows, 3, 83), counts, 84);
}
std::vector<Kind> kinds() { return testing::every_kind(testing::random_rows(n, 3, 81), 82); }

TrainOptions fixed(const Machine& machine, const std::string& cv = "loo") {
  return {.model = machine, .kernel = rbf(0.2), .lambda = 0.3, .select = {.cv = parse_cross_validation(cv)}};
}

TEST(Basis, OfAllRowsIsTheDualMachineForEveryLoss) {
  for (const Kind& k : kinds())
    for (const std::string cv : {"loo", "5", "explicit:5"}) {
      SCOPED_TRACE(k.machine.name + ", " + std::to_string(k.data.classes.size()) + " classes, " + cv);
      TrainOptions options = fixed(k.machine, cv);
      options.train_weights = k.data.label.empty() ? Weighting::none : Weighting::balanced;
      const Model dense = train(k.data, options);
      options.basis = BasisRequest{.rows = k.data.X};
      const Model sparse = train(k.data, options);
      const double scale = std::max(1.0, dense.held_out.output.cwiseAbs().maxCoeff());
      // Counts and positive values follow a line to a part in a thousand, and then take one more step.
      const bool line = cv == "loo" && (k.machine.name == "poisson" || k.machine.name == "gamma");
      EXPECT_LE(largest_difference(dense.held_out.output, sparse.held_out.output), (line ? 1e-4 : 1e-7) * scale);
      EXPECT_LE(largest_difference(dense.held_out.fitted, sparse.held_out.fitted), 1e-7 * scale);
      EXPECT_LE(largest_difference(outputs(dense, k.data.X), outputs(sparse, k.data.X)), 1e-7 * scale);
      EXPECT_NEAR(dense.report.criterion_value, sparse.report.criterion_value,
                  (line ? 1e-5 : 1e-7) * std::max(1.0, dense.report.criterion_value));
      ASSERT_EQ(dense.report.held_out.size(), sparse.report.held_out.size());
      for (std::size_t s = 0; s < dense.report.held_out.size(); ++s)
        EXPECT_NEAR(dense.report.held_out[s].second, sparse.report.held_out[s].second, line ? 1e-4 : 1e-7)
            << dense.report.held_out[s].first;
      if (options.select.cv.by_refit) continue;
      EXPECT_LE(largest_difference(dense.held_out.leverage, sparse.held_out.leverage), 1e-7);
      if (cv != "loo" || k.machine.name == "ls-svm") continue;
      EXPECT_LE(largest_difference(dense.held_out.trust, sparse.held_out.trust), line ? 1e-4 : 1e-6);
    }
}

TEST(Basis, LeaveOneOutOfLeastSquaresIsRefitting) {
  for (const Dataset& data : {values(false), classes(3)}) {
    TrainOptions options = fixed(ls_svm());
    options.basis = parse_basis("15");
    const Model fast = train(data, options);
    options.select.cv = parse_cross_validation("explicit:loo");
    const Model slow = train(data, options);
    EXPECT_LE(largest_difference(fast.held_out.output, slow.held_out.output), 1e-8);
    EXPECT_NEAR(fast.report.criterion_value, slow.report.criterion_value, 1e-8);
  }
}

// One step is not a refit, but it should be near; the line must be nearer.
TEST(Basis, LeaveOneOutOfOtherLossesIsNearRefitting) {
  for (const Kind& k : kinds()) {
    if (k.machine.name == "ls-svm") continue;
    SCOPED_TRACE(k.machine.name);
    TrainOptions options = fixed(k.machine);
    options.basis = parse_basis("12");
    const Model fast = train(k.data, options);
    options.select.cv.by_refit = true;
    const Model slow = train(k.data, options);
    const Matrix moved = fast.held_out.fitted - slow.held_out.output;
    const double share = k.machine.name == "l2-svm" ? 0.25 : 0.1;  // rows cross its margin
    EXPECT_LE((fast.held_out.output - slow.held_out.output).norm(), share * moved.norm());
  }
}

TEST(Basis, AWeightOfTwoIsTwoCopiesAndOfNoneIsARowRemoved) {
  for (const Kind& k : kinds()) {
    SCOPED_TRACE(k.machine.name + ", " + std::to_string(k.data.classes.size()) + " classes");
    std::vector<Index> basis{1, 4, 9, 16, 25, 36}, copies;
    Dataset weighted = k.data;
    weighted.weights = Vector::Ones(n);
    for (Index i = 0; i < n; ++i) {
      weighted.weights[i] = i % 7 == 3 ? 0.0 : i % 3 == 0 ? 2.0 : 1.0;
      for (int c = 0; c < int(weighted.weights[i]); ++c) copies.push_back(i);
    }
    Dataset copied = take_rows(k.data, copies);
    copied.weights.resize(0);
    TrainOptions options = fixed(k.machine, "group:twins");
    options.basis = BasisRequest{.rows = take_rows(k.data.X, basis)};
    for (Index i = 0; i < n; ++i) weighted.group.push_back(int(i % 10));
    for (const Index i : copies) copied.group.push_back(int(i % 10));
    const Model one = train(weighted, options), other = train(copied, options);
    EXPECT_LE(largest_difference(outputs(one, k.data.X), outputs(other, k.data.X)), 1e-7);
    EXPECT_NEAR(one.report.criterion_value, other.report.criterion_value, 1e-7);
  }
}

TEST(Basis, SelectsLikeTheDualMachine) {
  for (const Kind& k : kinds()) {
    SCOPED_TRACE(k.machine.name + ", " + std::to_string(k.data.classes.size()) + " classes");
    const Model dense = train(k.data, {.model = k.machine});
    const Model sparse = train(k.data, {.model = k.machine, .basis = BasisRequest{.rows = k.data.X}});
    // The squared hinge bends by jumps, and a search by refits of it ends within a percent.
    const double share = std::holds_alternative<losses::SquaredHinge>(k.machine.loss) ? 1e-2 : 2e-3;
    EXPECT_NEAR(sparse.report.criterion_value, dense.report.criterion_value,
                share * std::abs(dense.report.criterion_value));
    EXPECT_EQ(sparse.report.search.method, dense.report.search.method);
    ASSERT_TRUE(sparse.report.basis);
    EXPECT_EQ(sparse.report.basis->method, "given");
  }
}

TEST(Basis, EveryWayChoosesAndSaysSo) {
  const Dataset data = classes(2, 150);
  for (const std::string& method : basis_method_names()) {
    const Model model = train(data, {.basis = parse_basis(method + ":20")});
    ASSERT_TRUE(model.report.basis) << method;
    const FitReport::Basis& b = *model.report.basis;
    EXPECT_EQ(b.method, method);
    EXPECT_EQ(b.size, 20);
    EXPECT_EQ(b.kept, model.alpha.rows());
    EXPECT_EQ(model.X.rows(), model.alpha.rows());
    EXPECT_EQ(b.selected_on, 150);
    EXPECT_GE(b.rounds, 1);
    EXPECT_EQ(model.held_out.size(), 150);
    EXPECT_LT(model.report.criterion_value, 0.5);  // of 0.69
  }
}

TEST(Basis, ComesBackFromAFile) {
  const Model model = train(classes(3), {.basis = parse_basis("auto")});
  ASSERT_TRUE(model.report.basis);
  const Model read = model_from_bytes(model_to_bytes(model), "memory");
  ASSERT_TRUE(read.report.basis);
  EXPECT_EQ(read.report.basis->sizes.size(), model.report.basis->sizes.size());
  EXPECT_EQ(read.report.basis->method, model.report.basis->method);
  EXPECT_EQ(model_to_bytes(read), model_to_bytes(model));
}

TEST(Basis, AutoGrowsWhileItPays) {
  // A hundred and fifty bumps need more than a hundred basis rows.
  const RowMatrix X = testing::random_rows(800, 1, 90) * 3.0;
  std::vector<double> t;
  Random random(91);
  for (Index i = 0; i < X.rows(); ++i) t.push_back(std::sin(60.0 * X(i, 0)) + 0.1 * random.normal());
  const Dataset data = make_dataset(X, t);
  const Model model = train(data, {.kernel = rbf(200.0), .basis = parse_basis("auto")});
  ASSERT_TRUE(model.report.basis);
  const FitReport::Basis& b = *model.report.basis;
  EXPECT_TRUE(b.automatic);
  ASSERT_GE(b.sizes.size(), 2u);
  EXPECT_EQ(b.sizes[0].size, 100);
  for (std::size_t k = 1; k + 1 < b.sizes.size(); ++k) EXPECT_LT(b.sizes[k].criterion, 0.99 * b.sizes[k - 1].criterion);
  EXPECT_GE(b.size, b.sizes[b.sizes.size() - 2].size);
  // A line needs one; there is nothing to grow for.
  const Model line = train(values(false, 300), {.kernel = linear(), .basis = parse_basis("auto")});
  EXPECT_LE(line.report.basis->size, 3);
  EXPECT_TRUE(line.report.basis->complete);
}

TEST(Basis, IsChosenAgainWhenTheKernelMovesFar) {
  const RowMatrix X = testing::random_rows(400, 1, 92) * 3.0;
  std::vector<double> t;
  Random random(93);
  for (Index i = 0; i < X.rows(); ++i) t.push_back(std::sin(3.0 * X(i, 0)) + 0.1 * random.normal());
  const Model model = train(make_dataset(X, t), {.basis = parse_basis("pivoted:60")});
  EXPECT_GE(model.report.basis->rounds, 2);
  EXPECT_LE(model.report.basis->rounds, 3);
}

TEST(Basis, ManyRowsAreSelectedOnASampleAndFittedWhole) {
  const Dataset data = classes(3, 600);
  TrainOptions options{.basis = parse_basis("25"), .select = {.rows = 200}};
  const Model model = train(data, options);
  EXPECT_GE(model.report.basis->selected_on, 200);
  EXPECT_LE(model.report.basis->selected_on, 206);
  EXPECT_EQ(model.report.rows, 600);
  EXPECT_EQ(model.held_out.size(), 600);
  // What is reported is of all rows, at the parameters found.
  TrainOptions same{.kernel = {model.kernel, {kernel_parameters(model.kernel)[0]}},
                    .lambda = model.lambda,
                    .basis = BasisRequest{.rows = model.X}};
  EXPECT_NEAR(train(data, same).report.criterion_value, model.report.criterion_value, 1e-9);
  options.held_out.most = 500;
  EXPECT_EQ(train(data, options).held_out.size(), 0);
  EXPECT_EQ(model_to_bytes(train(data, options)).size() > 0, true);
}

TEST(Basis, RowsOnDiskAreRowsInMemory) {
  for (const Kind& k : kinds())
    for (const Index sample : {Index(1000), Index(40)}) {
      SCOPED_TRACE(k.machine.name + ", " + std::to_string(sample));
      const TrainOptions options{.model = k.machine, .basis = parse_basis("15"), .select = {.rows = sample}};
      const Model here = train(k.data, options), there = train(as_streamed(k.data), options);
      EXPECT_EQ(here.lambda, there.lambda);
      EXPECT_EQ(here.alpha, there.alpha);
      EXPECT_EQ(here.held_out.output, there.held_out.output);
      EXPECT_EQ(here.report.criterion_value, there.report.criterion_value);
    }
  EXPECT_NE(refusal([] { train(as_streamed(classes(2)), {}); }).find("`basis=500`"), std::string::npos);
}

TEST(Basis, FlaggedRowsAreRefittedAndChecked) {
  TrainOptions options = fixed(klr());
  options.lambda = 1e-3;
  options.basis = parse_basis("20");
  options.select.cv = parse_cross_validation("loo:one-step");
  options.held_out.refit_flagged = true;
  options.held_out.verify = 5;
  const Model model = train(classes(2), options);
  EXPECT_GT(model.report.refitted, 0);
  EXPECT_EQ(model.report.verification.rows, 5);
  EXPECT_TRUE(std::isfinite(model.report.verification.mean_loss_refitted));
}

// A size that a refusal names is one that is not refused, and where there is none it does not name one.
TEST(Basis, AdviceOnMemoryWorks) {
  const RowMatrix X = testing::random_rows(1500, 3, 21);
  const Dataset data = make_dataset(X, std::vector<std::string>([] {
                                      std::vector<std::string> labels;
                                      for (int i = 0; i < 1500; ++i) labels.emplace_back(i % 3 == 0 ? "a" : "b");
                                      return labels;
                                    }()));
  int advised = 0;
  for (const double megabytes : {5.0, 17.0, 20.0, 25.0, 40.0})
    for (const char* basis : {"none", "600"}) {
      TrainOptions options{.model = klr(), .kernel = rbf(0.3), .lambda = 1.0};
      options.basis = parse_basis(basis);
      options.run = {.threads = 1, .memory_bytes = megabytes * 1e6};
      const std::string said = refusal([&] { train(data, options); });
      const std::size_t at = said.find("`basis=");
      SCOPED_TRACE(said);
      if (at == std::string::npos) {
        EXPECT_NE(said.find("raise `memory`"), std::string::npos);
        continue;
      }
      ++advised;
      options.basis = parse_basis(said.substr(at + 7, said.find('`', at + 7) - at - 7));
      EXPECT_EQ(refusal([&] { train(data, options); }), "");
    }
  EXPECT_GT(advised, 2);
}

TEST(Basis, RefusesWhatCannotBe) {
  const Dataset data = classes(2);
  const auto says = [&](const TrainOptions& options) { return refusal([&] { train(data, options); }); };
  EXPECT_NE(says({.model = kfd(), .basis = parse_basis("9")}).find("kfd has no machine on a basis"), std::string::npos);
  EXPECT_NE(says({.basis = parse_basis("61")}).find("61 rows cannot be chosen from 60"), std::string::npos);
  EXPECT_NE(says({.basis = BasisRequest{.rows = RowMatrix(RowMatrix::Ones(4, 2))}}).find("2 features"),
            std::string::npos);
  EXPECT_NE(says({.basis = parse_basis("9"), .run = {.memory_bytes = 1e3}}).find("raise `memory`"), std::string::npos);
  EXPECT_NE(says({.run = {.memory_bytes = 1e3}}).find("raise `memory`"), std::string::npos);
  Dataset square = data;
  square.X = RowMatrix(RowMatrix::Identity(n, n));
  EXPECT_NE(refusal([&] { train(square, {.kernel = precomputed(), .basis = parse_basis("9")}); }).find("precomputed"),
            std::string::npos);
  EXPECT_NE(refusal([] { parse_basis("0"); }).find("from 1"), std::string::npos);
  EXPECT_NE(refusal([] { parse_basis("-3"); }).find("from 1"), std::string::npos);
  EXPECT_NE(refusal([] { parse_basis("gredy:30"); }).find("greedy"), std::string::npos);
  EXPECT_EQ(parse_basis("rows.csv").file, "rows.csv");
}

}  // namespace basis_test
}  // namespace lacuna
