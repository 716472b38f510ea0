#include "lacuna/evaluate/judge.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

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

double balanced_error(const Matrix& confusion) {
  double sum = 0.0;
  int present = 0;
  for (Index c = 0; c < confusion.rows(); ++c) {
    const double all = confusion.row(c).sum();
    if (!(all > 0.0)) continue;
    sum += (all - confusion(c, c)) / all;
    ++present;
  }
  return sum / present;
}

double auc(const Matrix& z, const std::vector<int>& label, const Vector& weights) {
  double sum = 0.0;
  int defined = 0;
  for (Index c = 0; c < z.cols(); ++c) {
    std::vector<bool> positive;
    for (const int k : label) positive.push_back(k == (z.cols() == 1 ? 1 : int(c)));
    const double area = area_under_curve(z.col(c), positive, weights);
    if (std::isnan(area)) continue;
    sum += area;
    ++defined;
  }
  return sum / defined;  // 0/0 where no class has rows on both sides
}

std::vector<CalibrationBin> calibration_bins(const Matrix& p, const std::vector<int>& label, const Vector& weights) {
  std::vector<CalibrationBin> bins(10);
  for (Index i = 0; i < p.rows(); ++i) {
    Index k = 1;
    const double claimed = p.cols() == 2 ? p(i, 1) : p.row(i).maxCoeff(&k);
    CalibrationBin& bin = bins[std::size_t(std::clamp(int(claimed * 10.0), 0, 9))];
    bin.weight += weights[i];
    bin.claimed += weights[i] * claimed;
    if (label[std::size_t(i)] == int(k)) bin.hits += weights[i];
  }
  return bins;
}

void judge_probabilities(const Matrix& probability, const std::vector<int>& label, const Vector& weights,
                         std::size_t classes, Judgement& out) {
  std::vector<Index> seen;
  for (std::size_t i = 0; i < label.size(); ++i)
    if (label[i] >= 0) seen.push_back(Index(i));
  const Matrix p = probability(seen, Eigen::all);
  const Vector w = weights(seen);
  std::vector<int> of;
  double log_likelihood = 0.0;
  for (std::size_t k = 0; k < seen.size(); ++k) {
    of.push_back(label[std::size_t(seen[k])]);
    log_likelihood += w[Index(k)] * std::log(std::max(p(Index(k), of[k]), 1e-300));
  }
  const double xent = -log_likelihood / w.sum();
  out.scores.emplace_back("xent", xent);
  out.scores.emplace_back("bits", std::log2(double(classes)) - xent / std::numbers::ln2);
  out.scores.emplace_back("calibration", calibration_error(p, of, w));
  out.calibration = calibration_bins(p, of, w);
}

Judgement judge_classes(const Model& model, const Predictions& said, const TestTruth& truth) {
  Judgement out;
  const std::vector<int> in_model = positions(truth.classes, model.classes),
                         in_data = positions(model.classes, truth.classes);
  const auto n = Index(truth.classes.size());
  out.confusion = Matrix::Zero(n, n);
  std::vector<int> label;  // as the model numbers them
  double wrong = 0.0;
  for (std::size_t i = 0; i < truth.label.size(); ++i) {
    label.push_back(in_model[std::size_t(truth.label[i])]);
    out.unseen += label.back() < 0;
    if (in_data[std::size_t(said.label[i])] != truth.label[i]) wrong += truth.weights[Index(i)];
    out.confusion(truth.label[i], in_data[std::size_t(said.label[i])]) += truth.weights[Index(i)];
  }
  out.scores = {{"error", wrong / truth.weights.sum()},
                {"ber", balanced_error(out.confusion)},
                {"auc", auc(said.output, label, truth.weights)}};
  if (said.probability.size() > 0 && out.unseen < Index(label.size()))
    judge_probabilities(said.probability, label, truth.weights, truth.classes.size(), out);
  return out;
}

NamedScores judge_values(const Predictions& said, const TestTruth& truth) {
  const Vector& w = truth.weights;
  const Matrix residual = truth.targets - said.value;
  const Eigen::RowVectorXd mean = w.transpose() * truth.targets / w.sum();
  double r2 = 0.0;
  for (Index c = 0; c < residual.cols(); ++c)
    r2 += 1.0 - w.dot(residual.col(c).cwiseAbs2()) / w.dot((truth.targets.col(c).array() - mean[c]).square().matrix());
  r2 /= double(residual.cols());
  return {{"rmse", root_mean_square(residual, w)}, {"r2", std::isfinite(r2) ? r2 : std::nan("")}};
}

NamedScores judge_rates(const Model& model, const Predictions& said, const TestTruth& truth) {
  double deviance = 0.0, nothing = 0.0;
  for (Index i = 0; i < said.value.rows(); ++i) {
    const double offset = truth.offset.size() > 0 ? truth.offset[i] : 0.0, t = truth.targets(i, 0);
    deviance += truth.weights[i] * cost(model.loss, std::log(said.value(i, 0)), t).value;  // as it is said
    nothing += truth.weights[i] * cost(model.loss, std::log(truth.common_rate) + offset, t).value;
  }
  const double total = truth.weights.sum();
  return {{"deviance", std::max(0.0, deviance / total)},
          {"d2", nothing > 1e-12 * total ? 1.0 - deviance / nothing : std::nan("")},
          {"rmse", root_mean_square(truth.targets - said.value, truth.weights)}};
}

}  // namespace

Judgement judge(const Model& model, const Predictions& said, const TestTruth& truth) {
  if (!truth.classes.empty()) return judge_classes(model, said, truth);
  Judgement out;
  out.scores = gives_rates(model.loss) ? judge_rates(model, said, truth) : judge_values(said, truth);
  return out;
}

}  // namespace lacuna
