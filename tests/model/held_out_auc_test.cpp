// The area under the curve of held-out rows has one meaning, however rows are held out: each pair is compared by a
// machine that saw neither row nor the folds they are in, and that had both classes to learn from.
#include "lacuna/model/held_out_auc.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/random.hpp"
#include "lacuna/model/train.hpp"
#include "tests/data/refusal.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace held_out_auc_test {

using test::any_says;

constexpr double theta = 0.4, lambda = 0.3;

Dataset two_classes(Index n, std::uint64_t seed, double signal) {
  Dataset data;
  const RowMatrix X = testing::random_rows(n, 2, seed);
  Random random(seed);
  for (Index i = 0; i < n; ++i) data.label.push_back(signal * X(i, 0) + random.normal() > 0.0);
  data.X = X;
  data.task = Task::binary;
  data.classes = {"a", "b"};
  return data;
}

TrainOptions fixed(Machine machine, const std::string& cv = "auto") {
  return {.model = machine, .kernel = rbf(theta), .lambda = lambda, .select = {.cv = parse_cross_validation(cv)}};
}

double auc_of(const Model& model) {
  for (const auto& [name, value] : model.report.held_out)
    if (name == "auc") return value;
  return std::nan("");
}

// Every pair of one positive and one negative row, by a machine fitted without the groups of both.
double brute_force(const Dataset& data, const std::vector<int>& group, const Machine& machine) {
  double won = 0.0, all = 0.0;
  for (Index i = 0; i < data.size(); ++i)
    for (Index j = 0; j < data.size(); ++j) {
      if (data.label[std::size_t(i)] != 1 || data.label[std::size_t(j)] != 0) continue;
      std::vector<Index> rest;
      for (Index k = 0; k < data.size(); ++k)
        if (group[std::size_t(k)] != group[std::size_t(i)] && group[std::size_t(k)] != group[std::size_t(j)])
          rest.push_back(k);
      Dataset part = take_rows(data, rest);
      part.group.clear();
      const Matrix z = outputs(train(part, fixed(machine)), take_rows(data.X, std::vector<Index>{i, j}));
      all += 1.0;
      won += z(0, 0) > z(1, 0) ? 1.0 : z(0, 0) == z(1, 0) ? 0.5 : 0.0;
    }
  return won / all;
}

std::vector<int> numbers(Index n, Index each) {
  std::vector<int> out;
  for (Index i = 0; i < n; ++i) out.push_back(int(i / each));
  return out;
}

TEST(HeldOutAuc, OfRowsHeldOutOneAtATimeIsLeavePairOutHoweverThatIsAsked) {
  Dataset data = two_classes(24, 3, 0.3);
  const double truth = brute_force(data, numbers(24, 1), ls_svm());
  for (const char* cv : {"loo", "explicit:loo", "24"}) {
    const Model model = train(data, fixed(ls_svm(), cv));
    EXPECT_NEAR(auc_of(model), truth, 1e-12) << cv;
    EXPECT_EQ(model.report.auc_pairs, "left-out") << cv;
  }
  data.group = numbers(24, 1);
  for (const char* cv : {"auto", "explicit:group:g"})
    EXPECT_NEAR(auc_of(train(data, fixed(ls_svm(), cv))), truth, 1e-12);
  // Other losses: the same closed form at the same hyper-parameters, whether rows were refitted or not.
  data.group.clear();
  for (const Machine& machine : {klr(), kfd(), gp_laplace_classifier(), gp_ep_classifier()})
    EXPECT_NEAR(auc_of(train(data, fixed(machine, "explicit:loo"))), auc_of(train(data, fixed(machine, "loo"))), 1e-12)
        << machine.name;
}

// Pooled outputs of rows held out one at a time would put every row below those of the other class.
TEST(HeldOutAuc, OfNoiseIsNearOneHalfUnderEveryWayOfHoldingOut) {
  std::vector<double> mean(5, 0.0);
  const char* ways[] = {"loo", "explicit:loo", "5", "5x3", "group"};
  for (std::uint64_t draw = 1; draw <= 20; ++draw) {
    Dataset data = two_classes(40, 100 + draw, 0.0);
    TrainOptions options = fixed(ls_svm());
    options.lambda = 100.0;  // little more than a constant
    for (std::size_t k = 0; k < 5; ++k) {
      data.group.clear();
      if (k == 4) {  // groups of one class each
        std::vector<int> next{0, 0};
        for (const int label : data.label) data.group.push_back(2 * (next[std::size_t(label)]++ / 4) + label);
      }
      options.select.cv = parse_cross_validation(k == 4 ? "auto" : ways[k]);
      mean[k] += auc_of(train(data, options)) / 20.0;
    }
  }
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(mean[k], 0.5, 0.1) << ways[k];
}

TEST(HeldOutAuc, OfGroupsLeavesOutBothGroupsOfAPair) {
  Dataset data = two_classes(24, 4, 0.5);
  data.group = numbers(24, 2);
  data.group[5] = data.group[0];  // of three rows, and one of a single row
  const double truth = brute_force(data, data.group, ls_svm());
  for (const char* cv : {"auto", "explicit:group:g"}) {
    const Model model = train(data, fixed(ls_svm(), cv));
    EXPECT_NEAR(auc_of(model), truth, 1e-12) << cv;
    EXPECT_EQ(model.report.auc_pairs, "left-out") << cv;
  }
  TrainOptions on_basis = fixed(ls_svm());
  on_basis.basis = BasisRequest{.rows = data.X};  // all rows: the same machine
  EXPECT_NEAR(auc_of(train(data, on_basis)), truth, 1e-12);
}

TEST(HeldOutAuc, OfFoldsComparesRowsOfOneFold) {
  const Dataset data = two_classes(40, 5, 0.7);
  for (const char* cv : {"4", "4x3", "explicit:4"}) {
    const Model model = train(data, fixed(ls_svm(), cv));
    EXPECT_EQ(model.report.auc_pairs, "same-fold");
    double mean = 0.0;
    const int repeats = std::string(cv) == "4x3" ? 3 : 1;
    for (int r = 0; r < repeats; ++r) {
      double won = 0.0, all = 0.0;
      for (const auto& fold : k_folds(40, 4, data.label, std::uint64_t(r)))
        for (const Index i : fold)
          for (const Index j : fold) {
            if (data.label[std::size_t(i)] != 1 || data.label[std::size_t(j)] != 0) continue;
            all += 1.0;
            won += model.held_out.output(r * 40 + i, 0) > model.held_out.output(r * 40 + j, 0);
          }
      mean += won / all / repeats;
    }
    EXPECT_NEAR(auc_of(model), mean, 1e-12) << cv;
  }
}

// Without its only row nothing is known of a class: a machine would rank it by chance, each kind in its own way.
TEST(HeldOutAuc, OfAClassOfOneRowIsNotDefinedForAnyMachine) {
  Dataset data = two_classes(20, 6, 0.5);
  std::fill(data.label.begin(), data.label.end(), 0);
  data.label[7] = 1;
  for (const Machine& machine : {ls_svm(), klr(), kfd(), l2_svm(), gp_laplace_classifier(), gp_ep_classifier()})
    for (const char* cv : {"loo", "4"}) {
      const Model model = train(data, fixed(machine, cv));
      EXPECT_TRUE(std::isnan(auc_of(model))) << machine.name << ' ' << cv;
      EXPECT_TRUE(any_says(model.report.warnings, "there is no auc")) << machine.name << ' ' << cv;
      EXPECT_TRUE(any_says(model.report.warnings, "class b")) << machine.name << ' ' << cv;
    }
  data.task = Task::multiclass;
  data.classes = {"a", "b", "c"};
  for (std::size_t i = 10; i < 20; ++i) data.label[i] = 2;
  for (const Machine& machine : {ls_svm(), klr()}) {
    const Model model = train(data, fixed(machine));
    EXPECT_FALSE(std::isnan(auc_of(model))) << machine.name;
    EXPECT_TRUE(any_says(model.report.warnings, "mean over the other classes")) << machine.name;
  }
}

}  // namespace held_out_auc_test
}  // namespace lacuna
