// A Gaussian-process classifier as a value and as a file: nothing inside goes stale, and nothing is lost.
#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/model/file.hpp"
#include "lacuna/model/predictor.hpp"
#include "lacuna/model/train.hpp"
#include "tests/model/gp_sample.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace gp_file_test {

using test::refusal;

TEST(GpModel, AFileGivesTheSameBits) {
  for (const int classes : {2, 3}) {
    const Sample s = sample(40, classes);
    for (const Machine& machine : machines) {
      const Model model = train(s.X, s.label, {.model = machine, .kernel = rbf(0.6)});
      const Model read = model_from_bytes(model_to_bytes(model), "memory");
      const Predictions one = predict(model, s.fresh), other = predict(read, s.fresh);
      EXPECT_EQ(one.output, other.output);
      EXPECT_EQ(one.variance, other.variance);
      EXPECT_EQ(one.probability, other.probability);
      EXPECT_EQ(held_out_predictions(model).probability, held_out_predictions(read).probability);
      EXPECT_EQ(read.inference, model.inference);
      EXPECT_EQ(model_to_bytes(read), model_to_bytes(model));
    }
  }
}

// Nothing inside can go stale: an edited copy predicts as if it had always been so.
TEST(GpModel, IsAValue) {
  const Sample s = sample(30);
  const Model model = train(s.X, s.label, {.model = gp_ep_classifier(), .kernel = rbf(0.6), .lambda = 0.5});
  const Matrix before = predict(model, s.X).variance;
  Model changed = model;
  changed.kernel = kernels::Rbf{.theta = 1.3};
  changed.lambda = 0.8;
  const Matrix after = predict(changed, s.X).variance;
  EXPECT_GT((after - before).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_EQ(after, predict(model_from_bytes(model_to_bytes(changed), "m"), s.X).variance);
  EXPECT_EQ(predict(model, s.X).variance, before);
  // Blocks through one predictor are the same rows.
  Predictor predictor(model);
  Matrix blocks(30, 1);
  for (const Index first : {0, 10, 20})
    blocks.middleRows(first, 10) = predictor.predict(middle_rows(s.X, first, 10)).variance;
  EXPECT_LT((blocks - before).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(GpModel, APosteriorThatDoesNotFitIsNeitherWrittenNorRead) {
  const Sample s = sample(30);
  const Model model = train(s.X, s.label, {.model = gp_ep_classifier(), .kernel = rbf(0.6), .lambda = 0.5});
  const auto with = [&](const Matrix& beta) {
    Model changed = model;
    changed.sites = beta;
    return refusal([&] { model_to_bytes(changed); });
  };
  Matrix beta = model.sites;
  EXPECT_NE(with(beta.topRows(29)).find("'beta' has another shape"), std::string::npos);
  beta(3, 0) = -1.0;
  EXPECT_NE(with(beta).find("not positive"), std::string::npos);
  beta(3, 0) = std::nan("");
  EXPECT_NE(with(beta).find("'beta' holds a number that is not finite"), std::string::npos);
  Model changed = model;
  changed.sites = {};
  EXPECT_NE(refusal([&] { model_to_bytes(changed); }).find("absent"), std::string::npos);
  changed = model;
  changed.loss = losses::Logistic{};
  EXPECT_NE(refusal([&] { model_to_bytes(changed); }).find("likelihood"), std::string::npos);
  changed = model;
  changed.held_out.variance(0, 0) = -1.0;
  EXPECT_NE(refusal([&] { model_to_bytes(changed); }).find("'held_out.variance' holds a number that is negative"),
            std::string::npos);
  const std::string bytes = model_to_bytes(model);
  for (std::size_t at = 0; at < bytes.size(); at += 97) {
    std::string broken = bytes;
    broken[at] = char(broken[at] ^ 4);
    EXPECT_NE(refusal([&] { model_from_bytes(broken, "memory"); }), "accepted") << at;
  }
}

}  // namespace gp_file_test
}  // namespace lacuna
