// Groups that rows have hold everywhere: nothing of a group is learned from while some of it is held out.
#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/model/train.hpp"
#include "lacuna/report/report.hpp"
#include "tests/data/refusal.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace groups_test {

using test::any_says;

// Twelve groups of four rows that are nearly the same, with a label that has nothing to do with where they are.
Dataset repeated_rows() {
  Dataset data;
  const RowMatrix centre = testing::random_rows(12, 2, 5), noise = testing::random_rows(48, 2, 6);
  RowMatrix X(48, 2);
  for (Index i = 0; i < 48; ++i) {
    X.row(i) = centre.row(i / 4) + 0.01 * noise.row(i);
    data.label.push_back(int((i / 4) * 7 % 12 < 6));
    data.group.push_back(int(i / 4));
  }
  data.X = X;
  data.task = Task::binary;
  data.classes = {"a", "b"};
  return data;
}

double error_of(const Model& model) { return model.report.held_out[0].second; }

TEST(Groups, AreHeldOutWholeUnlessFoldsAreAskedFor) {
  const Dataset data = repeated_rows();
  Dataset plain = data;
  plain.group.clear();
  const TrainOptions options{.model = ls_svm()};
  EXPECT_LT(error_of(train(plain, options)), 0.05);  // every row sees its copies
  const Model model = train(data, options);
  EXPECT_GT(error_of(model), 0.25);
  EXPECT_EQ(model.report.cv, "group:group");
  EXPECT_EQ(model.report.group, "group");
  TrainOptions named = options;
  named.select.cv = parse_cross_validation("group:patient");
  const Model same = train(data, named);
  EXPECT_EQ(same.report.cv, "group:patient");
  EXPECT_EQ(same.lambda, model.lambda);
  EXPECT_EQ(same.held_out.output, model.held_out.output);
}

TEST(Groups, AreKeptTogetherByFolds) {
  const Dataset data = repeated_rows();
  const TrainOptions options{
      .model = ls_svm(), .kernel = rbf(0.5), .lambda = 0.1, .select = {.cv = parse_cross_validation("3x2")}};
  const Model model = train(data, options);
  EXPECT_EQ(model.report.cv, "3x2");
  EXPECT_EQ(model.report.group, "group");
  EXPECT_NE(fit_text(model).find("in 3 folds that keep group together, 2 times"), std::string::npos);
  for (std::uint64_t r = 0; r < 2; ++r)
    for (const auto& fold : grouped_folds(data.group, 3, r)) {
      std::vector<Index> rest;
      for (Index i = 0; i < 48; ++i)
        if (std::ranges::find(fold, i) == fold.end()) rest.push_back(i);
      for (const Index i : fold)
        for (const Index k : rest) EXPECT_NE(data.group[std::size_t(i)], data.group[std::size_t(k)]);
      Dataset part = take_rows(data, rest);
      part.group.clear();
      const Model without = train(part, {.model = ls_svm(), .kernel = rbf(0.5), .lambda = 0.1});
      const Matrix z = outputs(without, take_rows(data.X, fold));
      for (std::size_t k = 0; k < fold.size(); ++k)
        EXPECT_NEAR(model.held_out.output(Index(r) * 48 + fold[k], 0), z(Index(k), 0), 1e-9);
    }
}

TEST(Groups, CannotBeParted) {
  const Dataset data = repeated_rows();
  for (const char* cv : {"loo", "explicit:loo"})
    EXPECT_THROW(train(data, {.model = ls_svm(), .select = {.cv = parse_cross_validation(cv)}}), Error) << cv;
  EXPECT_THROW(train(data, {.model = ls_svm(), .select = {.cv = parse_cross_validation("13")}}), Error);
  Dataset odd = data;
  odd.group.pop_back();
  EXPECT_THROW(train(odd, {.model = ls_svm()}), Error);
}

TEST(Groups, OfOneKindAreHeldOutRowByRowAndThatIsSaid) {
  Dataset data = repeated_rows();
  std::fill(data.group.begin(), data.group.end(), 0);
  const Model model = train(data, {.model = ls_svm(), .kernel = rbf(0.5), .lambda = 0.1});
  EXPECT_EQ(model.report.cv, "loo");
  EXPECT_TRUE(any_says(model.report.warnings, "all rows are of one group"));
}

// On a basis, too, and for every kind of machine.
TEST(Groups, HoldForEveryMachine) {
  const Dataset data = repeated_rows();
  for (const Machine& machine : {ls_svm(), klr(), kfd(), gp_laplace_classifier()}) {
    const Model model = train(data, {.model = machine, .kernel = rbf(0.5), .lambda = 0.5});
    EXPECT_EQ(model.report.cv, "group:group") << machine.name;
  }
  TrainOptions on_basis{.model = ls_svm(), .kernel = rbf(0.5), .lambda = 0.5};
  on_basis.basis = parse_basis("10");
  EXPECT_EQ(train(data, on_basis).report.cv, "group:group");
}

}  // namespace groups_test
}  // namespace lacuna
