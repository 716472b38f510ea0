// What passes between places comes through as bytes, and bytes of another kind, or cut short, are refused.
#include "lacuna/steps/bytes.hpp"

#include <gtest/gtest.h>

#include "tests/steps/parts.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace bytes_test {

const DataOptions columns{.targets = {"value"},
                          .task = DataOptions::TaskRequest::regression,
                          .ignore = {"e", "label", "kind", "count"},
                          .weights = "w"};

TEST(Bytes, WrittenAgainAreTheSameBytes) {
  const Table table = testing::table_of_rows(testing::rows_of_text(60, 1), 0, 60);
  const std::string description = to_bytes(describe(table, columns));
  EXPECT_EQ(to_bytes(description_from(description)), description);
  const std::string sample = to_bytes(draw(table, columns, 0, 20));
  EXPECT_EQ(to_bytes(sample_from(sample)), sample);
  Plan plan = make_plan(table, columns, {.basis = BasisRequest{.size = 10}});
  const std::string begun = to_bytes(plan);
  EXPECT_EQ(to_bytes(plan_from(begun)), begun);
  const std::string sums = to_bytes(statistics(table, plan));
  EXPECT_EQ(to_bytes(statistics_from(sums)), sums);
  plan = solve(plan, statistics(table, plan));
  const std::string solved = to_bytes(plan);
  EXPECT_EQ(to_bytes(plan_from(solved)), solved);
  const std::string rows = to_bytes(hold_out(table, plan));
  EXPECT_EQ(to_bytes(held_out_from(rows)), rows);
}

TEST(Bytes, OfAnotherKindOrCutShortAreRefused) {
  const Table table = testing::table_of_rows(testing::rows_of_text(30, 2), 0, 30);
  const std::string bytes = to_bytes(describe(table, columns));
  EXPECT_NE(test::refusal([&] { sample_from(bytes); }).find("sample"), std::string::npos);
  for (std::size_t length = 0; length < bytes.size(); length += 7)
    EXPECT_NE(test::refusal([&] { description_from(std::string_view(bytes).substr(0, length)); }).find("steps: "),
              std::string::npos);
}

}  // namespace bytes_test
}  // namespace lacuna
