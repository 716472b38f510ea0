// Gaussian-process classifiers take weights of rows where held-out rows judge them: copies, their unit, rows of no
// weight, refusals.
#include <gtest/gtest.h>

#include "lacuna/model/train.hpp"
#include "tests/model/gp_sample.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace gp_weights_test {

// Joined copies are the same problem; only sums over them may end in another digit.
void expect_same(const Model& a, const Model& b, const RowMatrix& fresh) {
  EXPECT_EQ(a.report.criterion_value, b.report.criterion_value);
  EXPECT_EQ(predict(a, fresh).probability, predict(b, fresh).probability);
  EXPECT_EQ(predict(a, fresh).variance, predict(b, fresh).variance);
  for (std::size_t k = 0; k < a.report.held_out.size(); ++k)
    EXPECT_NEAR(a.report.held_out[k].second, b.report.held_out[k].second, 1e-12) << a.report.held_out[k].first;
}

TEST(GpWeights, AreCopiesUnderFoldsThatKeepCopiesTogether) {
  const Sample s = sample(40);
  Dataset weighted = make_dataset(s.X, s.label);
  weighted.weights.resize(40);
  std::vector<Index> copy_of;
  for (Index i = 0; i < 40; ++i) {
    weighted.weights[i] = double(1 + i % 3);
    weighted.group.push_back(int(i));
    for (Index k = 0; k <= i % 3; ++k) copy_of.push_back(i);
  }
  Dataset copies = take_rows(weighted, copy_of);
  copies.weights = {};
  for (const Machine& machine :
       {gp_laplace_classifier(), gp_laplace_classifier(losses::Probit{}), gp_ep_classifier()}) {
    SCOPED_TRACE(machine.name);
    for (const char* cv : {"group:g", "explicit:group:g"}) {
      if (std::string(cv).starts_with("explicit") && machine.inference == Inference::ep) continue;  // slow
      TrainOptions options{
          .model = machine, .kernel = rbf(0.6), .lambda = 0.3, .select = {.criterion = Criterion::xent}};
      options.select.cv = parse_cross_validation(cv);
      const Model a = train(weighted, options), b = train(copies, options);
      expect_same(a, b, s.fresh);
    }
    // The search too: where it ends may hang on the last digit.
    TrainOptions options{.model = machine, .select = {.criterion = Criterion::xent, .max_evaluations = 25}};
    options.select.cv = parse_cross_validation("group:g");
    const Model a = train(weighted, options), b = train(copies, options);
    EXPECT_EQ(a.lambda, b.lambda);
    expect_same(a, b, s.fresh);
  }
}

TEST(GpWeights, HaveNoUnitAndOfZeroRemoveARow) {
  const Sample s = sample(36);
  Dataset weighted = make_dataset(s.X, s.label);
  weighted.weights.resize(36);
  std::vector<Index> kept;
  for (Index i = 0; i < 36; ++i) {
    weighted.weights[i] = double(i % 4);
    if (i % 4 > 0) kept.push_back(i);
  }
  Dataset scaled = weighted;
  scaled.weights *= 0.05;
  const Dataset some = take_rows(weighted, kept);
  for (const Machine& machine : {gp_laplace_classifier(), gp_ep_classifier()}) {
    TrainOptions options{.model = machine, .select = {.criterion = Criterion::xent}};
    options.select.max_evaluations = 25;
    const Model a = train(weighted, options), b = train(scaled, options), c = train(some, options);
    EXPECT_EQ(a.lambda, b.lambda) << "the precision of the prior is that of an output, not of a weight";
    EXPECT_EQ(predict(a, s.fresh).probability, predict(b, s.fresh).probability);
    EXPECT_EQ(predict(a, s.fresh).probability, predict(c, s.fresh).probability);
    EXPECT_EQ(a.report.criterion_value, c.report.criterion_value);
  }
}

TEST(GpWeights, AreRefusedByTheEvidenceAndSharesOfALabelByEp) {
  const Sample s = sample(30);
  Dataset data = make_dataset(s.X, s.label);
  data.weights = Vector::LinSpaced(30, 0.3, 2.1).cwiseSqrt();
  const auto why = [&](const TrainOptions& options) { return test::refusal([&] { train(data, options); }); };
  EXPECT_NE(why({.model = gp_laplace_classifier()}).find("`criterion=xent`"), std::string::npos);
  EXPECT_NE(why({.model = gp_ep_classifier(), .select = {.criterion = Criterion::xent}}).find("numbers of copies"),
            std::string::npos);
  TrainOptions options{.model = gp_laplace_classifier(), .kernel = rbf(0.6), .lambda = 0.3};
  options.select.criterion = Criterion::xent;
  EXPECT_EQ(why(options), "");
  data.weights = {};
  options.train_weights = Weighting::balanced;
  EXPECT_EQ(why(options), "");
}

}  // namespace gp_weights_test
}  // namespace lacuna
