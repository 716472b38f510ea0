#include "lacuna/evaluate/constant.hpp"

namespace lacuna {
namespace {

Vector class_shares(const Dataset& data, const Vector& weights) {
  Vector out = Vector::Zero(Index(data.classes.size()));
  for (Index i = 0; i < data.size(); ++i) out[data.label[std::size_t(i)]] += weights[i];
  return out / out.sum();
}

// The class that would have cost least, were it decided for all rows in training.
Index cheapest_answer(const Dataset& data, const RowCosts& costs, const Vector& weights) {
  Tally all;
  tally_costs(all, data.label, data.label, weights, costs);
  return cheapest_class(all);
}

}  // namespace

SplitResult constant_answer(const Dataset& training, const Vector& test_offset, TestTruth truth,
                            const std::optional<Costs>& costs, const AskedOfRows& asked) {
  const Index tested = Index(truth.weights.size());
  const Vector weights = training.weights.size() > 0 ? training.weights : Vector(Vector::Ones(training.size()));
  Model model;
  model.task = training.task;
  model.classes = training.classes;
  Predictions said;
  if (!training.classes.empty()) {
    model.loss = losses::Logistic{};
    if (costs && costs->price.rows() == Index(training.classes.size())) model.costs = costs;
    const Vector shares = class_shares(training, weights);
    Index commonest = 0;
    shares.maxCoeff(&commonest);
    if (model.costs) commonest = cheapest_answer(training, {*model.costs, training.prices}, weights);
    said.label.assign(std::size_t(tested), int(commonest));
    said.probability = shares.transpose().replicate(tested, 1);
    said.output = Matrix::Zero(tested, shares.size() == 2 ? 1 : shares.size());
  } else if (training.task == Task::counts) {
    model.loss = losses::Poisson{};
    truth.offset = test_offset;
    truth.common_rate = common_rates(model.loss, training.targets, training.offset, weights);
    said.value = truth.common_rate.transpose().replicate(tested, 1);
    if (test_offset.size() > 0) said.value.array().colwise() *= test_offset.array().exp();
  } else {
    truth.training_mean = training.targets.transpose() * weights / weights.sum();
    said.value = truth.training_mean.transpose().replicate(tested, 1);
  }
  SplitResult r;
  r.trained = training.size();
  r.tested = tested;
  judge_into(r, model, said, truth, asked);
  return r;
}

}  // namespace lacuna
