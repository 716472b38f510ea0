#include "lacuna/curves/standard_errors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "lacuna/base/paired.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/curves/counted.hpp"
#include "lacuna/curves/ranking.hpp"
#include "lacuna/curves/wilson.hpp"
#include "lacuna/model/held_out_rows.hpp"

namespace lacuna {
namespace {

// Of each row over its repeats, which come one after the other for all rows.
Vector by_row(const Vector& v, Index repeats) {
  const Index n = v.size() / std::max<Index>(1, repeats);
  Vector out = Vector::Zero(n);
  for (Index i = 0; i < v.size(); ++i) out[i % n] += v[i] / double(repeats);
  return out;
}

// Rows that count, and means over them.
struct Means {
  const HeldOutRows& held_out;
  CountedRows rows;
  Vector weight;  // by place

  explicit Means(const Model& model)
      : held_out(model.held_out), rows(counted_rows(model)), weight(Vector::Zero(held_out.rows())) {
    for (Index k = 0; k < rows.size(); ++k) weight[rows.place[std::size_t(k)]] = rows.weight[k];
  }
  double mean(const Vector& v) const { return v.dot(weight) / weight.sum(); }
  /// Of the mean over these rows; NaN: fewer than two count.
  double error(const Vector& v, const std::vector<Index>& of) const {
    const double se = paired(v, weight, held_out.group, of).standard_error;
    return std::isfinite(se) ? se : std::nan("");
  }
  double error(const Vector& v) const { return error(v, rows.place); }
};

// Of the share of rows that are wrong. Where all of them agree the deviations say nothing; the interval of a share
// (wilson.hpp) still has a width.
double share_error(const Means& means, const Vector& wrong, const std::vector<Index>& of) {
  const Paired p = paired(wrong, means.weight, means.held_out.group, of);
  if (!std::isfinite(p.standard_error)) return std::nan("");
  if (p.mean > 0.0 && p.mean < 1.0) return p.standard_error;
  const auto [lower, upper] = wilson(p.mean * p.count, p.count);
  return 0.5 * (upper - lower) / standard_errors_of_95;
}

// Rows of one kind, or the groups that they are of.
double known_of(const CountedRows& rows, const std::vector<bool>& positive, bool kind) {
  std::vector<Index> of;
  std::set<int> groups;
  for (std::size_t k = 0; k < positive.size(); ++k) {
    if (positive[k] != kind) continue;
    of.push_back(Index(k));
    if (!rows.group.empty()) groups.insert(rows.group[k]);
  }
  return rows.group.empty() ? rows_counted(rows.weight(of)) : double(groups.size());
}

void class_errors(const Model& model, const Means& means, NamedScores& out) {
  const HeldOutRows& h = model.held_out;
  const Predictions said = held_out_predictions(model);
  Vector wrong(h.size());
  for (Index i = 0; i < h.size(); ++i) wrong[i] = said.label[std::size_t(i)] != h.label[std::size_t(i)] ? 1.0 : 0.0;
  wrong = by_row(wrong, h.repeats());
  out.emplace_back("error", share_error(means, wrong, means.rows.place));
  double variance = 0.0, seen = 0.0;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    std::vector<Index> of;
    for (const Index i : means.rows.place)
      if (h.label[std::size_t(i)] == int(c)) of.push_back(i);
    if (of.empty()) continue;
    seen += 1.0;
    variance += std::pow(share_error(means, wrong, of), 2.0);
  }
  if (seen > 0.0) out.emplace_back("ber", std::sqrt(variance) / seen);
  if (model.task != Task::binary) return;
  const Matrix z = moderated(model, h.output, h.variance);
  Vector output(means.rows.size());
  std::vector<bool> positive;
  for (const Index i : means.rows.place) {
    output[Index(positive.size())] = z(i, 0);
    positive.push_back(h.label[std::size_t(i)] == 1);
  }
  if (std::ranges::count(positive, true) % Index(positive.size()) == 0) return;
  const double resampled = ranking(output, positive, means.rows.weight, means.rows.group).standard_error;
  const double area = value_of(model.report.held_out, "auc");
  out.emplace_back("auc", std::fmax(resampled, area_error(area, known_of(means.rows, positive, true),
                                                          known_of(means.rows, positive, false))));
}

void value_errors(const Model& model, const Means& means, NamedScores& out) {
  const HeldOutRows& h = model.held_out;
  const double rmse = value_of(model.report.held_out, "rmse");
  const Vector t = h.target.col(0).head(h.rows());
  const Vector residual = (h.target - held_out_predictions(model).value).col(0);
  const double se = means.error(by_row(residual.cwiseAbs2(), h.repeats()));
  if (rmse > 0.0) out.emplace_back("rmse", se / (2.0 * rmse));
  if (gives_rates(model.loss)) return;
  out.emplace_back("press", se);
  const double variance = means.mean((t.array() - means.mean(t)).square().matrix());
  if (variance > 0.0) out.emplace_back("r2", se / variance);
}

}  // namespace

std::vector<TargetScores> held_out_by_target(const Model& model) {
  const HeldOutRows& h = model.held_out;
  std::vector<TargetScores> out;
  if (h.size() == 0 || !knows_weights(model) || model.target_names.size() < 2 || gives_rates(model.loss)) return out;
  const Means means(model);
  const Matrix residual = h.target - held_out_predictions(model).value;
  for (Index c = 0; c < h.target.cols(); ++c) {
    const Vector squares = by_row(residual.col(c).cwiseAbs2(), h.repeats()), t = h.target.col(c).head(h.rows());
    const double mse = means.mean(squares), se = means.error(squares);
    const double variance = means.mean((t.array() - means.mean(t)).square().matrix());
    TargetScores one{
        .name = model.target_names[std::size_t(c)], .rmse = std::sqrt(mse), .of_mean = std::sqrt(variance)};
    one.rmse_error = mse > 0.0 ? se / (2.0 * one.rmse) : 0.0;
    one.r2 = variance > 0.0 ? 1.0 - mse / variance : std::nan("");
    one.r2_error = variance > 0.0 ? se / variance : std::nan("");
    out.push_back(std::move(one));
  }
  return out;
}

NamedScores held_out_standard_errors(const Model& model) {
  const HeldOutRows& h = model.held_out;
  NamedScores out;
  if (h.size() == 0 || !knows_weights(model)) return out;
  const Means means(model);
  const double se = means.error(by_row(held_out_loss(model), h.repeats()));
  if (!model.classes.empty()) {
    class_errors(model, means, out);
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
    const double common = value_of(model.report.baseline, "deviance");
    if (common > 0.0) out.emplace_back("d2", se / common);
  }
  if (model.target_names.size() <= 1) value_errors(model, means, out);  // else scores are means over targets
  return out;
}

}  // namespace lacuna
