// A sample is the same whatever the parts are, and knows every class.
#include "lacuna/steps/sample.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/steps/parts.hpp"

namespace lacuna {
namespace sample_test {

const DataOptions columns{
    .targets = {"label"}, .task = DataOptions::TaskRequest::classification, .ignore = {"kind", "value", "count"}};

Sample drawn(const std::vector<Table>& parts, std::int64_t size) {
  std::vector<Sample> samples;
  std::int64_t first = 0;
  for (const Table& part : parts) {
    samples.push_back(draw(part, columns, first, size, 7));
    first += part.rows;
  }
  Sample all;
  for (std::size_t k = samples.size(); k-- > 0;) all += samples[k];
  return all;
}

TEST(Sample, IsTheSameForAnyParts) {
  const auto rows = testing::rows_of_text(200, 9);
  const Table one = drawn(testing::parts_of(rows, {200}), 40).table();
  const Table many = drawn(testing::parts_of(rows, {1, 0, 77, 122}), 40).table();
  ASSERT_GE(one.rows, 40);
  ASSERT_LE(one.rows, 44);
  ASSERT_EQ(one.rows, many.rows);
  EXPECT_EQ(one.columns[0].number, many.columns[0].number);
  for (std::int64_t i = 0; i < one.rows; ++i) {
    const auto text = [&](const Table& t) {
      return t.columns[2].levels[std::size_t(t.columns[2].code[std::size_t(i)])];
    };
    EXPECT_EQ(text(one), text(many));
  }
}

TEST(Sample, IsAllRowsInTheirOrderWhereThereAreNoMore) {
  const auto rows = testing::rows_of_text(50, 10);
  const Table all = testing::table_of_rows(rows, 0, 50);
  EXPECT_EQ(drawn(testing::parts_of(rows, {20, 30}), 50).table().columns[0].number, all.columns[0].number);
}

TEST(Sample, HasTwoRowsOfARareClass) {
  auto rows = testing::rows_of_text(300, 11);
  for (const std::size_t i : {17U, 230U}) {
    const std::size_t at = rows[i].find(",yes,") != std::string::npos ? rows[i].find(",yes,") : rows[i].find(",no,");
    const std::size_t end = rows[i].find(',', at + 1);
    rows[i] = rows[i].substr(0, at) + ",rare" + rows[i].substr(end);
  }
  const Table sample = drawn(testing::parts_of(rows, {100, 200}), 20).table();
  std::map<std::string, int> of_label;
  const Column& label = *sample.find("label");
  for (const std::int32_t code : label.code) ++of_label[label.levels[std::size_t(code)]];
  EXPECT_EQ(of_label["rare"], 2);
}

}  // namespace sample_test
}  // namespace lacuna
