#include "experiment/generate.hpp"

#include <cmath>
#include <sstream>

#include "tests/data/refusal.hpp"

namespace lacuna {
namespace generate_test {

using test::refusal;
using test::says;

double mean_where(const Table& t, std::size_t column, double label) {
  const std::vector<double>&x = t.columns[column].number, &y = t.columns.back().number;
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (y[i] == label) {
      sum += x[i];
      count += 1.0;
    }
  return sum / count;
}

TEST(Generate, EveryProblemReadsBackFromItsCsvUnchanged) {
  for (const std::string& name : generator_names()) {
    const Table made = generate(name, 60, 5);
    std::ostringstream text;
    write_csv(made, text);
    const Table read = parse_table(text.str(), name);
    EXPECT_TRUE(read.has_header) << name;
    ASSERT_EQ(read.columns.size(), made.columns.size()) << name;
    EXPECT_EQ(read.line, made.line) << name;
    for (std::size_t j = 0; j < made.columns.size(); ++j) {
      EXPECT_EQ(read.columns[j].name, made.columns[j].name);
      EXPECT_EQ(read.columns[j].number, made.columns[j].number) << name;
      EXPECT_EQ(read.columns[j].code, made.columns[j].code) << name;
      EXPECT_EQ(read.columns[j].whole, made.columns[j].whole) << name;
    }
  }
}

TEST(Generate, SomeRowsAtATimeAreTheRowsAtOnce) {
  for (const std::string& name : generator_names()) {
    std::ostringstream once, parts;
    write_csv(generate(name, 60, 5), once);
    Generation generation(name, 5);
    for (const Index rows : {1, 22, 37}) write_csv(generation.next(rows), parts, rows == 1);
    EXPECT_EQ(parts.str(), once.str()) << name;
  }
}

TEST(Generate, TheSameSeedGivesTheSameRowsAndAnotherSeedOthers) {
  for (const std::string& name : generator_names()) {
    EXPECT_EQ(generate(name, 20, 3).columns[0].number, generate(name, 20, 3).columns[0].number);
    EXPECT_NE(generate(name, 20, 3).columns[0].number, generate(name, 20, 4).columns[0].number);
  }
}

TEST(Generate, ProblemsHaveTheirPublishedShapeAndTask) {
  struct Known {
    const char* name;
    std::size_t features;
    Task task;
  };
  for (const Known& known :
       {Known{"ripley", 2, Task::binary}, Known{"annulus", 2, Task::binary}, Known{"twonorm", 20, Task::binary},
        Known{"ringnorm", 20, Task::binary}, Known{"waveform", 21, Task::multiclass},
        Known{"friedman1", 10, Task::regression}, Known{"sinc", 1, Task::regression}}) {
    const Table t = generate(known.name, 90, 1);
    ASSERT_EQ(t.columns.size(), known.features + 1) << known.name;
    EXPECT_EQ(encode(t, {.targets = {t.columns.back().name}}).data.task, known.task) << known.name;
  }
  const Encoded counts =
      encode(generate("counts", 100, 1),
             {.targets = {"count"}, .task = DataOptions::TaskRequest::counts, .exposure = "exposure"});
  EXPECT_EQ(counts.data.X.cols(), 4);
  EXPECT_EQ(counts.data.offset.size(), 100);
}

// Tolerances are five standard errors or so of 20,000 rows.
TEST(Generate, MeansAreThoseOfTheDefinitions) {
  const Table ripley = generate("ripley", 20000, 2);
  EXPECT_NEAR(mean_where(ripley, 0, 0.0), -0.2, 0.03);
  EXPECT_NEAR(mean_where(ripley, 0, 1.0), 0.05, 0.03);
  EXPECT_NEAR(mean_where(ripley, 1, 0.0), 0.3, 0.01);
  EXPECT_NEAR(mean_where(ripley, 1, 1.0), 0.7, 0.01);
  const Table two = generate("twonorm", 20000, 2), ring = generate("ringnorm", 20000, 2);
  EXPECT_NEAR(mean_where(two, 7, 1.0), 2.0 / std::sqrt(20.0), 0.05);
  EXPECT_NEAR(mean_where(two, 7, -1.0), -2.0 / std::sqrt(20.0), 0.05);
  EXPECT_NEAR(mean_where(ring, 7, 1.0), 0.0, 0.1);
  EXPECT_NEAR(mean_where(ring, 7, -1.0), 2.0 / std::sqrt(20.0), 0.05);
}

TEST(Generate, BayesErrorsAreThePublishedOnes) {
  const Index n = 40000;
  const double a = 2.0 / std::sqrt(20.0);
  const Table two = generate("twonorm", n, 6), ring = generate("ringnorm", n, 6);
  int wrong_two = 0, wrong_ring = 0;
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    double sum = 0.0, wide = 0.0, narrow = 0.0;
    for (std::size_t j = 0; j < 20; ++j) {
      sum += two.columns[j].number[i];
      const double x = ring.columns[j].number[i];
      wide += x * x / 4.0 + std::log(4.0);
      narrow += (x - a) * (x - a);
    }
    wrong_two += (sum > 0.0) != (two.columns[20].number[i] > 0.0);
    wrong_ring += (wide < narrow) != (ring.columns[20].number[i] > 0.0);
  }
  EXPECT_NEAR(double(wrong_two) / double(n), 0.0228, 0.004);  // Phi(-2)
  EXPECT_NEAR(double(wrong_ring) / double(n), 0.013, 0.003);
}

TEST(Generate, CountsFollowTheirExposure) {
  const Table t = generate("counts", 20000, 3);
  double expected = 0.0, seen = 0.0;
  for (std::size_t i = 0; i < 20000; ++i) {
    const auto x = [&](std::size_t j) { return t.columns[j].number[i]; };
    expected += x(4) * std::exp(0.5 + 0.6 * std::sin(2.0 * x(0)) + 0.4 * x(1) - 0.3 * x(2) * x(2));
    seen += t.columns[5].number[i];
  }
  EXPECT_NEAR(seen, expected, 5.0 * std::sqrt(expected));
}

TEST(Generate, RefusesUnknownNamesAndNoRows) {
  EXPECT_TRUE(says(refusal([] { generate("riply", 10, 1); }), {"'riply'", "did you mean 'ripley'"}));
  EXPECT_TRUE(says(refusal([] { generate("sinc", 0, 1); }), {"0 rows"}));
}

TEST(WriteCsv, TextsAreQuotedWhereTheyMustBeAndMissingCellsEmpty) {
  const Table t = test::table_of("a,b\n\"x, \"\"y\"\"\",1\n,\nplain,0.1\n");
  std::ostringstream out;
  write_csv(t, out);
  EXPECT_EQ(out.str(), "a,b\n\"x, \"\"y\"\"\",1\n,\nplain,0.1\n");
}

}  // namespace generate_test
}  // namespace lacuna
