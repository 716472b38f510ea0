#include "lacuna/model/tally.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lacuna {
namespace {

template <class M>
void add_to(M& to, const M& other, double sign) {
  if (other.size() == 0) return;
  if (to.size() == 0)
    to = sign * other;
  else
    to += sign * other;
}

void add_to(CalibrationBins& to, const CalibrationBins& other, double sign) {
  if (to.size() < other.size()) to.resize(other.size());
  for (std::size_t b = 0; b < other.size(); ++b) {
    to[b].weight += sign * other[b].weight;
    to[b].claimed += sign * other[b].claimed;
    to[b].hits += sign * other[b].hits;
  }
}

// Rates can be e^700, and sums of their squares are no numbers: they stop where every sum still is one.
constexpr double largest_loss = 1e140;
double capped(double loss) { return std::min(loss, largest_loss * largest_loss); }
double square_of(double loss) { return std::min(loss, largest_loss) * std::min(loss, largest_loss); }
Matrix squares_of(const Matrix& m) { return m.cwiseAbs().cwiseMin(largest_loss).cwiseAbs2(); }

void put(CalibrationBins& bins, double claimed, bool hit, double weight) {
  CalibrationBin& bin = bins[std::size_t(std::clamp(int(claimed * 10.0), 0, 9))];
  bin.weight += weight;
  bin.claimed += weight * claimed;
  if (hit) bin.hits += weight;
}

// What is left of a sum of many when all but none of it is taken away again is rounding.
bool some(double weight, double of) { return weight > 1e-9 * of; }

double balanced_error(const Matrix& confusion) {
  double sum = 0.0;
  int present = 0;
  for (Index c = 0; c < confusion.rows(); ++c) {
    const double all = confusion.row(c).sum();
    if (!some(all, confusion.sum())) continue;
    sum += (all - confusion(c, c)) / all;
    ++present;
  }
  return sum / present;
}

double area(const Matrix& pairs) {
  double sum = 0.0;
  int defined = 0;
  for (Index c = 0; c < pairs.rows(); ++c) {
    if (!some(pairs(c, 1), pairs.col(1).maxCoeff())) continue;
    sum += pairs(c, 0) / pairs(c, 1);
    ++defined;
  }
  return sum / defined;  // 0/0 where no class has rows on both sides
}

double calibration(const CalibrationBins& bins) {
  double off = 0.0, weight = 0.0;
  for (const CalibrationBin& b : bins) {
    off += std::abs(b.claimed - b.hits);
    weight += b.weight;
  }
  return off / weight;
}

NamedScores scores_of_classes(const Tally& t) {
  const double all = t.confusion.sum();
  NamedScores out{{"error", (all - t.confusion.trace()) / all},
                  {"ber", balanced_error(t.confusion)},
                  {"auc", t.pairs.size() > 0 ? area(t.pairs) : std::nan("")}};
  if (some(t.foreseen, all)) {
    const double xent = t.log_loss / t.foreseen;
    out.emplace_back("xent", xent);
    out.emplace_back("bits", information(xent, t.confusion.rows()));
    out.emplace_back("calibration", calibration(t.predicted));
  }
  if (t.constant_cost.size() > 0) out.emplace_back("cost", t.cost / t.priced);
  return out;
}

NamedScores baseline_of_classes(const Tally& t) {
  const double all = t.confusion.sum();
  double most = 0.0, entropy = 0.0;
  int present = 0;
  for (Index c = 0; c < t.confusion.rows(); ++c) {
    const double share = t.confusion.row(c).sum() / all;
    if (!some(share, 1.0)) continue;
    most = std::max(most, share);
    entropy -= share * std::log(share);
    ++present;
  }
  NamedScores out{{"error", 1.0 - most}, {"ber", 1.0 - 1.0 / present}, {"auc", 0.5}};
  if (some(t.foreseen, all)) {
    out.emplace_back("xent", entropy);
    out.emplace_back("bits", information(entropy, t.confusion.rows()));
  }
  if (t.constant_cost.size() > 0) out.emplace_back("cost", t.constant_cost.minCoeff() / t.priced);
  return out;
}

}  // namespace

void tally_decisions(Tally& to, const std::vector<int>& decided, const std::vector<int>& label, const Vector& weights,
                     Index classes) {
  if (to.confusion.size() == 0) to.confusion = Matrix::Zero(classes, classes);
  for (std::size_t i = 0; i < label.size(); ++i) to.confusion(label[i], decided[i]) += weights[Index(i)];
}

void tally_costs(Tally& to, const std::vector<int>& decided, const std::vector<int>& label, const Vector& weights,
                 const RowCosts& costs) {
  if (to.constant_cost.size() == 0) to.constant_cost = Vector::Zero(costs.classes());
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] < 0) continue;
    const double w = weights[Index(i)], its = costs.price(Index(i), label[i], decided[i]);
    to.priced += w;
    to.cost += w * its;
    to.cost_squares += w * its * its;
    to.weight_squares += w * w;
    for (Index k = 0; k < costs.classes(); ++k) to.constant_cost[k] += w * costs.price(Index(i), label[i], k);
  }
}

void tally_probabilities(Tally& to, const Matrix& p, const Vector& log_loss, const std::vector<int>& label,
                         const Vector& weights) {
  to.calibration.resize(10);
  to.predicted.resize(10);
  for (Index i = 0; i < p.rows(); ++i) {
    const int of = label[std::size_t(i)];
    if (of < 0) continue;
    to.foreseen += weights[i];
    to.log_loss += weights[i] * log_loss[i];
    to.loss_squares += weights[i] * log_loss[i] * log_loss[i];
    Index predicted = 0;
    const double most = p.row(i).maxCoeff(&predicted);
    put(to.predicted, most, predicted == of, weights[i]);
    if (p.cols() == 2)
      put(to.calibration, p(i, 1), of == 1, weights[i]);
    else
      put(to.calibration, most, predicted == of, weights[i]);
  }
}

Vector log_loss(const Matrix& probability, const std::vector<int>& label) {
  Vector out = Vector::Zero(probability.rows());
  for (Index i = 0; i < out.size(); ++i)
    if (const int of = label[std::size_t(i)]; of >= 0) out[i] = -std::log(std::max(probability(i, of), 1e-300));
  return out;
}

void tally_values(Tally& to, const Matrix& value, const Matrix& target, const Vector& mean, const Vector& weights) {
  Tally rows{.weight = weights.sum()};
  const Matrix squares = squares_of(target - value);
  rows.squares = squares.transpose() * weights;
  rows.square_squares = weights.dot(squares.rowwise().mean().unaryExpr(&square_of));
  if (mean.size() > 0) rows.spread = squares_of(target.rowwise() - mean.transpose()).transpose() * weights;
  add_tally(to, rows);
}

void tally_rates(Tally& to, const Loss& loss, const Matrix& log_rate, const Matrix& log_common, const Matrix& rate,
                 const Matrix& target, const Vector& weights) {
  Tally rows;
  tally_values(rows, rate, target, {}, weights);
  rows.rates = true;
  const auto m = double(target.cols());
  const bool likelihood = has_likelihood(loss);
  for (Index i = 0; i < target.rows(); ++i) {
    double deviance = 0.0, nothing = 0.0, constant = 0.0;
    for (Index c = 0; c < target.cols(); ++c) {
      deviance += capped(cost(loss, log_rate(i, c), target(i, c)).value) / m;
      if (likelihood) constant += (loss_floor(loss, target(i, c)) + normaliser(loss, target(i, c))) / m;
      if (log_common.size() > 0) nothing += cost(loss, log_common(i, c), target(i, c)).value / m;
    }
    rows.deviance += weights[i] * deviance;
    if (likelihood) rows.log_loss += weights[i] * (0.5 * deviance + constant), rows.foreseen += weights[i];
    rows.loss_squares += weights[i] * square_of(deviance);
    rows.nothing += weights[i] * nothing;
  }
  add_tally(to, rows);
}

Vector common_rates(const Loss& loss, const Matrix& target, const Vector& offset, const Vector& weights) {
  const bool counts = targets_of(loss) == losses::Targets::counts;
  Vector above = Vector::Zero(target.cols());
  double below = 0.0;
  for (Index i = 0; i < target.rows(); ++i) {
    const double exposure = offset.size() > 0 ? std::exp(offset[i]) : 1.0;
    above += weights[i] / (counts ? 1.0 : exposure) * target.row(i).transpose();
    below += weights[i] * (counts ? exposure : 1.0);
  }
  return above / below;
}

void add_tally(Tally& to, const Tally& other, double sign) {
  add_to(to.confusion, other.confusion, sign);
  add_to(to.pairs, other.pairs, sign);
  to.log_loss += sign * other.log_loss;
  to.loss_squares += sign * other.loss_squares;
  to.square_squares += sign * other.square_squares;
  to.foreseen += sign * other.foreseen;
  add_to(to.calibration, other.calibration, sign);
  add_to(to.predicted, other.predicted, sign);
  to.cost += sign * other.cost;
  to.priced += sign * other.priced;
  to.cost_squares += sign * other.cost_squares;
  to.weight_squares += sign * other.weight_squares;
  add_to(to.constant_cost, other.constant_cost, sign);
  to.weight += sign * other.weight;
  add_to(to.squares, other.squares, sign);
  add_to(to.spread, other.spread, sign);
  to.rates = to.rates || other.rates;
  to.deviance += sign * other.deviance;
  to.nothing += sign * other.nothing;
}

NamedScores scores_of(const Tally& t) {
  if (t.confusion.size() > 0) return scores_of_classes(t);
  if (t.squares.size() == 0) return {};
  const double rmse = std::sqrt(std::max(0.0, t.squares.mean()) / t.weight);
  if (t.rates) {
    NamedScores out{{"deviance", std::max(0.0, t.deviance / t.weight)},
                    {"d2", t.nothing > 1e-12 * t.weight ? 1.0 - t.deviance / t.nothing : std::nan("")},
                    {"rmse", rmse}};
    if (some(t.foreseen, t.weight)) out.emplace_back("nll", t.log_loss / t.foreseen);
    return out;
  }
  if (t.spread.size() == 0) return {{"rmse", rmse}};
  const double r2 = 1.0 - (t.squares.array() / t.spread.array()).mean();
  return {{"rmse", rmse}, {"r2", std::isfinite(r2) ? r2 : std::nan("")}};
}

NamedScores baseline_of(const Tally& t) {
  if (t.confusion.size() > 0) return baseline_of_classes(t);
  if (t.squares.size() == 0) return {};
  if (t.rates) {
    NamedScores out{{"deviance", std::max(0.0, t.nothing / t.weight)}, {"d2", 0.0}};
    // Half the deviance is minus the log-likelihood but for what does not depend on the rate.
    if (some(t.foreseen, t.weight)) out.emplace_back("nll", (t.log_loss + 0.5 * (t.nothing - t.deviance)) / t.foreseen);
    return out;
  }
  if (t.spread.size() == 0) return {};
  return {{"rmse", std::sqrt(std::max(0.0, t.spread.mean()) / t.weight)}, {"r2", 0.0}};
}

int cheapest_class(const Tally& t) {
  Index best = -1;
  if (t.constant_cost.size() > 0) t.constant_cost.minCoeff(&best);
  return int(best);
}

double cost_error(const Tally& t) {
  if (t.constant_cost.size() == 0 || !(t.priced > 0.0)) return std::nan("");
  const double mean = t.cost / t.priced, variance = std::max(0.0, t.cost_squares / t.priced - mean * mean);
  return std::sqrt(variance * t.weight_squares) / t.priced;
}

std::vector<ClassScores> class_scores(const Matrix& confusion) {
  std::vector<ClassScores> out;
  for (Index c = 0; c < confusion.rows(); ++c) {
    const double rows = confusion.row(c).sum(), decided = c < confusion.cols() ? confusion.col(c).sum() : 0.0;
    const auto share = [&](double of) { return some(of, confusion.sum()) ? confusion(c, c) / of : std::nan(""); };
    out.push_back({rows, share(rows), share(decided)});
  }
  return out;
}

double information(double log_loss, Index classes) { return std::log2(double(classes)) - log_loss / std::numbers::ln2; }

double value_of(const NamedScores& scores, std::string_view name) {
  for (const auto& [its, value] : scores)
    if (its == name) return value;
  return std::nan("");
}

}  // namespace lacuna
