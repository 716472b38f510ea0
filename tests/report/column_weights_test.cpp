// Weights of columns: several features of one column count together, also where the kernel sees rows another way.
#include "lacuna/report/column_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/kernel/kernel.hpp"

namespace lacuna {
namespace column_weights_test {

Encoding of_columns(const std::vector<std::string>& names) {
  Encoding out;
  for (const std::string& name : names) {
    out.features.push_back({.column = std::int32_t(out.columns.size()), .name = name});
    out.columns.push_back({.name = name});
  }
  return out;
}

TEST(ColumnWeights, AreThoseOfTheFeaturesLargestFirst) {
  Model model;
  model.kernel = kernels::Relevance{.parts = {kernels::Rbf{1.0}}, .weights = {1.0, 3.0}};
  model.encoding = of_columns({"a", "b"});
  const auto columns = columns_by_weight(model, model.encoding);
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].name, "b");
  EXPECT_DOUBLE_EQ(columns[0].weight, 3.0);
  EXPECT_DOUBLE_EQ(columns[0].share, 0.9);
}

// Columns a and b become a#1, a#2, a#3 and b: a choice that sees a as a code.
TEST(ColumnWeights, OfCodesAreThatOfTheirColumn) {
  Model member;
  member.kernel = kernels::Relevance{.parts = {kernels::Rbf{1.0}}, .weights = {1.0, 2.0, 2.0, 4.0}};
  member.representation = {.inputs = 2,
                           .features = {{0, {0, 1}, {1, 0}}, {0, {0, 1}, {0, 1}}, {0, {1, 2}, {0, 1}}, {1}}};
  const Encoding encoding = of_columns({"a", "b"});  // of the stack: members have none
  const auto columns = columns_by_weight(member, encoding);
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].name, "b");
  EXPECT_DOUBLE_EQ(columns[0].share, 16.0 / 25.0);
  EXPECT_EQ(columns[1].name, "a");
  EXPECT_DOUBLE_EQ(columns[1].weight, std::sqrt(3.0));
  EXPECT_EQ(relevance_command(member), "");  // features that `fit` does not know
}

}  // namespace column_weights_test
}  // namespace lacuna
