#include "lacuna/evaluate/judge.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/criterion/auc.hpp"
#include "lacuna/model/machine.hpp"

namespace lacuna {
namespace {

// Where each name is among `all`; -1: nowhere.
std::vector<int> positions(const std::vector<std::string>& names, const std::vector<std::string>& all) {
  std::vector<int> out;
  for (const std::string& n : names) {
    const auto at = std::find(all.begin(), all.end(), n);
    out.push_back(at == all.end() ? -1 : int(at - all.begin()));
  }
  return out;
}

// One row for each class of the data. Labels are as the model numbers its classes, which `in_data` finds among the
// data's.
Matrix pairs_by_class(const Matrix& z, const std::vector<int>& label, const Vector& weights,
                      const std::vector<int>& in_data, Index classes) {
  Matrix out = Matrix::Zero(classes, 2);
  for (Index c = 0; c < z.cols(); ++c) {
    const int of = z.cols() == 1 ? 1 : int(c);
    std::vector<bool> positive;
    for (const int k : label) positive.push_back(k == of);
    const RankedPairs pairs = ranked_pairs(z.col(c), positive, weights);
    out.row(in_data[std::size_t(of)]) << pairs.won, pairs.all;
  }
  return out;
}

Judgement judge_classes(const Model& model, const Predictions& said, const TestTruth& truth) {
  Judgement out;
  const std::vector<int> in_model = positions(truth.classes, model.classes),
                         in_data = positions(model.classes, truth.classes);
  const auto n = Index(truth.classes.size());
  std::vector<int> label, decided;  // the labels as the model numbers them, the decisions as the data do
  for (std::size_t i = 0; i < truth.label.size(); ++i) {
    label.push_back(in_model[std::size_t(truth.label[i])]);
    decided.push_back(in_data[std::size_t(said.label[i])]);
    out.unseen += label.back() < 0;
  }
  tally_decisions(out.tally, decided, truth.label, truth.weights, n);
  if (model.costs && has_prices(*model.costs, truth.prices))
    tally_costs(out.tally, said.label, label, truth.weights, {*model.costs, truth.prices});
  out.tally.pairs = pairs_by_class(moderated(model, said.output, said.variance), label, truth.weights, in_data, n);
  if (said.probability.size() == 0 || out.unseen == Index(label.size())) return out;
  tally_probabilities(out.tally, said.probability, log_loss(said.probability, label), label, truth.weights);
  return out;
}

Tally judge_rates(const Model& model, const Predictions& said, const TestTruth& truth) {
  Tally out;
  Matrix log_common = truth.common_rate.array().log().matrix().transpose().replicate(said.value.rows(), 1);
  if (truth.offset.size() > 0) log_common.colwise() += truth.offset;
  tally_rates(out, model.loss, said.value.array().log(), log_common, said.value, truth.targets, truth.weights);
  return out;
}

}  // namespace

Judgement judge_predictions(const Model& model, const Predictions& said, const TestTruth& truth) {
  Judgement out;
  if (!truth.classes.empty())
    out = judge_classes(model, said, truth);
  else if (gives_rates(model.loss))
    out.tally = judge_rates(model, said, truth);
  else
    tally_values(out.tally, said.value, truth.targets, truth.training_mean, truth.weights);
  out.scores = scores_of(out.tally);
  return out;
}

}  // namespace lacuna
