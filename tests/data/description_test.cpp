// Parts that are described and added teach the encoding that all rows teach at once, and code the same rows.
#include "lacuna/data/description.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/data/refusal.hpp"

namespace lacuna {
namespace description_test {

using test::table_of;

const std::string header = "a,b,c,w,y\n";
// Levels of c differ between the parts; b is missing in all of the second; a row has weight 0.
const std::vector<std::string> text = {"1.5,2,red,1,no\n1e6,,blue,2,yes\n", "3,,green,0,no\n-2,,green,3,yes\n",
                                       "7.25,5,red,1,no\n1,4,,0.5,yes\n4,1,red,1,no\n5,9,,1,no\n"};
const DataOptions columns{
    .targets = {"y"}, .task = DataOptions::TaskRequest::classification, .weights = "w", .missing = Missing::mean};

Description described(const std::vector<std::size_t>& order) {
  Description all;
  for (const std::size_t k : order) all += describe(table_of(header + text[k]), columns);
  return all;
}

TEST(Description, OfPartsIsTheEncodingOfAllRows) {
  const Encoded whole = encode(table_of(header + text[0] + text[1] + text[2]), columns);
  for (const auto& order : {std::vector<std::size_t>{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}) {
    const DescribedTable parts = learn_code(described(order), columns);
    const Encoding& encoding = parts.code.encoding;
    EXPECT_EQ(parts.rows, 7);
    EXPECT_EQ(parts.code.classes, whole.data.classes);
    EXPECT_EQ(parts.code.weight_unit, whole.data.weight_unit);
    ASSERT_EQ(encoding.features.size(), whole.encoding.features.size());
    for (std::size_t f = 0; f < encoding.features.size(); ++f) {
      const FeatureCode &a = encoding.features[f], &b = whole.encoding.features[f];
      EXPECT_EQ(a.name, b.name);
      EXPECT_DOUBLE_EQ(a.centre, b.centre);
      EXPECT_DOUBLE_EQ(a.scale, b.scale);
    }
    ASSERT_EQ(encoding.columns.size(), whole.encoding.columns.size());
    for (std::size_t k = 0; k < encoding.columns.size(); ++k) {
      EXPECT_EQ(encoding.columns[k].levels, whole.encoding.columns[k].levels);
      EXPECT_DOUBLE_EQ(encoding.columns[k].fill, whole.encoding.columns[k].fill);
    }
  }
}

void expect_coded(const std::vector<std::string>& parts, const Encoded& whole, const TableCode& code) {
  std::int64_t row = 0;
  Index at = 0;
  for (const std::string& part : parts) {
    const Dataset data = encode_part(table_of(header + part), code, row);
    ASSERT_LE(at + data.size(), whole.data.size());
    for (Index i = 0; i < data.size(); ++i, ++at) {
      EXPECT_EQ(data.X.dense().row(i), whole.data.X.dense().row(at));
      EXPECT_EQ(data.label[std::size_t(i)], whole.data.label[std::size_t(at)]);
      EXPECT_EQ(data.weights[i], whole.data.weights[at]);
      EXPECT_EQ(data.source_row[std::size_t(i)], whole.data.source_row[std::size_t(at)]);
    }
    row += std::ranges::count(part, '\n');
  }
  EXPECT_EQ(at, whole.data.size());
}

TEST(Description, CodesPartsAsAllRowsAreCoded) {
  const Table table = table_of(header + text[0] + text[1] + text[2]);
  const Encoded whole = encode(table, columns);
  expect_coded(text, whole, learn_code(table, whole, columns).code);
  EXPECT_EQ(whole.data.size(), 7);
}

// The second part has no value of b: its row is dropped, since others have one.
TEST(Description, DropsRowsOfAPartWithoutAValueAsOfAllRows) {
  DataOptions drop = columns;
  drop.missing = Missing::drop;
  for (const bool empty : {false, true}) {
    std::vector<std::string> parts = {"1,2,red,1,no\n2,3,blue,1,yes\n", "3,,red,1,yes\n",
                                      "4,5,blue,2,no\n,6,red,1,no\n6,7,red,1,yes\n"};
    if (empty) parts = {"1,,red,1,no\n2,,blue,1,yes\n", "3,,red,1,yes\n", "4,,blue,2,no\n,,red,1,no\n6,,red,1,yes\n"};
    const Table table = table_of(header + parts[0] + parts[1] + parts[2]);
    const Encoded whole = encode(table, drop);
    EXPECT_EQ(whole.data.size(), empty ? 5 : 4);
    for (const auto& order : {std::vector<std::size_t>{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}) {
      Description all;
      for (const std::size_t k : order) all += describe(table_of(header + parts[k]), drop);
      const DescribedTable described = learn_code(all, drop);
      EXPECT_EQ(described.rows, whole.data.size());
      expect_coded(parts, whole, described.code);
    }
    expect_coded(parts, whole, learn_code(table, whole, drop).code);
  }
}

// The mean is 1e8 deviations from 0: sums of squares lose sixteen digits, and have thirty-two.
TEST(Description, MomentsFarFromZeroKeepTheirDigits) {
  std::string rows = "a,y\n";
  for (int i = 0; i < 40; ++i) rows += fmt::format("{},{}\n", 100000000 + i % 7, i % 5);
  const DataOptions plain{.targets = {"y"}, .task = DataOptions::TaskRequest::regression};
  const Table table = table_of(rows);
  const FeatureCode a = learn_code(describe(table, plain), plain).code.encoding.features[0];
  const FeatureCode b = encode(table, plain).encoding.features[0];
  EXPECT_DOUBLE_EQ(a.centre, b.centre);
  EXPECT_NEAR(a.scale, b.scale, 1e-14 * b.scale);
}

TEST(Description, RefusesPartsThatDoNotBelongTogether) {
  const DataOptions plain{.targets = {"y"}, .task = DataOptions::TaskRequest::regression};
  Description all = describe(table_of("a,y\n1,2\n3,4\n"), plain);
  EXPECT_NE(test::refusal([&] { all += describe(table_of("a,y\nred,2\nblue,4\n"), plain); }).find("categorical=a"),
            std::string::npos);
  EXPECT_NE(test::refusal([&] { all += describe(table_of("b,y\n1,2\n"), plain); }).find("column"), std::string::npos);
  EXPECT_NE(test::refusal([&] { describe(table_of("a,y\n1,2\n"), {.targets = {"y"}}); }).find("name the task"),
            std::string::npos);
  for (auto [change, word] : {std::pair<void (*)(DataOptions&), const char*>{
                                  [](DataOptions& o) { o.missing = Missing::indicator; }, "missing=mean"},
                              {[](DataOptions& o) { o.prices = {"a"}; }, "one price"}}) {
    DataOptions options = plain;
    change(options);
    const Table table = table_of("a,y\n1,2\n3,4\n5,7\n");
    EXPECT_NE(test::refusal([&] { describe(table, options); }).find(word), std::string::npos);
    EXPECT_NE(test::refusal([&] { learn_code(table, encode(table, options), options); }).find(word), std::string::npos);
  }
  EXPECT_NE(test::refusal([&] { learn_code(Description{}, plain); }).find("no rows"), std::string::npos);
}

TEST(Description, AClassThatWasNotPlannedForIsRefused) {
  const DataOptions classes{.targets = {"y"}, .task = DataOptions::TaskRequest::classification};
  const TableCode code = learn_code(describe(table_of("a,y\n1,u\n2,v\n3,u\n"), classes), classes).code;
  EXPECT_NE(test::refusal([&] { encode_part(table_of("a,y\n1,z\n"), code); }).find("\"z\""), std::string::npos);
}

}  // namespace description_test
}  // namespace lacuna
