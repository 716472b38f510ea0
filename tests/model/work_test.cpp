// What the size of the data decides, and what is said of it before the work begins.
#include "lacuna/model/work.hpp"

#include <gtest/gtest.h>

#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/report/work.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace work_test {

const TrainOptions plenty{.run = {.memory_bytes = 1e12}};

TEST(Work, ManyRowsAskForABasisAndFewDoNot) {
  // Counted operations, 10^12: l^3 of least squares, three times as many of an iterated loss.
  EXPECT_FALSE(basis_by_size(10'000, 10, 1, ls_svm(), plenty));
  EXPECT_TRUE(basis_by_size(10'001, 10, 1, ls_svm(), plenty));
  EXPECT_FALSE(basis_by_size(6'900, 10, 1, klr(), plenty));
  EXPECT_TRUE(basis_by_size(7'000, 10, 1, klr(), plenty));
  const auto basis = basis_by_size(20'000, 10, 1, klr(), plenty);
  ASSERT_TRUE(basis);
  EXPECT_TRUE(basis->by_size);
  EXPECT_FALSE(basis->size);
  EXPECT_EQ(basis->most, 800);
  EXPECT_EQ(basis_by_size(50'000, 10, 1, klr(), plenty)->most, 400);
  EXPECT_EQ(basis_by_size(5'000'000, 10, 1, klr(), plenty)->most, 400);  // selected on a sample of 50,000
}

TEST(Work, LittleMemoryAsksForABasisToo) {
  TrainOptions little = plenty;
  little.run.memory_bytes = 50e6;
  EXPECT_TRUE(basis_by_size(1500, 10, 1, ls_svm(), little));
  EXPECT_FALSE(basis_by_size(1000, 10, 1, ls_svm(), little));
  little.run.memory_bytes = 1e3;  // too little for any: the refusal says so
  EXPECT_FALSE(basis_by_size(1500, 10, 1, ls_svm(), little));
}

// Held-out fits of small sizes are followed and those of very large ones are not: what a size on the way needs counts.
TEST(Work, ABasisGrowsThroughSizesThatFitIntoMemory) {
  TrainOptions options{.model = klr()};
  options.basis = parse_basis("auto");
  bool halved = false;
  for (double megabytes = 170.0; megabytes < 2000.0; megabytes *= 1.2) {
    options.run.memory_bytes = megabytes * 1e6;
    const Index most = detail::largest_basis(20'000, 1, options);
    for (Index n = 100; n <= most; n *= 2)
      EXPECT_LE(detail::primal_bytes(20'000, 1, n, options), megabytes * 1e6) << n << " of " << most;
    halved = halved || (most < 1600 && detail::primal_bytes(20'000, 1, 1600, options) <= megabytes * 1e6);
  }
  EXPECT_TRUE(halved);
}

TEST(Work, WhatWasAskedForStays) {
  TrainOptions asked = plenty;
  asked.basis = parse_basis("none");
  EXPECT_FALSE(basis_by_size(100'000, 10, 1, klr(), asked));
  asked.basis = parse_basis("500");
  EXPECT_FALSE(basis_by_size(100'000, 10, 1, klr(), asked));
}

TEST(Work, MachinesOfAllRowsHaveNoBasis) {
  constexpr Index many = 100'000;
  EXPECT_FALSE(basis_by_size(many, 10, 1, kfd(), plenty));
  EXPECT_FALSE(basis_by_size(many, 10, 1, gp_ep_classifier(), plenty));
  TrainOptions other = plenty;
  other.kernel = linear();
  EXPECT_FALSE(basis_by_size(many, 10, 1, klr(), other));   // solved by its columns
  EXPECT_TRUE(basis_by_size(many, many, 1, klr(), other));  // of which there are too many
  other = plenty;
  other.select.criterion = Criterion::evidence;
  EXPECT_FALSE(basis_by_size(many, 10, 1, ls_svm(), other));
  other = plenty;
  other.held_out.interval_method = IntervalMethod::jackknife_plus;
  EXPECT_FALSE(basis_by_size(many, 10, 1, ls_svm(), other));
}

// How long is for the machine it runs on; that it grows as the operations do is for all of them.
TEST(Work, GrowsWithTheCubeOfAllRowsAndLinearlyOnABasis) {
  const WorkEstimate once = estimate_work(5000, 10, 1, klr(), plenty);
  EXPECT_EQ(once.way, WorkEstimate::Way::all_rows);
  EXPECT_GT(once.seconds, 0.0);
  EXPECT_EQ(once.seconds, once.seconds_of_all_rows);
  // Least squares need the four matrices; held-out fits that are followed need a part of others.
  EXPECT_EQ(estimate_work(5000, 10, 1, ls_svm(), plenty).bytes, dual_bytes(5000, true));
  EXPECT_GT(once.bytes, 1.3 * dual_bytes(5000, true));
  EXPECT_LT(once.bytes, 1.5 * dual_bytes(5000, true));
  TrainOptions sparse = plenty;
  sparse.basis = basis_by_size(20'000, 10, 1, klr(), plenty);
  const WorkEstimate on_basis = estimate_work(20'000, 10, 1, klr(), sparse);
  EXPECT_EQ(on_basis.way, WorkEstimate::Way::basis);
  EXPECT_EQ(on_basis.basis, 800);
  EXPECT_TRUE(on_basis.grows && on_basis.by_size);
  EXPECT_LT(on_basis.seconds, 0.2 * on_basis.seconds_of_all_rows);
  EXPECT_GT(on_basis.least_seconds, 0.0);
  EXPECT_LT(on_basis.least_seconds, 0.2 * on_basis.seconds);
  EXPECT_EQ(once.least_seconds, 0.0);
  EXPECT_LT(on_basis.bytes, 0.1 * on_basis.bytes_of_all_rows);
  TrainOptions columns = plenty;
  columns.kernel = linear();
  EXPECT_EQ(estimate_work(20'000, 10, 1, klr(), columns).way, WorkEstimate::Way::columns);
}

TEST(Work, IsAnnouncedOnceAndOnlyWhereItIsLong) {
  const RowMatrix X = testing::random_rows(1500, 2, 41);
  std::vector<WorkEstimate> told;
  TrainOptions options{.kernel = rbf(0.5), .lambda = 1.0, .held_out = {.intervals = false}};
  options.run.announce = [&](const WorkEstimate& work) { told.push_back(work); };
  const Vector t = X.col(0).array().sin();
  train(X, t, options);
  EXPECT_TRUE(told.empty());  // a fraction of a second
  EXPECT_EQ(long_seconds, 3.0);
}

TEST(Work, IsSaidInALine) {
  WorkEstimate work{.way = WorkEstimate::Way::basis,
                    .rows = 20'000,
                    .features = 10,
                    .basis = 800,
                    .grows = true,
                    .by_size = true,
                    .seconds = 41.0,
                    .least_seconds = 4.0,
                    .bytes = 2e8,
                    .seconds_of_all_rows = 7200.0,
                    .bytes_of_all_rows = 12.8e9};
  EXPECT_EQ(
      work_text(work),
      "20000 rows, 10 columns: a basis of up to 800 rows, about 4 s on easy to 41 s on hard data and 200 MB of memory; "
      "all rows would take about 2 h and 13 GB (`basis=none` insists)");
  EXPECT_EQ(about_time(0.2), "1 s");
  EXPECT_EQ(about_time(400.0), "7 min");
  EXPECT_EQ(about_time(1e6), "12 days");
  work = {.rows = 5000, .features = 3, .seconds = 20.0, .bytes = 8e8};
  EXPECT_EQ(work_text(work), "5000 rows, 3 columns: a machine of all rows, about 20 s and 800 MB of memory");
}

// On a basis that was chosen by size a model is what `auto` with that limit gives, where every size gains or none does.
TEST(Work, ABasisBySizeIsAutoWithALimit) {
  const RowMatrix X = testing::random_rows(1500, 2, 42);
  const Vector t = (2.0 * X.col(0)).array().sin() + X.col(1).array();
  TrainOptions options{.kernel = rbf(0.5), .lambda = 0.1, .held_out = {.intervals = false}};
  options.run.memory_bytes = 50e6;
  const Model found = train(X, t, options);
  ASSERT_TRUE(found.report.basis);
  EXPECT_TRUE(found.report.basis->by_size);
  options.basis = parse_basis("auto");
  options.basis->most = 800;
  const Model asked = train(X, t, options);
  EXPECT_FALSE(asked.report.basis->by_size);
  EXPECT_EQ(found.report.basis->size, asked.report.basis->size);
  EXPECT_EQ(found.held_out.output, asked.held_out.output);
}

}  // namespace work_test
}  // namespace lacuna
