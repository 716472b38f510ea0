// Training in steps over parts is training on all rows at once: with the same sample, or the same parameters and basis.
#include "lacuna/steps/steps.hpp"

#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/model/file.hpp"
#include "tests/steps/parts.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace steps_test {

using testing::in_steps;
using testing::parts_of;

constexpr int l = 260;

const std::vector<std::string>& rows() {
  static const auto list = testing::rows_of_text(l, 5);
  return list;
}
Table all_rows() { return testing::table_of_rows(rows(), 0, l); }
// One row, none, unequal shares.
const std::vector<std::size_t> sizes = {90, 1, 0, 120, 49};

double gap(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
  if (a.size() == 0) return 0.0;
  return (a - b).cwiseAbs().maxCoeff() / (1.0 + b.cwiseAbs().maxCoeff());
}

struct Case {
  std::string name;
  DataOptions columns;
  TrainOptions options;
};

DataOptions columns_for(const std::string& target, DataOptions::TaskRequest task) {
  DataOptions out{.targets = {target}, .task = task};
  for (const std::string other : {"w", "e", "label", "kind", "value", "count"})
    if (other != target) out.ignore.push_back(other);
  return out;
}

DataOptions weighted(DataOptions columns) {
  columns.weights = "w";
  std::erase(columns.ignore, "w");
  return columns;
}

std::vector<Case> cases() {
  using enum DataOptions::TaskRequest;
  const DataOptions two = columns_for("label", classification), three = columns_for("kind", classification);
  const DataOptions value = columns_for("value", regression);
  DataOptions count = columns_for("count", counts);
  count.exposure = "e";
  std::erase(count.ignore, "e");
  const auto with = [](const char* model) { return TrainOptions{.model = parse_machine(model)}; };
  TrainOptions balanced = with("klr"), linear = with("ls-svm");
  balanced.train_weights = Weighting::balanced;
  linear.kernel = lacuna::linear();
  DataOptions raw = value;
  raw.standardise = false;
  raw.ignore.push_back("y");  // its unit is far from that of x: coefficients of a linear basis then cancel
  return {{"klr", two, with("klr")},
          {"the program's own choice", two, {}},
          {"kpr, weights", weighted(two), with("kpr")},
          {"klr, balanced weights", weighted(two), balanced},
          {"l2-svm", two, with("l2-svm")},
          {"klr of three classes", three, with("klr")},
          {"ls-svm of three classes", three, {}},
          {"ls-svm", value, with("ls-svm")},
          {"ls-svm, weights", weighted(value), with("ls-svm")},
          {"linear about the mean", raw, linear},
          {"huber", value, with("huber")},
          {"poisson, exposure", count, with("poisson")},
          {"negbin, exposure, weights", weighted(count), with("negbin")}};
}

// train() with the held-out outputs that can be had in steps, and intervals that need no refits.
Model trained(const Case& c, Index basis) {
  TrainOptions options = c.options;
  options.basis = BasisRequest{.method = BasisMethod::random, .size = basis};
  Encoded encoded = encode(all_rows(), c.columns);
  options.select.cv = parse_cross_validation("loo");
  const Machine machine = options.model.value_or(encoded.data.classes.size() == 3 ? ls_svm() : klr());
  options.select.cv.one_step = !is_quadratic(machine.loss);
  options.held_out.intervals = false;
  Model model = train(encoded.data, options);
  model.encoding = encoded.encoding;
  return model;
}

TEST(Steps, AreTrainOnAllRowsForEveryMachine) {
  for (Case c : cases()) {
    SCOPED_TRACE(c.name);
    const Model whole = trained(c, 25);
    c.options.basis = BasisRequest{.method = BasisMethod::random, .size = 25};
    c.options.held_out.intervals = false;
    const Model model = in_steps(parts_of(rows(), sizes), c.columns, c.options).model;
    EXPECT_EQ(model.lambda, whole.lambda);
    EXPECT_EQ(kernel_text(model.kernel), kernel_text(whole.kernel));
    EXPECT_LE(gap(model.held_out.output, whole.held_out.output), 1e-10);
    EXPECT_LE(gap(model.held_out.leverage, whole.held_out.leverage), 1e-10);
    EXPECT_EQ(model.held_out.row, whole.held_out.row);
    EXPECT_EQ(model.held_out.label, whole.held_out.label);
    EXPECT_NEAR(model.threshold, whole.threshold, 1e-10);
    EXPECT_NEAR(model.calibration.scale, whole.calibration.scale, 1e-10);
    EXPECT_NEAR(model.report.criterion_value, whole.report.criterion_value, 1e-9);
    const Prepared fresh = prepare(testing::table_of_rows(testing::rows_of_text(40, 6), 0, 40), model.encoding);
    const Predictions a = predict(model, fresh.X, fresh.offset), b = predict(whole, fresh.X, fresh.offset);
    EXPECT_LE(gap(a.output, b.output), 1e-10);
    EXPECT_LE(gap(a.probability, b.probability), 1e-10);
    // Rates are e^z: a difference of z is their relative one, and z may be off by 1e-10 (1 + |z|).
    EXPECT_LE(gap(a.value, b.value), 1e-10 * (1.0 + b.output.cwiseAbs().maxCoeff()));
    EXPECT_EQ(a.label, b.label);
  }
}

// The sample is a part of the rows: parameters and basis come from it, and the machine from all rows. train() is then
// given these.
TEST(Steps, OnASampleAreTrainWithItsParametersAndBasis) {
  for (Case c : cases()) {
    if (c.options.model && leaves_open(c.options.model->loss)) continue;  // chosen on the sample as well
    SCOPED_TRACE(c.name);
    // A kernel that tells rows apart: of a nearly flat one the basis is as good as dependent, and which of its vectors
    // are kept is a matter of the order in which they are given.
    if (c.name.find("linear") == std::string::npos) c.options.kernel = rbf(0.2);
    c.options.basis = BasisRequest{.method = BasisMethod::random, .size = 25};
    c.options.held_out.intervals = false;
    const auto [plan, model] = in_steps(parts_of(rows(), sizes), c.columns, c.options, 150);
    EXPECT_TRUE(plan.on_some);
    EXPECT_LT(model.report.basis->selected_on, l);
    Encoded encoded = encode(all_rows(), c.columns);
    TrainOptions options = c.options;
    KernelSpec kernel = parse_kernel(kernel_text(model.kernel));
    options.kernel = kernel;
    options.lambda = model.lambda;
    options.select.search = SearchMethod::none;
    options.select.cv.kind = CrossValidation::Kind::loo;
    options.select.cv.one_step = !is_quadratic(model.loss);
    options.select.criterion = parse_criterion(model.report.criterion);
    if (!c.options.model) options.held_out.recalibrate = true;
    Rows basis = model.X;
    if (model.centre.size() > 0) {
      RowMatrix moved = basis.dense();
      moved.rowwise() += model.centre.transpose();
      basis = moved;
    }
    options.basis = BasisRequest{.file = "given", .rows = basis};
    const Model whole = train(encoded.data, options);
    EXPECT_LE(gap(model.held_out.output, whole.held_out.output), 1e-10);
    Matrix scales(Index(encoded.encoding.features.size()), 2), described = scales;
    ASSERT_EQ(encoded.encoding.features.size(), model.encoding.features.size());
    for (Index f = 0; f < scales.rows(); ++f) {
      const FeatureCode &a = encoded.encoding.features[std::size_t(f)], &b = model.encoding.features[std::size_t(f)];
      scales.row(f) << a.centre, a.scale;
      described.row(f) << b.centre, b.scale;
      EXPECT_EQ(a.name, b.name);
    }
    EXPECT_LE(gap(described, scales), 1e-15);
  }
}

// Row 90 is a part of its own in one division, and has no c: nobody there can know that others have one.
TEST(Steps, DropRowsWithGapsWhateverThePartsAre) {
  using enum DataOptions::TaskRequest;
  DataOptions columns = columns_for("value", regression);
  columns.missing = Missing::drop;
  auto gaps = rows();
  for (const std::size_t i : {3U, 90U, 150U}) {
    const std::size_t from = gaps[i].find(',', gaps[i].find(',') + 1) + 1;
    gaps[i].erase(from, gaps[i].find(',', from) - from);
  }
  TrainOptions options{.model = ls_svm(), .basis = BasisRequest{.method = BasisMethod::random, .size = 25}};
  options.held_out.intervals = false;
  options.select.cv = parse_cross_validation("loo");
  const Encoded encoded = encode(testing::table_of_rows(gaps, 0, l), columns);
  const Model whole = train(encoded.data, options);
  EXPECT_EQ(whole.report.rows, l - 3);
  for (const std::int64_t sample : {std::int64_t(l), std::int64_t(100)}) {
    const auto one = in_steps(parts_of(gaps, {l}), columns, options, sample),
               many = in_steps(parts_of(gaps, sizes), columns, options, sample);
    EXPECT_EQ(many.plan.rows, l - 3);
    EXPECT_EQ(many.plan.on_some, sample < l);
    EXPECT_EQ(many.model.report.basis->selected_on, one.model.report.basis->selected_on);
    EXPECT_EQ(many.model.lambda, one.model.lambda);
    EXPECT_EQ(many.model.held_out.row, whole.held_out.row);
    EXPECT_LE(gap(many.model.held_out.output, one.model.held_out.output), 1e-10);
    if (sample == l) {
      EXPECT_LE(gap(many.model.held_out.output, whole.held_out.output), 1e-10);
    }
  }
}

TEST(Steps, AModelIsLikeAnyOther) {
  using enum DataOptions::TaskRequest;
  const Model model = in_steps(parts_of(rows(), sizes), columns_for("value", regression), {}).model;
  EXPECT_EQ(model.report.rows, l);
  EXPECT_TRUE(model.report.basis.has_value());
  EXPECT_EQ(model.intervals.half_width.size(), 1);
  const Model read = model_from_bytes(model_to_bytes(model), "m");
  EXPECT_EQ(read.held_out.output, model.held_out.output);
  EXPECT_EQ(read.alpha, model.alpha);
}

TEST(Steps, RefuseWhatNeedsAllRowsInOnePlace) {
  using enum DataOptions::TaskRequest;
  const DataOptions two = columns_for("label", classification);
  const auto refused = [&](const std::function<void(TrainOptions&)>& change) {
    TrainOptions options{.model = klr()};
    change(options);
    return test::refusal([&] { make_plan(all_rows(), two, options); });
  };
  EXPECT_NE(refused([](auto& o) { o.select.cv = parse_cross_validation("5"); }).find("cv=loo"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.basis = BasisRequest{.none = true}; }).find("basis=500"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.held_out.verify = 3; }).find("refit"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.held_out.costs = parse_costs("1,col:w"); }).find("one price"), std::string::npos);
  DataOptions grouped = two;
  grouped.group = "c";
  EXPECT_NE(test::refusal([&] { describe(all_rows(), grouped); }).find("groups"), std::string::npos);
}

TEST(Steps, RefuseSumsOfAnotherPassOrPlanAndMissingRows) {
  using enum DataOptions::TaskRequest;
  const DataOptions two = columns_for("label", classification);
  TrainOptions options{.model = klr(), .basis = BasisRequest{.method = BasisMethod::random, .size = 20}};
  const auto parts = parts_of(rows(), {130, 130});
  Description all = describe(parts[0], two);
  all += describe(parts[1], two);
  Sample sample = draw(parts[0], two, 0, 100);
  sample += draw(parts[1], two, 130, 100);
  const Plan plan = make_plan(sample.table(), two, options, &all);
  Statistics first = statistics(parts[0], plan);
  first += statistics(parts[1], plan);
  Plan next = solve(plan, first);
  ASSERT_FALSE(next.done());
  EXPECT_NE(test::refusal([&] { solve(next, first); }).find("pass"), std::string::npos);
  EXPECT_NE(test::refusal([&] {
              Statistics sums = statistics(parts[0], next);
              sums += first;
            }).find("passes"),
            std::string::npos);
  while (!next.done()) {
    Statistics sums = statistics(parts[0], next);
    sums += statistics(parts[1], next);
    next = solve(next, sums);
  }
  EXPECT_NE(test::refusal([&] { finish(next, {hold_out(parts[0], next)}); }).find("130"), std::string::npos);
  EXPECT_NE(test::refusal([&] { statistics(parts[0], next); }).find("solved"), std::string::npos);
}

}  // namespace steps_test
}  // namespace lacuna
