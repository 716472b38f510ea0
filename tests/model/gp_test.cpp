// Gaussian-process classifiers as models: what train() keeps and predicts against the library's own fits, held-out
// rows, criteria other than the evidence, data that are hard on them, and what they refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/loo/gp_held_out.hpp"
#include "lacuna/machine/averaged.hpp"
#include "lacuna/model/train.hpp"
#include "lacuna/select/select.hpp"
#include "tests/model/gp_sample.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace gp_test {

using test::refusal;

Vector is(const std::vector<std::string>& label, const std::string& which) {
  Vector t(Index(label.size()));
  for (Index i = 0; i < t.size(); ++i) t[i] = label[std::size_t(i)] == which ? 1.0 : 0.0;
  return t;
}

GpFit direct(const Model& model, const Sample& s, const std::string& label, std::shared_ptr<const compute::Gram>& K) {
  K = cpu_backend().gram(model.kernel, s.X);
  return fit_gp({*model.inference, model.loss}, *K, is(s.label, label), model.b[0], model.lambda);
}

double scored(const Model& model, const std::string& score) {
  for (const auto& [name, value] : model.report.held_out)
    if (name == score) return value;
  return std::nan("");
}

bool contradicted(const Model& model) {
  const auto& all = model.report.warnings;
  return std::any_of(all.begin(), all.end(),
                     [](const Warning& w) { return w.code == Warning::Code::posterior_contradicted; });
}

double largest(const Matrix& m) { return m.cwiseAbs().maxCoeff(); }

TEST(GpModel, PredictionsAreThoseOfItsPosterior) {
  const Sample s = sample(60);
  for (const Machine& machine : machines) {
    const Model model = train(s.X, s.label, {.model = machine});
    std::shared_ptr<const compute::Gram> K;
    const GpFit fit = direct(model, s, "yes", K);
    const LatentMoments at = latent(fit, cpu_backend(), model.kernel, s.fresh, s.X);
    const Predictions p = predict(model, s.fresh);
    EXPECT_LE(largest(p.output.col(0) - at.mean), 1e-9 * (1.0 + largest(at.mean)));
    EXPECT_LE(largest(p.variance.col(0) - at.variance), 1e-8 * (1.0 + largest(at.variance)));
    const Vector probability = averaged_probability(model.loss, {p.output.col(0), p.variance.col(0)});
    EXPECT_LE(largest(p.probability.col(1) - probability), 1e-12);
    for (Index i = 0; i < 25; ++i) EXPECT_EQ(p.label[std::size_t(i)], probability[i] >= 0.5 ? 1 : 0);
    EXPECT_EQ(predict(model, s.fresh).probability, p.probability);  // from the factors that were kept
  }
}

TEST(GpModel, TheEvidenceIsStationaryWhereItWasChosen) {
  const Sample s = sample(60);
  for (const Machine& machine : machines) {
    const Model model = train(s.X, s.label, {.model = machine});
    ASSERT_EQ(model.report.criterion, "evidence");
    ASSERT_EQ(model.report.search.stop, Stop::converged);
    Problem problem;
    problem.X = RowsView(s.X);
    problem.learn = {.loss = model.loss, .zeta = Vector::Ones(s.X.rows()), .t = is(s.label, "yes")};
    problem.inference = model.inference;
    problem.criterion = Criterion::evidence;
    const CriterionAt at = criterion_at(problem, model.kernel, {model.lambda, model.b[0]}, true);
    EXPECT_NEAR(at.value, model.report.criterion_value, 1e-5);
    // Searches end when a step would gain 1e-5 of the value or move 1e-4: slopes of 0.05 are flat on a scale of
    // e-folds.
    EXPECT_NEAR(at.d_log_lambda, 0.0, 0.05);
    EXPECT_NEAR(at.d_log_kernel[0], 0.0, 0.05);
    EXPECT_TRUE(machine.mean.has_value() || std::abs(at.d_mean) < 0.05) << at.d_mean;
    EXPECT_EQ(machine.mean.value_or(model.b[0]), model.b[0]);
    EXPECT_TRUE(model.report.optimistic && model.report.approximate);
  }
}

TEST(GpModel, HeldOutRowsAreThoseOfTheApproximation) {
  const Sample s = sample(50);
  for (const Machine& machine : machines) {
    const Model model = train(s.X, s.label, {.model = machine});
    std::shared_ptr<const compute::Gram> K;
    const GpFit fit = direct(model, s, "yes", K);
    const LatentMoments at = held_out_latent(*K, fit);
    EXPECT_LE(largest(model.held_out.output.col(0) - at.mean), 1e-12 * (1.0 + largest(at.mean)));
    EXPECT_LE(largest(model.held_out.variance.col(0) - at.variance), 1e-12 * (1.0 + largest(at.variance)));
    const Vector p = averaged_probability(model.loss, at), loss = held_out_loss(model);
    const Predictions said = held_out_predictions(model);
    double xent = 0.0;
    for (Index i = 0; i < 50; ++i) {
      const double own = s.label[std::size_t(i)] == "yes" ? p[i] : 1.0 - p[i];
      EXPECT_NEAR(said.probability(i, 1), p[i], 1e-12);
      EXPECT_NEAR(loss[i], -std::log(own), 1e-9);
      xent += loss[i] / 50.0;
    }
    EXPECT_NEAR(scored(model, "xent"), xent, 1e-12);
  }
}

TEST(GpModel, SeveralClassesAreAveragedAndThenNormalised) {
  const Sample s = sample(60, 3);
  for (const Machine& machine : {machines[0], machines[2]}) {
    const Model model = train(s.X, s.label, {.model = machine});
    const Predictions p = predict(model, s.fresh);
    double evidence = 0.0;
    Matrix own(25, 3);
    for (Index c = 0; c < 3; ++c) {
      std::shared_ptr<const compute::Gram> K;
      const GpFit fit = direct(model, s, model.classes[std::size_t(c)], K);
      own.col(c) = averaged_probability(model.loss, latent(fit, cpu_backend(), model.kernel, s.fresh, s.X));
      evidence -= fit.log_evidence;
    }
    EXPECT_NEAR(model.report.criterion_value, evidence, 1e-8 * std::abs(evidence));
    for (Index i = 0; i < 25; ++i) {
      EXPECT_LE(largest(p.probability.row(i) - own.row(i) / own.row(i).sum()), 1e-8);
      Index best = 0;
      own.row(i).maxCoeff(&best);
      EXPECT_EQ(p.label[std::size_t(i)], best);
    }
  }
}

TEST(GpModel, OtherCriteriaJudgeHeldOutRowsHoweverTheyAreHeldOut) {
  const Sample s = sample(45);
  for (const Machine& machine : {machines[0], machines[2]})
    for (const char* cv : {"loo", "5", "5x2", "explicit:5"})
      for (const Criterion criterion : {Criterion::xent, Criterion::error}) {
        const auto options = [&](std::optional<double> lambda) {
          return TrainOptions{
              .model = machine,
              .kernel = rbf(0.7),
              .lambda = lambda,
              .select = {.criterion = criterion, .cv = parse_cross_validation(cv), .max_evaluations = 25}};
        };
        const Model model = train(s.X, s.label, options({}));
        EXPECT_EQ(model.report.criterion, name_of(criterion));
        EXPECT_EQ(model.report.approximate, std::string(cv) != "explicit:5" && !contradicted(model));
        EXPECT_NEAR(scored(model, std::string(name_of(criterion))), model.report.criterion_value, 1e-9) << cv;
        // No worse than a coarse grid would do.
        for (const double lambda : {0.01, 0.3, 10.0})
          EXPECT_LE(model.report.criterion_value, train(s.X, s.label, options(lambda)).report.criterion_value + 1e-3)
              << cv << ' ' << name_of(criterion);
      }
}

TEST(GpModel, ThresholdAndRecalibrationActOnTheAveragedProbability) {
  const Sample s = sample(60);
  TrainOptions options{.model = gp_laplace_classifier(), .kernel = rbf(0.6), .lambda = 0.05};
  options.held_out.threshold = ThresholdRule{ThresholdRule::Kind::cost, 1.0, 20.0};
  options.held_out.recalibrate = true;
  const Model model = train(s.X, s.label, options);
  const Predictions p = predict(model, s.fresh);
  const double cut = probabilities(model.loss, model.calibration, Matrix::Constant(1, 1, model.threshold), 2)(0, 1);
  EXPECT_LT(cut, 0.5);
  for (Index i = 0; i < 25; ++i) EXPECT_EQ(p.label[std::size_t(i)] == 1, p.probability(i, 1) >= cut) << i;
}

TEST(GpModel, HardDataGiveFiniteProbabilities) {
  struct Case {
    std::string name;
    RowMatrix X;
    std::vector<std::string> label;
  };
  std::vector<Case> cases;
  const RowMatrix X = testing::random_rows(24, 2, 41);
  const auto by = [&](const RowMatrix& rows, auto&& positive) {
    std::vector<std::string> out;
    for (Index i = 0; i < rows.rows(); ++i) out.push_back(positive(i) ? "p" : "n");
    return out;
  };
  RowMatrix apart = X;
  for (Index i = 0; i < 24; ++i) apart(i, 0) += i % 2 == 0 ? 20.0 : -20.0;
  cases.push_back({"separable", apart, by(apart, [](Index i) { return i % 2 == 0; })});
  cases.push_back({"one row of a class", X, by(X, [](Index i) { return i == 5; })});
  RowMatrix twins = X;
  for (Index i = 12; i < 24; ++i) twins.row(i) = twins.row(i - 12);
  cases.push_back({"duplicates that agree", twins, by(twins, [](Index i) { return i % 12 < 6; })});
  cases.push_back({"duplicates that do not", twins, by(twins, [](Index i) { return i < 12; })});
  cases.push_back({"all rows equal", RowMatrix(RowMatrix::Ones(24, 2)), by(X, [](Index i) { return i < 8; })});
  RowMatrix constant = X;
  constant.col(1).setConstant(3.0);
  cases.push_back({"constant column", constant, by(constant, [&](Index i) { return X(i, 0) > 0.0; })});
  cases.push_back({"noise", X, by(X, [](Index i) { return (i * 7) % 3 == 0; })});
  cases.push_back({"huge numbers", 1e6 * X, by(X, [&](Index i) { return X(i, 0) > 0.0; })});
  for (const Case& c : cases)
    for (const Machine& machine : machines)
      for (const KernelSpec& kernel : {rbf(), linear()}) {
        SCOPED_TRACE(c.name + ", " + machine.name + ", " + kernel_text(kernel.kernel));
        const Model model = train(c.X, c.label, {.model = machine, .kernel = kernel});
        const Predictions p = predict(model, c.X);
        EXPECT_TRUE(p.probability.allFinite() && p.output.allFinite() && p.variance.allFinite());
        EXPECT_LE(largest(p.probability.rowwise().sum().array() - 1.0), 1e-12);
        EXPECT_TRUE(held_out_loss(model).allFinite());
        EXPECT_TRUE(std::isfinite(model.report.criterion_value));
      }
}

TEST(GpModel, ExtremeHyperParametersThatAreGivenStayFinite) {
  const Sample s = sample(40);
  for (const Machine& machine : machines)
    for (const double lambda : {1e-8, 1e8})
      for (const double theta : {1e-8, 1e6}) {
        const Model model = train(s.X, s.label, {.model = machine, .kernel = rbf(theta), .lambda = lambda});
        const Predictions p = predict(model, s.fresh);
        EXPECT_TRUE(p.probability.allFinite()) << machine.name << ' ' << lambda << ' ' << theta;
        EXPECT_TRUE(held_out_loss(model).allFinite()) << machine.name << ' ' << lambda << ' ' << theta;
      }
}

TEST(GpModel, SaysWhatItDoesNotTake) {
  const Sample s = sample(30);
  const auto refuses = [&](TrainOptions options, const std::string& why, Dataset data) {
    if (!options.model) options.model = gp_laplace_classifier();
    const std::string said = refusal([&] { train(data, options); });
    EXPECT_NE(said.find(why), std::string::npos) << said;
  };
  const Dataset plain = make_dataset(s.X, s.label);
  Dataset weighted = plain;
  weighted.weights = Vector::Ones(30);
  refuses({}, "takes no weights of rows", weighted);
  refuses({.train_weights = Weighting::balanced}, "takes no weights of rows", plain);
  refuses({.select = {.weights = Weighting::balanced}}, "takes no weights of rows", plain);
  refuses({.model = gp_ep_classifier(), .held_out = {.refit_flagged = true}}, "explicit:loo", plain);
  TrainOptions on_basis;
  on_basis.basis = BasisRequest{.size = 10};
  refuses(on_basis, "no machine on a basis", plain);
  refuses({.kernel = precomputed()}, "no precomputed kernel",
          make_dataset(RowMatrix(RowMatrix::Identity(30, 30)), s.label));
  refuses({.model = klr(), .select = {.criterion = Criterion::evidence}}, "belongs to Gaussian processes", plain);
  Dataset offset = plain;
  offset.offset = Vector::Zero(30);
  refuses({}, "no offset", offset);
  refuses({}, "needs classes", make_dataset(s.X, std::vector<double>(s.X.col(0).begin(), s.X.col(0).end())));
  for (const char* word : {"gp-laplace:", "gp-laplace:mean", "gp-laplace:mean=x", "gp-ep:logistic", "gp-ep:probit",
                           "gp-laplace:probit,", "gp-laplace:mean=inf"})
    EXPECT_NE(refusal([&] { parse_machine(word); }).find("not understood"), std::string::npos) << word;
  EXPECT_EQ(parse_machine("gp-laplace").mean, 0.0);
  EXPECT_EQ(parse_machine("gp-ep:mean=auto").mean, std::nullopt);
  EXPECT_EQ(parse_machine("gp-laplace:probit,mean=-0.5").mean, -0.5);
  EXPECT_TRUE(std::holds_alternative<losses::Probit>(parse_machine("gp-laplace:mean=1,probit").loss));
}

TEST(GpModel, StopsWhenAskedTo) {
  const Sample s = sample(40);
  int asked = 0;
  TrainOptions options{.model = gp_ep_classifier()};
  options.run.observer = [&](const Progress&) { return ++asked < 4; };
  EXPECT_EQ(train(s.X, s.label, options).report.search.stop, Stop::interrupted);
  EXPECT_EQ(asked, 4);
}

TEST(GpModel, VerifiedRowsAreRefits) {
  const Sample s = sample(40);
  const Model model =
      train(s.X, s.label, {.model = gp_ep_classifier(), .kernel = rbf(0.6), .lambda = 0.3, .held_out = {.verify = 10}});
  EXPECT_EQ(model.report.verification.rows, 10);
  EXPECT_GT(model.report.verification.largest, 0.0);
  EXPECT_LT(model.report.verification.largest, 0.5);
  EXPECT_NEAR(model.report.verification.mean_loss, model.report.verification.mean_loss_refitted, 0.05);
}

// Few rows and a wide prior: one Newton step from the posterior of all rows is far from some refits. A wider prior
// still, and refits contradict the approximation as a whole: all rows are refitted then, and none is left to flag.
TEST(GpModel, FlaggedRowsOfLaplaceAreRefitted) {
  const Sample s = sample(30);
  TrainOptions options{.model = gp_laplace_classifier(), .kernel = rbf(0.6), .lambda = 1e-2};
  const Model plain = train(s.X, s.label, options);
  EXPECT_FALSE(contradicted(plain));
  EXPECT_TRUE(plain.held_out.trust.array().isNaN().all());
  options.held_out.refit_flagged = true;
  const Model flagged = train(s.X, s.label, options);
  options.held_out.refit_flagged = false;
  options.select.cv = parse_cross_validation("explicit:loo");
  const Model refitted = train(s.X, s.label, options);
  ASSERT_GT(flagged.report.flagged, 0);
  ASSERT_EQ(flagged.report.refitted, std::min(flagged.report.flagged, 3));  // a tenth of the rows
  int changed = 0;
  for (Index i = 0; i < 30; ++i) {
    const bool again = flagged.held_out.output(i, 0) != plain.held_out.output(i, 0);
    const Model& as = again ? refitted : plain;
    changed += again;
    EXPECT_NEAR(flagged.held_out.output(i, 0), as.held_out.output(i, 0), 1e-6 * std::abs(as.held_out.output(i, 0)));
    EXPECT_NEAR(flagged.held_out.variance(i, 0), as.held_out.variance(i, 0), 1e-6 * as.held_out.variance(i, 0));
    EXPECT_LE(flagged.held_out.trust[i], 1.0);
  }
  EXPECT_EQ(changed, flagged.report.refitted);
  // The rows that were flagged are those where a refit changes the loss most.
  const Vector change = (held_out_loss(refitted) - held_out_loss(plain)).cwiseAbs();
  Index most = 0;
  change.maxCoeff(&most);
  EXPECT_NE(flagged.held_out.output(most, 0), plain.held_out.output(most, 0));

  options.lambda = 1e-3;
  options.select.cv = {};
  options.held_out.refit_flagged = true;
  const Model wider = train(s.X, s.label, options);
  EXPECT_TRUE(contradicted(wider));
  EXPECT_EQ(wider.report.flagged, 0);
}

// Selection weights say how much each held-out row counts, and nothing of how the process learns from it.
TEST(GpModel, SelectionWeightsCountHeldOutRows) {
  const Sample s = sample(40);
  Dataset data = make_dataset(s.X, s.label);
  data.select_weights = Vector::LinSpaced(40, 0.0, 2.0);
  for (const Machine& machine : {machines[0], machines[2]}) {
    TrainOptions options{.model = machine, .kernel = rbf(0.7), .lambda = 0.2, .select = {.criterion = Criterion::xent}};
    options.select.weights = Weighting::column;
    const Model model = train(data, options);
    options.select.weights = Weighting::none;
    const Model plain = train(data, options);
    EXPECT_EQ(model.held_out.output, plain.held_out.output);
    const Vector loss = held_out_loss(plain);
    EXPECT_NEAR(model.report.criterion_value, data.select_weights.dot(loss) / data.select_weights.sum(), 1e-12);
  }
}

}  // namespace gp_test
}  // namespace lacuna
