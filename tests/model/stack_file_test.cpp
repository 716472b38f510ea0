// Stacks and rows seen another way in a file: what was written is read back, and parts that do not fit are refused.
#include <gtest/gtest.h>

#include "lacuna/model/predictor.hpp"
#include "tests/model/models.hpp"

namespace lacuna {
namespace stack_file_test {

std::string refused_to_write(const Model& model) {
  try {
    model_to_bytes(model);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(StackFile, IsReadBackToTheSameModel) {
  const Model model = stack_model(), back = model_from_bytes(model_to_bytes(model), "m.lacuna");
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
  Model nested = stack_model();
  nested.members[0].machine.members.push_back({"rbf", 1.0, stack_member(1.0)});
  EXPECT_NE(refused_to_write(nested).find("is a stack"), std::string::npos);
  Model other = stack_model();
  other.members[0].machine.classes = {"no", "maybe"};
  EXPECT_NE(refused_to_write(other).find("another task"), std::string::npos);
  Model narrow = stack_model();
  narrow.members[0].machine.X = RowMatrix{{1.0}, {2.0}, {3.0}};
  EXPECT_NE(refused_to_write(narrow).find("takes other rows"), std::string::npos);
  Model rows = stack_model();
  rows.X = RowMatrix{{1.0, 2.0}};
  rows.alpha = Matrix{{0.5}};
  EXPECT_NE(refused_to_write(rows).find("rows of its own"), std::string::npos);
  Model unordered = stack_model();
  std::swap(unordered.members[1].machine.representation.features[0].at[0],
            unordered.members[1].machine.representation.features[0].at[1]);
  EXPECT_NE(refused_to_write(unordered).find("do not ascend"), std::string::npos);
  Model absent = stack_model();
  absent.members[1].machine.representation.features[0].column = 2;
  EXPECT_NE(refused_to_write(absent), "accepted");
  // Reading asks the same.
  std::string bytes = model_to_bytes(stack_model());
  const std::size_t at = bytes.find("member.1.alpha");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 14, "member.7.alpha");
  EXPECT_NE(refusal(bytes), "accepted");
}

}  // namespace stack_file_test
}  // namespace lacuna
