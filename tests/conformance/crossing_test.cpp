// What crosses the door in a whole selection: rows, and a few numbers for each row and output, but no matrix. A remote
// back end counts the bytes; they are compared at two sizes, so that anything of l x l, l x folds or l x basis vectors
// is seen.
#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/remote.hpp"

namespace lacuna {
namespace crossing_test {

constexpr Index features = 3;

Dataset labelled(Index l, int classes) {
  const RowMatrix X = testing::random_rows(l, features, 1);
  const RowMatrix noise = testing::random_rows(l, 1, 2);
  std::vector<std::string> label;
  for (Index i = 0; i < l; ++i) {
    const double at = X(i, 0) + 0.4 * X(i, 1) * X(i, 1) + 0.5 * noise(i, 0);
    label.push_back(classes == 2 ? (at > 0.3 ? "a" : "b") : at > 0.8 ? "a" : at > -0.2 ? "b" : "c");
  }
  return make_dataset(X, label);
}

Dataset counted(Index l) {
  const RowMatrix X = testing::random_rows(l, features, 1);
  std::vector<double> t;
  for (Index i = 0; i < l; ++i)
    t.push_back(std::floor(std::exp(0.8 + 0.6 * X(i, 0)) + 0.5 + 0.5 * std::sin(7.0 * double(i))));
  return make_dataset(X, t, DataOptions::TaskRequest::counts);
}

// Bytes for each row, input or output, and evaluation.
double crossed(const Dataset& data, TrainOptions options, Index outputs) {
  const testing::RemoteBackend remote;
  options.run.backend = &remote;
  options.select.max_evaluations = 12;
  options.select.scout_rows = 0;
  const Model model = train(data, options);
  return remote.door().bytes() / double(data.size() * (features + outputs)) / double(model.report.search.evaluations);
}

struct Case {
  std::string name;
  TrainOptions options;
  int classes;  // 0: counts
};

std::vector<Case> cases() {
  const auto basis = [](std::string_view text) { return parse_basis(text); };
  return {{"ls-svm, leave one out", {.model = ls_svm()}, 3},
          {"ls-svm, folds", {.model = ls_svm(), .select = {.cv = parse_cross_validation("10")}}, 3},
          {"ls-svm, groups of one", {.model = ls_svm(), .select = {.cv = parse_cross_validation("40")}}, 2},
          {"kfd", {.model = kfd()}, 2},
          {"learned weights", {.model = ls_svm(), .kernel = parse_kernel("relevance(rbf)")}, 2},
          {"klr", {.model = klr()}, 2},
          {"poisson", {.model = parse_machine("poisson")}, 0},
          {"gp-laplace", {.model = parse_machine("gp-laplace")}, 2},
          {"ls-svm on a basis", {.model = ls_svm(), .basis = basis("stochastic:30")}, 3},
          {"ls-svm on a basis, folds",
           {.model = ls_svm(), .basis = basis("30"), .select = {.cv = parse_cross_validation("10")}},
           2},
          {"klr on a basis", {.model = klr(), .basis = basis("greedy:30")}, 2}};
}

// Bytes for each row, evaluation, and input or output: the rows once (8 of them), then a few vectors for the squared
// loss (20 to 30 in all) and a few for each of the three to ten fits of an iterated one (80 to 190). The final fit and
// what is reported belong to the sum.
constexpr double most_bytes = 400.0;

TEST(Crossing, OfAWholeSelectionGrowsWithTheRowsAndNotWithTheirSquare) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const auto bytes = [&](Index l) {
      return crossed(one.classes == 0 ? counted(l) : labelled(l, one.classes), one.options, one.classes == 3 ? 3 : 1);
    };
    const double small = bytes(120), large = bytes(480);
    RecordProperty(one.name, std::to_string(small) + " " + std::to_string(large));
    EXPECT_LE(small, most_bytes);
    EXPECT_LE(large, most_bytes);
    EXPECT_LE(large, 1.7 * small);  // a matrix would make it four times
  }
}

TEST(Crossing, ASecondThreadIsRefused) {
  const testing::RemoteBackend remote;
  const RowMatrix X = testing::random_rows(10, 2, 1);
  const auto K = remote.gram(kernels::Rbf{}, X, compute::Use::repeatedly, {});
  std::string said;
  std::thread([&] {
    try {
      K->diagonal();
    } catch (const std::logic_error& error) {
      said = error.what();
    }
  }).join();
  EXPECT_NE(said.find("second thread"), std::string::npos);
  EXPECT_EQ(K->diagonal().size(), 10);
}

TEST(Crossing, TheBackEndsOwnMemoryIsTheLimit) {
  const testing::RemoteBackend small(1e5);  // 120 rows need four matrices of 115,200 bytes
  try {
    train(labelled(120, 2), {.model = ls_svm(), .run = {.backend = &small}});
    ADD_FAILURE() << "trained in less memory than it takes";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("are free"), std::string::npos) << error.what();
  }
}

// The same numbers, whichever way they went.
TEST(Crossing, ARemoteBackEndTrainsTheSameModel) {
  const testing::RemoteBackend remote;
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const Dataset data = one.classes == 0 ? counted(60) : labelled(60, one.classes);
    TrainOptions there = one.options;
    there.run.backend = &remote;
    there.select.max_evaluations = 8;
    TrainOptions here = there;
    here.run.backend = &cpu_backend();
    const Model a = train(data, here), b = train(data, there);
    EXPECT_EQ(a.lambda, b.lambda);
    EXPECT_EQ(a.alpha, b.alpha);
    EXPECT_EQ(a.held_out.output, b.held_out.output);
    EXPECT_EQ(outputs(a, data.X), outputs(b, data.X, nullptr, remote));
  }
}

}  // namespace crossing_test
}  // namespace lacuna
