// Stopping in the middle of an evaluation. Nothing here is a question of how fast the machine is: what has to be
// stopped would take for ever, or until a clock that the test itself looks at.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "lacuna/base/error.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/model/train.hpp"
#include "lacuna/select/budget.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {
namespace stopping_test {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// Half a bowl: the centre is known at once, any other point never.
Evaluation endless_but_at_zero(const Vector& x, bool) {
  if (x.squaredNorm() == 0.0) return {1.0, Vector::Ones(x.size())};
  for (;;) check_stop();
}

Box unit_box() { return {Vector::Constant(2, -1.0), Vector::Constant(2, 1.0)}; }

TEST(Budget, GivesUpAnEvaluationWhenTimeRunsOutInTheMiddleOfIt) {
  SearchOptions options;
  options.seconds = 0.05;
  Budget budget(endless_but_at_zero, unit_box(), options, {});
  ASSERT_TRUE(budget.evaluate(Vector::Zero(2), false));
  EXPECT_FALSE(budget.evaluate(Vector::Ones(2), false));
  EXPECT_EQ(budget.stop(), Stop::time_limit);
  EXPECT_EQ(budget.evaluations(), 1);
  EXPECT_EQ(budget.best().value, 1.0);
  EXPECT_EQ(budget.best().log_parameters, Vector::Zero(2));
}

TEST(Budget, GivesUpAnEvaluationWhenTheObserverSaysSoInTheMiddleOfIt) {
  const Observer observer = [](const Progress& p) { return !p.stage.empty(); };
  const StopScope watched(observer);
  Budget budget(endless_but_at_zero, unit_box(), {}, observer);
  EXPECT_FALSE(budget.evaluate(Vector::Ones(2), false));
  EXPECT_EQ(budget.stop(), Stop::interrupted);
}

// Rows of two clouds.
struct Clouds {
  RowMatrix X;
  std::vector<std::string> label;
};
Clouds clouds(Index rows) {
  Random random(3);
  Clouds out{RowMatrix(rows, 2), {}};
  for (Index i = 0; i < rows; ++i) {
    out.X(i, 0) = random.normal() + double(i % 2);
    out.X(i, 1) = random.normal();
    out.label.emplace_back(i % 2 ? "b" : "a");
  }
  return out;
}

// exp(-d^2/2), and as slow as `delay` says.
KernelSpec slow_kernel(std::function<void()> delay) {
  kernels::Custom kernel{.label = "slow", .parameter_labels = {}, .parameter = {}, .pair_value = {}, .pair_d_log = {}};
  kernel.pair_value = [delay = std::move(delay)](kernels::Custom::Row x, kernels::Custom::Row y, kernels::Custom::Row) {
    delay();
    double d = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) d += (x[k] - y[k]) * (x[k] - y[k]);
    return std::exp(-0.5 * d);
  };
  return custom(std::move(kernel));
}

TEST(Train, AnObserverStopsItInTheMiddleOfAKernelMatrix) {
  const Clouds data = clouds(400);
  // Ten tiles of a tenth of a second or so; after the first the observer is asked.
  TrainOptions options{.model = ls_svm(), .kernel = slow_kernel([] {
                                            for (const auto end = Clock::now() + 5us; Clock::now() < end;) continue;
                                          })};
  options.lambda = 1.0;
  options.run.threads = 2;
  options.run.observer = [](const Progress& p) { return !p.stage.empty(); };
  EXPECT_EQ(train(data.X, data.label, options).report.search.stop, Stop::interrupted);
}

TEST(Train, FallsBackOnTheOptimumForASampleWhenTimeRunsOut) {
  const Clouds data = clouds(300);
  // All rows are slow for seven seconds: the first point may take five seconds longer than the limit. The sample is
  // not.
  std::atomic<bool> slow = false;
  Clock::time_point quick_again;
  TrainOptions options{.model = ls_svm(), .kernel = slow_kernel([&] {
                                            if (slow && Clock::now() < quick_again) std::this_thread::sleep_for(1ms);
                                          })};
  options.select.scout_rows = 100;
  options.select.search_options.seconds = 0.5;
  int searches = 0;
  options.run.observer = [&](const Progress& p) {
    if (p.stage == "search" && p.done == 0 && ++searches == 2) {
      quick_again = Clock::now() + 7s;
      slow = true;
    }
    return true;
  };
  const Model model = train(data.X, data.label, options);
  EXPECT_EQ(model.report.search.stop, Stop::time_limit);
  EXPECT_NEAR(double(model.report.search.scouted), 100.0, 4.0);  // two rows more of each class
  EXPECT_TRUE(std::isfinite(model.report.criterion_value));
  EXPECT_EQ(model.held_out.size(), 300);  // the final fit is of all rows
}

}  // namespace stopping_test
}  // namespace lacuna
