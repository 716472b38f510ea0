#include "lacuna/curves/standard_errors.hpp"

#include <cmath>
#include <numbers>

namespace lacuna {
namespace {

double deviation(const Vector& v) {
  return v.size() < 2 ? std::nan("") : std::sqrt((v.array() - v.mean()).square().sum() / double(v.size() - 1));
}

// Of each row over its repeats, which come one after the other for all rows.
Vector by_row(const Vector& v, Index repeats) {
  const Index n = v.size() / repeats;
  Vector out = Vector::Zero(n);
  for (Index i = 0; i < v.size(); ++i) out[i % n] += v[i] / double(repeats);
  return out;
}

void class_errors(const Model& model, const Predictions& said, Index repeats, NamedScores& out) {
  const HeldOutRows& h = model.held_out;
  Vector wrong(h.size());
  for (Index i = 0; i < h.size(); ++i) wrong[i] = said.label[std::size_t(i)] != h.label[std::size_t(i)] ? 1.0 : 0.0;
  wrong = by_row(wrong, repeats);
  const auto n = double(wrong.size());
  const double p = wrong.mean();
  out.emplace_back("error", std::sqrt(p * (1.0 - p) / n));
  const auto classes = model.classes.size();
  double variance = 0.0, seen = 0.0;
  for (std::size_t c = 0; c < classes; ++c) {
    double rows = 0.0, errors = 0.0;
    for (Index i = 0; i < wrong.size(); ++i)
      if (h.label[std::size_t(i)] == int(c)) rows += 1.0, errors += wrong[i];
    if (rows == 0.0) continue;
    seen += 1.0;
    variance += errors / rows * (1.0 - errors / rows) / rows;
  }
  if (seen > 0.0) out.emplace_back("ber", std::sqrt(variance) / seen);
}

}  // namespace

NamedScores held_out_standard_errors(const Model& model) {
  const HeldOutRows& h = model.held_out;
  NamedScores out;
  if (h.size() == 0 || model.report.weighted) return out;
  const Index repeats = h.repeats();
  const Vector loss = by_row(held_out_loss(model), repeats);
  const double se = deviation(loss) / std::sqrt(double(loss.size()));
  if (!model.classes.empty()) {
    class_errors(model, held_out_predictions(model), repeats, out);
    if (has_probabilities(model)) {
      out.emplace_back("xent", se);
      out.emplace_back("bits", se / std::numbers::ln2);
    } else {
      out.emplace_back("press", se);
    }
    return out;
  }
  if (gives_rates(model.loss)) {
    out.emplace_back("deviance", se);
    return out;
  }
  if (model.target_names.size() > 1) return out;  // scores are means over targets
  const double rmse = value_of(model.report.held_out, "rmse");
  const Vector t = h.target.col(0);
  const Vector squares = by_row((h.target - held_out_predictions(model).value).col(0).array().square(), repeats);
  const double se_squares = deviation(squares) / std::sqrt(double(squares.size()));
  out.emplace_back("press", se_squares);
  if (rmse > 0.0) out.emplace_back("rmse", se_squares / (2.0 * rmse));
  const double variance = (t.array() - t.mean()).square().mean();
  if (variance > 0.0) out.emplace_back("r2", se_squares / variance);
  return out;
}

}  // namespace lacuna
