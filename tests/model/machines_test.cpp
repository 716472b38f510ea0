// Every machine through train(): its own criterion, outputs that mean what they should, files, and what it refuses.
#include <gtest/gtest.h>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/train.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace machines_test {

using test::refusal;

constexpr Index n = 70;

RowMatrix rows() { return testing::random_rows(n, 3, 81); }

Dataset classes(int count) {
  const RowMatrix X = rows();
  std::vector<std::string> label;
  Random random(82);
  for (Index i = 0; i < n; ++i) {
    const double s = X(i, 0) + 0.5 * random.normal();
    label.push_back(count == 2 ? (s > 0.0 ? "yes" : "no") : s > 0.5 ? "c" : s > -0.5 ? "b" : "a");
  }
  return make_dataset(X, label);
}
Dataset values(bool counts) {
  const RowMatrix X = rows();
  std::vector<double> t;
  Random random(83);
  for (Index i = 0; i < n; ++i) {
    const double mu = std::exp(0.6 * X(i, 0) + 0.5);
    t.push_back(counts ? double(random.poisson(mu)) : mu * std::exp(0.2 * random.normal()));
  }
  return make_dataset(X, t, counts ? DataOptions::TaskRequest::counts : DataOptions::TaskRequest::regression);
}

double scored(const Model& model, const std::string& score) {
  for (const auto& [name, value] : model.report.held_out)
    if (name == score) return value;
  return std::nan("");
}

struct Kind {
  Machine machine;
  Dataset data;
  std::string criterion;
};

std::vector<Kind> kinds() {
  return {{klr(), classes(2), "xent"},
          {klr(), classes(3), "xent"},
          {kpr(), classes(2), "xent"},
          {kpr(std::sqrt(2.0)), classes(3), "xent"},
          {l2_svm(), classes(2), "hinge2"},
          {poisson_regression(), values(true), "xent"},
          {negative_binomial_regression(0.4), values(true), "xent"},
          {negative_binomial_regression(), values(true), "xent"},
          {gamma_regression(), values(false), "xent"},
          {huber_regression(0.5), values(false), "xent"},
          {huber_regression(), values(false), "xent"}};
}

TEST(Machines, TrainJudgeAndComeBackFromAFile) {
  for (const Kind& k : kinds()) {
    SCOPED_TRACE(k.machine.name + ", " + std::to_string(k.data.classes.size()) + " classes");
    const Model model = train(k.data, {.model = k.machine});
    EXPECT_EQ(model.report.model, k.machine.name);
    EXPECT_EQ(model.report.criterion, k.criterion);
    EXPECT_FALSE(model.report.approximate);
    EXPECT_TRUE(std::isfinite(model.report.criterion_value));
    EXPECT_EQ(model.held_out.trust.size(), n);
    EXPECT_LE(model.held_out.trust.maxCoeff(), 1.0);
    EXPECT_GT(model.held_out.trust.minCoeff(), 0.0);
    EXPECT_TRUE(held_out_loss(model).allFinite());
    // The fitted outputs are those of the expansion that the model keeps.
    // (to rounding: coefficients grow as lambda falls)
    EXPECT_LE((outputs(model, k.data.X) - model.held_out.fitted).cwiseAbs().maxCoeff(),
              1e-6 * std::max(1.0, model.alpha.cwiseAbs().maxCoeff()));

    const Model read = model_from_bytes(model_to_bytes(model), "memory");
    EXPECT_EQ(name_of(read.loss), name_of(model.loss));
    EXPECT_EQ(outputs(read, k.data.X), outputs(model, k.data.X));
    const Predictions one = predict(model, k.data.X), other = predict(read, k.data.X);
    EXPECT_EQ(one.label, other.label);
    EXPECT_EQ(one.probability, other.probability);
    EXPECT_EQ(one.value, other.value);
    EXPECT_EQ(model_to_bytes(read), model_to_bytes(model));
  }
}

TEST(Machines, CriterionIsTheMeanOfTheHeldOutLoss) {
  for (const Kind& k : kinds()) {
    if (k.data.classes.size() == 3 || k.criterion != "xent") continue;  // several classes: mean over one-versus-rest
    SCOPED_TRACE(k.machine.name);
    const Model model = train(k.data, {.model = k.machine});
    EXPECT_NEAR(held_out_loss(model).mean(), model.report.criterion_value,
                1e-12 * std::abs(model.report.criterion_value));
  }
}

TEST(Machines, AutoFollowsTheTask) {
  EXPECT_EQ(train(classes(2)).report.model, "klr");
  const Model several = train(classes(3));
  EXPECT_EQ(several.report.model, "ls-svm");
  EXPECT_EQ(several.report.criterion, "xent");
  EXPECT_TRUE(has_probabilities(several));
  EXPECT_EQ(train(classes(3), {.held_out = {.recalibrate = false}}).report.model, "klr");
  EXPECT_EQ(train(values(true)).report.model, "poisson");
  EXPECT_EQ(train(values(false)).report.model, "ls-svm");
}

TEST(Machines, RefitFlaggedRowsEqualExplicitOnes) {
  const Dataset data = classes(2);
  const TrainOptions fixed{
      .model = klr(), .kernel = rbf(1.5), .lambda = 0.003, .select = {.cv = parse_cross_validation("loo:one-step")}};
  TrainOptions with = fixed, slow = fixed;
  with.held_out.refit_flagged = true;
  with.held_out.verify = 15;
  slow.select.cv = parse_cross_validation("explicit:loo");
  const Model one = train(data, fixed), some = train(data, with), all = train(data, slow);
  EXPECT_TRUE(one.report.approximate);
  EXPECT_FALSE(all.report.approximate);
  EXPECT_GT(some.report.refitted, 0);
  EXPECT_LE(some.report.refitted, int(n) / 10);
  int replaced = 0;
  for (Index i = 0; i < n; ++i) {
    const bool same = some.held_out.output(i, 0) == one.held_out.output(i, 0);
    replaced += !same;
    if (same) continue;
    EXPECT_NEAR(some.held_out.output(i, 0), all.held_out.output(i, 0), 1e-6);
    EXPECT_EQ(some.held_out.trust[i], 1.0);
  }
  EXPECT_EQ(replaced, some.report.refitted);
  EXPECT_LT(std::abs(scored(some, "xent") - scored(all, "xent")), std::abs(scored(one, "xent") - scored(all, "xent")));
  EXPECT_EQ(some.report.verification.rows, 15);
  EXPECT_LE(some.report.verification.largest, (one.held_out.output - all.held_out.output).cwiseAbs().maxCoeff() + 1e-6);
}

// What is printed by default is what refits would print: every machine, leave-one-out and folds, also where lambda is
// tiny.
TEST(Machines, HeldOutScoresAreThoseOfRefits) {
  for (const Kind& k : kinds())
    for (const char* cv : {"loo", "6"})
      for (const double lambda : {0.3, 1e-5}) {
        SCOPED_TRACE(k.machine.name + ", " + std::to_string(k.data.classes.size()) + " classes, cv " + cv);
        TrainOptions options{
            .model = k.machine, .kernel = rbf(0.5), .lambda = lambda, .select = {.cv = parse_cross_validation(cv)}};
        const Model model = train(k.data, options);
        options.select.cv = parse_cross_validation(std::string("explicit:") + cv);
        const Model refitted = train(k.data, options);
        // Outputs are followed to 1e-4 by a bound that is loose where lambda is next to nothing.
        const Matrix& z = refitted.held_out.output;
        EXPECT_LE(((model.held_out.output - z).array().abs() / (1.0 + z.array().abs())).maxCoeff(),
                  lambda < 1e-3 ? 5e-3 : 3e-4);
        EXPECT_NEAR(model.report.criterion_value, refitted.report.criterion_value,
                    1e-3 * std::abs(refitted.report.criterion_value));
      }
}

// Twins with contradicting labels and next to no regulariser: curvature changes by orders of magnitude when one of them
// leaves.
TEST(Machines, HeldOutScoresOfContradictingTwinsAreThoseOfRefits) {
  const RowMatrix X = rows();
  RowMatrix twins(n, X.cols());
  std::vector<std::string> label;
  for (Index i = 0; i < n; ++i) {
    twins.row(i) = X.row(i / 2 * 2);
    label.push_back((X(i / 2 * 2, 0) > 0.0) != (i % 10 == 3) ? "p" : "q");
  }
  for (const Machine& machine : {klr(), kpr(), l2_svm()})
    for (const double lambda : {1e-4, 1e-6}) {
      SCOPED_TRACE(machine.name + ", lambda " + std::to_string(lambda));
      TrainOptions options{.model = machine, .kernel = rbf(1.0), .lambda = lambda};
      const double printed = train(twins, label, options).report.criterion_value;
      options.select.cv = parse_cross_validation("explicit:loo");
      const double refitted = train(twins, label, options).report.criterion_value;
      EXPECT_NEAR(printed, refitted, 2e-3 * refitted);
    }
}

// Without the only row of its class no machine could name that class.
TEST(Machines, ARowAloneInItsClassIsHeldOutAsOneOfTheOthers) {
  const RowMatrix X = rows();
  std::vector<std::string> label;
  for (Index i = 0; i < n; ++i) label.push_back(i == 7 ? "odd" : "usual");
  for (const Machine& machine : {klr(), kpr(), l2_svm()})
    for (const double lambda : {1.0, 1e-5}) {
      SCOPED_TRACE(machine.name + ", lambda " + std::to_string(lambda));
      const Model model = train(X, label, {.model = machine, .kernel = rbf(2.0), .lambda = lambda});
      EXPECT_GE(scored(model, "error"), 1.0 / double(n) - 1e-12);
      EXPECT_NEAR(scored(model, "ber"), 0.5, 0.02);
    }
}

TEST(Machines, ExposureIsAFactorOfTheRate) {
  Dataset data = values(true);
  data.offset = Vector::Constant(n, std::log(2.0));
  const TrainOptions fixed{.model = poisson_regression(), .kernel = rbf(0.3), .lambda = 0.5};
  const Model twice = train(data, fixed);
  data.offset.setZero();
  const Model once = train(data, fixed);
  const Matrix rate_twice = predict(twice, data.X, Vector::Constant(n, std::log(2.0))).rate;
  EXPECT_LE((2.0 * rate_twice - predict(once, data.X, Vector::Zero(n)).rate).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_NEAR(scored(once, "deviance"), scored(twice, "deviance"), 1e-7);
  EXPECT_GT(scored(once, "d2"), 0.05);
}

TEST(Machines, SeparableClassesAndSingleRowsNeverGiveNaN) {
  const RowMatrix X = rows();
  std::vector<std::string> separable, single;
  for (Index i = 0; i < n; ++i) {
    separable.push_back(X(i, 0) > 0.0 ? "p" : "q");
    single.push_back(i == 7 ? "odd" : X(i, 0) > 0.0 ? "p" : "q");
  }
  for (const Machine& machine : {klr(), kpr(), l2_svm()})
    for (const auto* label : {&separable, &single}) {
      const Model model = train(X, *label, {.model = machine});
      EXPECT_TRUE(model.held_out.output.allFinite());
      EXPECT_TRUE(model.alpha.allFinite());
      for (const auto& [name, value] : model.report.held_out) EXPECT_TRUE(std::isfinite(value)) << name;
    }
}

TEST(Machines, RefuseWhatIsNotTheirs) {
  const auto refuses = [](const Dataset& data, const TrainOptions& options, const std::string& why) {
    const std::string said = refusal([&] { train(data, options); });
    EXPECT_NE(said.find(why), std::string::npos) << said;
  };
  refuses(values(false), {.model = klr()}, "needs classes");
  refuses(classes(2), {.model = poisson_regression()}, "`task=counts`");
  refuses(classes(2), {.model = huber_regression()}, "`task=regression`");
  refuses(values(true), {.model = gamma_regression()}, "values above 0");
  refuses(classes(2), {.model = ls_svm(), .select = {.criterion = Criterion::xent}}, "no probabilities");
  refuses(values(true), {.select = {.criterion = Criterion::press}}, "deviance");
  refuses(classes(3), {.held_out = {.threshold = ThresholdRule{}}}, "two classes");
  refuses(values(false), {.held_out = {.recalibrate = true}}, "probabilities of classes");
  refuses(classes(2), {.model = ls_svm(), .held_out = {.refit_flagged = true}}, "exact");
  refuses(classes(2), {.select = {.cv = parse_cross_validation("5")}, .held_out = {.refit_flagged = true}},
          "leave-one-out only");
  Dataset offset = values(false);
  offset.offset = Vector::Ones(n);
  refuses(offset, {.model = ls_svm()}, "no offset");
  for (const char* word : {"kprr", "klr:paper", "huber:delta=-1", "kpr:s", "kfd:1", "gp"})
    EXPECT_THROW(parse_machine(word), Error) << word;
  EXPECT_EQ(std::get<losses::PseudoHuber>(parse_machine("huber:delta=0.5").loss).delta, 0.5);
  EXPECT_EQ(std::get<losses::NegativeBinomial>(parse_machine("negbin:overdispersion=0.5").loss).overdispersion, 0.5);
  EXPECT_TRUE(leaves_open(parse_machine("negbin").loss));
  EXPECT_EQ(std::get<losses::Probit>(parse_machine("kpr:paper").loss).s, std::sqrt(2.0));
}

}  // namespace machines_test
}  // namespace lacuna
