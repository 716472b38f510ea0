// Stacks and rows seen another way in a file: what was written is read back, and parts that do not fit are refused.
#include <gtest/gtest.h>

#include "lacuna/model/predictor.hpp"
#include "tests/model/models.hpp"

namespace lacuna {
namespace {

Model machine(double theta) {
  Model m = binary_model();
  m.kernel = Rbf{theta};
  m.encoding = {};
  m.held_out = {};
  m.report.held_out.clear();
  return m;
}

Model stack() {
  Model m = binary_model();
  m.kernel = Linear{};
  m.X = RowMatrix(0, 2);
  m.alpha = Matrix(0, 1);
  m.b = Vector::Zero(1);
  m.members.push_back({"rbf", 0.25, machine(0.5)});
  m.members.push_back({"rbf, codes", 0.75, machine(2.0)});
  Model& seen = m.members[1].machine;
  seen.representation = {.inputs = 2,
                         .features = {{.column = 0, .at = {-1.0, 0.5, 2.0}, .value = {0.0, 1.0, -0.25}},
                                      {.column = 0},
                                      {.column = 1, .at = {0.0, 1.0}, .value = {0.5, 0.1}}}};
  seen.X = RowMatrix{{1.0, 0.0, 0.5}, {0.1, 0.3, 0.2}, {-1.0, 2.0, 0.1}};
  m.report.choice = FitReport::Choice{.effort = "best", .folds = 5, .loss = 0.25, .stop = Stop::time_limit};
  m.report.choice->candidates = {{.name = "rbf", .kernel = "rbf:theta=0.5", .lambda = 0.1, .loss = 0.3, .weight = 0.25},
                                 {.name = "linear", .left = "behind by its own criterion"}};
  return m;
}

std::string refused_to_write(const Model& model) {
  try {
    model_to_bytes(model);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(StackFile, IsReadBackToTheSameModel) {
  const Model model = stack(), back = model_from_bytes(model_to_bytes(model), "m.lacuna");
  const RowMatrix X{{0.3, 0.7}, {-2.0, 0.1}, {5.0, 9.0}};
  EXPECT_EQ(outputs(back, X), outputs(model, X));
  EXPECT_EQ(outputs(model, X),
            Matrix(0.25 * outputs(model.members[0].machine, X) + 0.75 * outputs(model.members[1].machine, X)));
  ASSERT_EQ(back.members.size(), 2u);
  EXPECT_EQ(back.members[1].name, "rbf, codes");
  EXPECT_EQ(back.members[1].machine.representation.features[2].at, (std::vector<double>{0.0, 1.0}));
  ASSERT_TRUE(back.report.choice);
  EXPECT_EQ(back.report.choice->stop, Stop::time_limit);
  EXPECT_EQ(back.report.choice->candidates[1].left, "behind by its own criterion");
  EXPECT_TRUE(std::isnan(back.report.choice->candidates[1].loss));
  EXPECT_EQ(model_to_bytes(back), model_to_bytes(model));
}

TEST(StackFile, RefusesMembersThatDoNotFit) {
  Model nested = stack();
  nested.members[0].machine.members.push_back({"rbf", 1.0, machine(1.0)});
  EXPECT_NE(refused_to_write(nested).find("is a stack"), std::string::npos);
  Model other = stack();
  other.members[0].machine.classes = {"no", "maybe"};
  EXPECT_NE(refused_to_write(other).find("another task"), std::string::npos);
  Model narrow = stack();
  narrow.members[0].machine.X = RowMatrix{{1.0}, {2.0}, {3.0}};
  EXPECT_NE(refused_to_write(narrow).find("takes other rows"), std::string::npos);
  Model rows = stack();
  rows.X = RowMatrix{{1.0, 2.0}};
  rows.alpha = Matrix{{0.5}};
  EXPECT_NE(refused_to_write(rows).find("rows of its own"), std::string::npos);
  Model unordered = stack();
  std::swap(unordered.members[1].machine.representation.features[0].at[0],
            unordered.members[1].machine.representation.features[0].at[1]);
  EXPECT_NE(refused_to_write(unordered).find("do not ascend"), std::string::npos);
  Model absent = stack();
  absent.members[1].machine.representation.features[0].column = 2;
  EXPECT_NE(refused_to_write(absent), "accepted");
  // Reading asks the same.
  std::string bytes = model_to_bytes(stack());
  const std::size_t at = bytes.find("member.1.alpha");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 14, "member.7.alpha");
  EXPECT_NE(refusal(bytes), "accepted");
}

}  // namespace
}  // namespace lacuna
