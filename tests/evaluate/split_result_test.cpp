// Results of splits as lines of a journal: they read back bit for bit, and what cannot be is refused.
#include "lacuna/evaluate/split_result.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "lacuna/base/error.hpp"
#include "lacuna/evaluate/evaluate.hpp"
#include "lacuna/evaluate/number_line.hpp"
#include "tests/support/temporary.hpp"

namespace lacuna {
namespace split_result_test {

TEST(SplitResult, ResultsReadBackBitForBit) {
  SplitResult r;
  r.trained = 9;
  r.tested = 3;
  r.test.scores = {{"error", 1.0 / 3.0}, {"auc", std::nan("")}, {"bits", -HUGE_VAL}};
  r.values = {0.1, 5e-324, 1.7976931348623157e308};
  r.parameters = {"lambda", "a", "b"};
  r.test.tally.confusion = Matrix{{1.0, 2.0}, {3.0, 4.5}};
  r.test.tally.pairs = Matrix{{0.0, 0.0}, {1.5, 1.0 / 3.0}};
  r.test.tally.log_loss = 0.1;
  r.test.tally.foreseen = 10.5;
  r.test.tally.calibration.assign(10, {1.0, 0.3, 0.1});
  r.test.tally.predicted = r.test.tally.calibration;
  r.warnings = {{Warning::Code::at_bound, "tab\tand \"quotes\"\n"}};
  const std::string line = to_line(r);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const SplitResult back = split_result(line, 2);
  EXPECT_EQ(to_line(back), line);
  EXPECT_EQ(back.values, r.values);
  EXPECT_EQ(back.test.tally.confusion, r.test.tally.confusion);
  EXPECT_EQ(back.test.tally.pairs, r.test.tally.pairs);
  EXPECT_EQ(back.test.scores[2].second, -HUGE_VAL);
  EXPECT_EQ(back.warnings, r.warnings);
  SplitResult values;
  values.test.tally = {
      .weight = 2.5, .squares = Vector{{0.1, 1e-300}}, .spread = Vector{{1.0 / 3.0, 2.0}}, .rates = true};
  values.test.tally.deviance = 0.7;
  const SplitResult again = split_result(to_line(values), 0, 2);
  EXPECT_EQ(to_line(again), to_line(values));
  EXPECT_EQ(again.test.tally.squares, values.test.tally.squares);
  EXPECT_TRUE(again.test.tally.rates);
}

std::string refusal_of_line(const std::string& line, std::size_t classes) {
  try {
    split_result(line, classes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::data);
    return error.what();
  }
  return "accepted";
}

// Of a journal in memory, the results of which are made to order.
struct Forged {
  Table table;
  EvaluateOptions options;
  Forged() {
    std::string text = "x,t\n";
    for (int i = 0; i < 30; ++i) text += fmt::format("{},{}\n", (i * 7) % 10, i % 10 < 5 ? "a" : "b");
    table = parse_table(text, "forged", {});
    Contender c{.name = "a", .key = "a"};
    c.data.targets = {"t"};
    c.train.kernel = parse_kernel("linear");
    c.train.lambda = 1.0;
    options.plan = parse_split_plan("2:0.3");
    options.contenders = {c};
  }
};

TEST(SplitResult, AJournalWithoutTheSumsOfASplitIsRefused) {
  const Forged forged;
  const test::TemporaryFolder folder;
  const std::string print = evaluation_fingerprint(forged.table, forged.options.plan);
  std::vector<std::pair<std::string, std::string>> lines;  // key and result
  {
    Journal journal(folder.path("j"), print, "evaluate");
    (void)evaluate(forged.table, forged.options, journal);
  }
  std::istringstream in(folder.contents("j"));
  std::string line;
  for (std::getline(in, line); std::getline(in, line);)
    lines.emplace_back(line.substr(9, line.find('\t') - 9), line.substr(line.find('\t') + 1));
  ASSERT_EQ(lines.size(), 2u);
  for (const bool with_sums : {true, false}) {
    Journal journal;
    for (auto [key, text] : lines) {
      SplitResult r = split_result(text, 2);
      if (!with_sums && key == lines[1].first) r.test.tally = {};
      const std::string again = to_line(r);
      EXPECT_EQ(to_line(split_result(again, 2)), again);
      journal.append(key, again);
    }
    if (with_sums)
      EXPECT_EQ(evaluate(forged.table, forged.options, journal).splits, 2);
    else
      EXPECT_THROW(evaluate(forged.table, forged.options, journal), Error);
  }
}

TEST(SplitResult, LinesOfAJournalThatCannotBeAreRefused) {
  SplitResult r;
  r.test.tally.confusion = Matrix::Ones(2, 2);
  r.test.scores = {{"error", 0.5}};
  r.criterion = "press";
  const std::string line = to_line(r);
  EXPECT_EQ(refusal_of_line(line, 2), "accepted");
  EXPECT_NE(refusal_of_line(line, 3).find("classes"), std::string::npos);
  EXPECT_NE(refusal_of_line(line, 0).find("weight"), std::string::npos);
  r.test.tally.confusion(1, 1) = -1.0;
  EXPECT_THROW(to_line(r), Error);
  const auto changed = [&](const char* from, const char* to) {
    std::string text = line;
    EXPECT_NE(text.find(from), std::string::npos) << from;
    return refusal_of_line(text.replace(text.find(from), std::string(from).size(), to), 2);
  };
  EXPECT_NE(changed("\"trained\":0", "\"trained\":-1").find("trained"), std::string::npos);
  EXPECT_NE(changed("\"seconds\":[0.0,0.0,0.0]", "\"seconds\":[0.0]").find("seconds"), std::string::npos);
  EXPECT_NE(changed("\"scores\":{", "\"scores\":[").find("is absent"), std::string::npos);
  EXPECT_NE(changed("\"error\":0.5", "\"error\":\"much\"").find("not a number"), std::string::npos);
  EXPECT_NE(changed("\"calibration\":[]", "\"calibration\":[[1,1,1]]").find("ten bins"), std::string::npos);
  EXPECT_NE(changed("\"confusion\":[1.0,", "\"confusion\":[").find("confusion has another length"), std::string::npos);
  EXPECT_NE(changed("\"confusion\":[1.0,", "\"confusion\":[\"inf\",").find("not finite"), std::string::npos);
  EXPECT_NE(changed("\"pairs\":[]", "\"pairs\":[1.0]").find("pairs has another length"), std::string::npos);
  EXPECT_NE(changed("\"foreseen\":0.0", "\"foreseen\":-1.0").find("negative"), std::string::npos);
  SplitResult values;
  values.test.tally.weight = 1.0;
  values.test.tally.squares = values.test.tally.spread = Vector::Ones(2);
  EXPECT_EQ(split_result(to_line(values), 0, 2).test.tally.squares.size(), 2);
  EXPECT_NE(refusal_of_line(to_line(values), 0).find("squares has another length"), std::string::npos);
  values.test.tally.spread = Vector();
  EXPECT_THROW(to_line(values), Error);
  EXPECT_NE(refusal_of_line("", 2), "accepted");
  EXPECT_EQ(numbers_of("[1.5,null]", 2)[0], 1.5);
  for (const char* bad : {"[1.5]", "[1,2,3]", "[1,\"2\"]", "{}", "", "[1,"})
    EXPECT_THROW(numbers_of(bad, 2), Error) << bad;
}

}  // namespace split_result_test
}  // namespace lacuna
