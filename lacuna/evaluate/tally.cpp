#include "lacuna/evaluate/tally.hpp"

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

NamedScores class_scores(const Tally& t) {
  const double all = t.confusion.sum();
  NamedScores out{{"error", (all - t.confusion.trace()) / all},
                  {"ber", balanced_error(t.confusion)},
                  {"auc", t.pairs.size() > 0 ? area(t.pairs) : std::nan("")}};
  if (!some(t.foreseen, all)) return out;
  const double xent = t.log_loss / t.foreseen;
  out.emplace_back("xent", xent);
  out.emplace_back("bits", std::log2(double(t.confusion.rows())) - xent / std::numbers::ln2);
  out.emplace_back("calibration", calibration(t.predicted));
  return out;
}

}  // namespace

void add(Tally& to, const Tally& other, double sign) {
  add_to(to.confusion, other.confusion, sign);
  add_to(to.pairs, other.pairs, sign);
  to.log_loss += sign * other.log_loss;
  to.loss_squares += sign * other.loss_squares;
  to.foreseen += sign * other.foreseen;
  add_to(to.calibration, other.calibration, sign);
  add_to(to.predicted, other.predicted, sign);
  to.weight += sign * other.weight;
  add_to(to.squares, other.squares, sign);
  add_to(to.spread, other.spread, sign);
  to.rates = to.rates || other.rates;
  to.deviance += sign * other.deviance;
  to.nothing += sign * other.nothing;
}

NamedScores scores_of(const Tally& t) {
  if (t.confusion.size() > 0) return class_scores(t);
  if (t.squares.size() == 0) return {};
  const double rmse = std::sqrt(std::max(0.0, t.squares.mean()) / t.weight);
  if (t.rates)
    return {{"deviance", std::max(0.0, t.deviance / t.weight)},
            {"d2", t.nothing > 1e-12 * t.weight ? 1.0 - t.deviance / t.nothing : std::nan("")},
            {"rmse", rmse}};
  const double r2 = 1.0 - (t.squares.array() / t.spread.array()).mean();
  return {{"rmse", rmse}, {"r2", std::isfinite(r2) ? r2 : std::nan("")}};
}

}  // namespace lacuna
