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

void put(CalibrationBins& bins, double claimed, bool hit, double weight) {
  CalibrationBin& bin = bins[std::size_t(std::clamp(int(claimed * 10.0), 0, 9))];
  bin.weight += weight;
  bin.claimed += weight * claimed;
  if (hit) bin.hits += weight;
}

void judge_probabilities(const Matrix& p, const std::vector<int>& label, const Vector& weights, Tally& out) {
  out.calibration.resize(10);
  out.predicted.resize(10);
  for (Index i = 0; i < p.rows(); ++i) {
    const int of = label[std::size_t(i)];
    if (of < 0) continue;
    out.foreseen += weights[i];
    const double loss = -std::log(std::max(p(i, of), 1e-300));
    out.log_loss += weights[i] * loss;
    out.loss_squares += weights[i] * loss * loss;
    Index said = 0;
    const double most = p.row(i).maxCoeff(&said);
    put(out.predicted, most, said == of, weights[i]);
    if (p.cols() == 2)
      put(out.calibration, p(i, 1), of == 1, weights[i]);
    else
      put(out.calibration, most, said == of, weights[i]);
  }
}

Judgement judge_classes(const Model& model, const Predictions& said, const TestTruth& truth) {
  Judgement out;
  const std::vector<int> in_model = positions(truth.classes, model.classes),
                         in_data = positions(model.classes, truth.classes);
  const auto n = Index(truth.classes.size());
  out.tally.confusion = Matrix::Zero(n, n);
  std::vector<int> label;  // as the model numbers them
  for (std::size_t i = 0; i < truth.label.size(); ++i) {
    label.push_back(in_model[std::size_t(truth.label[i])]);
    out.unseen += label.back() < 0;
    out.tally.confusion(truth.label[i], in_data[std::size_t(said.label[i])]) += truth.weights[Index(i)];
  }
  out.tally.pairs = pairs_by_class(moderated(model, said.output, said.variance), label, truth.weights, in_data, n);
  if (said.probability.size() > 0 && out.unseen < Index(label.size()))
    judge_probabilities(said.probability, label, truth.weights, out.tally);
  return out;
}

// Rates can be e^700, and sums of their squares are no numbers: they stop where every sum still is one.
constexpr double largest_loss = 1e140;
double capped(double loss) { return std::min(loss, largest_loss * largest_loss); }
double square_of(double loss) { return std::min(loss, largest_loss) * std::min(loss, largest_loss); }
Matrix squares_of(const Matrix& m) { return m.cwiseAbs().cwiseMin(largest_loss).cwiseAbs2(); }

Tally judge_values(const Predictions& said, const TestTruth& truth) {
  Tally out{.weight = truth.weights.sum()};
  const Matrix squares = squares_of(truth.targets - said.value);
  out.squares = squares.transpose() * truth.weights;
  out.loss_squares = truth.weights.dot(squares.rowwise().mean().unaryExpr(&square_of));
  if (truth.training_mean.size() == 0) return out;
  out.spread = squares_of(truth.targets.rowwise() - truth.training_mean.transpose()).transpose() * truth.weights;
  return out;
}

Tally judge_rates(const Model& model, const Predictions& said, const TestTruth& truth) {
  Tally out = judge_values(said, truth);
  out.rates = true;
  out.loss_squares = 0.0;
  for (Index i = 0; i < said.value.rows(); ++i) {
    const double offset = truth.offset.size() > 0 ? truth.offset[i] : 0.0, t = truth.targets(i, 0);
    const double deviance = capped(cost(model.loss, std::log(said.value(i, 0)), t).value);  // as it is said
    out.deviance += truth.weights[i] * deviance;
    out.loss_squares += truth.weights[i] * square_of(deviance);
    out.nothing += truth.weights[i] * cost(model.loss, std::log(truth.common_rate) + offset, t).value;
  }
  return out;
}

}  // namespace

Judgement judge(const Model& model, const Predictions& said, const TestTruth& truth) {
  Judgement out;
  if (!truth.classes.empty())
    out = judge_classes(model, said, truth);
  else
    out.tally = gives_rates(model.loss) ? judge_rates(model, said, truth) : judge_values(said, truth);
  out.scores = scores_of(out.tally);
  return out;
}

}  // namespace lacuna
