#include "lacuna/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "lacuna/base/error.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/compute/host/precise.hpp"
#include "lacuna/criterion/criterion.hpp"
#include "lacuna/data/centre.hpp"
#include "lacuna/machine/gp.hpp"
#include "lacuna/model/detail/interval_widths.hpp"
#include "lacuna/model/detail/largest_log_rate.hpp"
#include "lacuna/model/machine.hpp"

namespace lacuna {
namespace {

using detail::largest_log_rate;

Matrix rates(const Matrix& log_rate) { return log_rate.array().max(-largest_log_rate).min(largest_log_rate).exp(); }

// An end of an interval that no double can hold is the largest that one can.
Matrix within_doubles(const Matrix& m) {
  constexpr double most = std::numeric_limits<double>::max();
  return m.cwiseMax(-most).cwiseMin(most);
}

// The share of values nearer to the middle than the quantile of p.
double level_of(double p) { return std::abs(2.0 * p - 1.0); }

// For each of these levels, in order, a row: up to the last whose rank is one of the rows.
Matrix widths_at(const std::vector<double>& levels, const Matrix& residual, const Vector& weights, double one) {
  constexpr double fewest = 10.0;
  const double total = weights.sum();
  if (total < (fewest - weight_rounding) * weight_of_one_row(weights)) return {};
  const auto known = std::ranges::count_if(levels, [&](double level) { return level * (total + one) <= total; });
  Matrix width(Index(known), residual.cols());
  for (Index c = 0; c < width.cols(); ++c) {
    std::vector<std::pair<double, double>> r;
    for (Index i = 0; i < residual.rows(); ++i)
      if (weights[i] > 0.0) r.emplace_back(std::abs(residual(i, c)), weights[i]);
    for (Index k = 0; k < width.rows(); ++k) width(k, c) = value_at_weight(r, levels[std::size_t(k)] * (total + one));
  }
  return width;
}

Vector half_width(const Matrix& residual, const Vector& weights, double level, double one) {
  const Matrix width = widths_at({level}, residual, weights, one);
  return width.rows() == 0 ? Vector() : Vector(width.row(0));
}

Matrix half_widths(const Matrix& residual, const Vector& weights, double one) {
  std::vector<double> levels;
  for (int percent = 1; percent < 100; ++percent) levels.push_back(percent / 100.0);
  return widths_at(levels, residual, weights, one);
}

}  // namespace

Vector interval_half_width(const Matrix& residual, const Vector& weights, double level) {
  return half_width(residual, weights, level, weight_of_one_row(weights));
}

Matrix interval_half_widths(const Matrix& residual, const Vector& weights) {
  return half_widths(residual, weights, weight_of_one_row(weights));
}

double detail::weight_of_what_is_new(const Vector& weights, const std::vector<int>& group) {
  std::set<int> groups;
  for (std::size_t i = 0; i < group.size(); ++i)
    if (weights[Index(i)] > 0.0) groups.insert(group[i]);
  const double row = weight_of_one_row(weights);
  return groups.size() > 1 ? std::max(row, weights.sum() / double(groups.size())) : row;
}

void set_widths(Intervals& intervals, const Matrix& residual, const Vector& weights) {
  detail::set_widths(intervals, residual, weights, weight_of_one_row(weights));
}

void detail::set_widths(Intervals& intervals, const Matrix& residual, const Vector& weights, double of_what_is_new) {
  intervals.half_width = lacuna::half_width(residual, weights, intervals.level, of_what_is_new);
  const bool known = intervals.half_width.size() > 0;
  intervals.by_percent = known ? half_widths(residual, weights, of_what_is_new) : Matrix();
  intervals.deviation =
      known ? Vector((residual.cwiseAbs2().transpose() * weights / weights.sum()).cwiseSqrt()) : Vector();
}

Vector half_width_at(const Intervals& intervals, double level) {
  if (!(level > 0.0 && level < 1.0)) fail_usage(fmt::format("interval: the level {} is not between 0 and 1", level));
  if (intervals.half_width.size() == 0)
    fail_usage(
        "interval: this model has no intervals; they are for values, and need ten held-out rows at least, and as many "
        "groups where rows have groups");
  constexpr double rounding = 1e-9;
  const auto percent = Index(std::ceil(100.0 * level - rounding));
  if (std::abs(level - intervals.level) <= rounding) return intervals.half_width;
  if (intervals.by_percent.rows() == 0)
    fail_usage(
        fmt::format("interval: this model was written by an older program and knows intervals of the level {} only",
                    intervals.level));
  if (percent > intervals.by_percent.rows())
    fail_usage(fmt::format("interval: the level {} is above {}, the highest that the held-out rows of this model give",
                           level, double(intervals.by_percent.rows()) / 100.0));
  return intervals.by_percent.row(percent - 1);
}

void check_wanted(const Model& model, const PredictOptions& options) {
  if (options.variance && !model.inference && !model.process)
    fail_usage(
        fmt::format("predict: variances are those of Gaussian processes: gp-laplace, gp-ep, and ls-svm for values "
                    "on all rows (no basis, no precomputed kernel, no stack); this is {}{}",
                    model.members.empty() ? model.report.model : "a stack",
                    is_quadratic(model.loss) && model.classes.empty() ? ", without what they need" : ""));
  if (options.quantiles.empty() && !options.deviation) return;
  const char* what = options.quantiles.empty() ? "standard deviations" : "quantiles";
  if (!model.classes.empty()) fail_usage(fmt::format("predict: {} are of values; this model predicts classes", what));
  if (gives_rates(model.loss))
    fail_usage(
        fmt::format("predict: {} are of values; model {} knows the mean of what it predicts, and not how it "
                    "scatters about that",
                    what, model.report.model));
  if (model.intervals.half_width.size() == 0)
    fail_usage(fmt::format("predict: this model has no {}; they need ten held-out rows at least", what));
  if (options.deviation && model.intervals.deviation.size() == 0)
    fail_usage("predict: this model was written by an older program and has no standard deviations");
  for (const double p : options.quantiles) {
    if (!(p > 0.0 && p < 1.0)) fail_usage(fmt::format("predict: the quantile {} is not between 0 and 1", p));
    if (p != 0.5) half_width_at(model.intervals, level_of(p));
  }
}

bool has_probabilities(const Model& model) {
  return !model.classes.empty() && (gives_probabilities(model.loss) || model.calibration.fitted);
}

Matrix moderated(const Model& model, const Matrix& output, const Matrix& variance) {
  if (variance.size() == 0) return output;
  Matrix z(output.rows(), output.cols());
  for (Index c = 0; c < z.cols(); ++c) z.col(c) = moderated(model.loss, {output.col(c), variance.col(c)});
  return z;
}

Matrix log_squared_noise(const Noise& noise, const RowsView& X, const Backend& backend) {
  const Rows centred = noise.centre.size() > 0 ? about(X, noise.centre) : Rows();
  const RowsView rows = noise.centre.size() > 0 ? RowsView(centred) : X;
  const Matrix z = wants_precision(noise.kernel, noise.X, noise.alpha)
                       ? expand_precisely(noise.kernel, rows, noise.X, noise.alpha)
                       : backend.expand(noise.kernel, rows, noise.X, noise.alpha);
  return z.rowwise() + noise.b.transpose();
}

Matrix noise_at(const Noise& noise, const RowsView& X, const Backend& backend) {
  Matrix z = log_squared_noise(noise, X, backend);
  for (Index c = 0; c < noise.least.size(); ++c)
    z.col(c) = z.col(c).cwiseMax(noise.least[c]).cwiseMin(noise.largest[c]);
  return rates(0.5 * z);
}

Predictions interpret(const Model& model, Matrix output, const Vector& offset, Matrix variance, Matrix noise,
                      const PredictOptions& options) {
  check_wanted(model, options);
  Predictions out;
  out.noise = std::move(noise);
  out.output = std::move(output);
  out.variance = std::move(variance);
  const auto classes = int(model.classes.size());
  if (classes > 0) {
    const Matrix z = moderated(model, out.output, out.variance);
    if (has_probabilities(model)) out.probability = probabilities(model.loss, model.calibration, z, classes);
    out.label = decided_labels(model, z, out.probability, options.prices);
    return out;
  }
  if (gives_rates(model.loss)) {
    out.value = out.output;
    if (offset.size() > 0) out.value.colwise() += offset;
    out.value = rates(out.value);
    if (model.task == Task::counts) out.rate = rates(out.output);
    return out;
  }
  out.value = out.output;
  const Vector& width = model.intervals.half_width;
  if (width.size() == 0 || (model.intervals.noise && out.noise.size() == 0)) return out;
  const auto times_noise = [&](const Vector& of_targets) {
    Matrix all = of_targets.transpose().replicate(out.output.rows(), 1);
    if (model.intervals.noise) all.array() *= out.noise.array();
    return all;
  };
  const Matrix half = times_noise(width);
  out.lower = within_doubles(out.output - half);
  out.upper = within_doubles(out.output + half);
  if (model.intervals.deviation.size() > 0) out.deviation = within_doubles(times_noise(model.intervals.deviation));
  // The ends of the interval in whose middle is the value itself: of level 1 - 2p, or 2p - 1.
  for (const double p : options.quantiles)
    out.quantiles.push_back(
        p == 0.5 ? out.value
                 : within_doubles(out.output +
                                  (p < 0.5 ? -1.0 : 1.0) * times_noise(half_width_at(model.intervals, level_of(p)))));
  return out;
}

Predictions join_predictions(const std::vector<Predictions>& parts) {
  Predictions out;
  if (parts.empty()) return out;
  const auto join = [&](const auto& of) {
    Index rows = 0;
    for (const Predictions& part : parts) rows += of(part).rows();
    Matrix all(rows, of(parts[0]).cols());
    Index first = 0;
    for (const Predictions& part : parts) {
      all.middleRows(first, of(part).rows()) = of(part);
      first += of(part).rows();
    }
    return all;
  };
  for (auto member :
       {&Predictions::output, &Predictions::variance, &Predictions::probability, &Predictions::value,
        &Predictions::rate, &Predictions::lower, &Predictions::upper, &Predictions::noise, &Predictions::deviation})
    out.*member = join([member](const Predictions& p) -> const Matrix& { return p.*member; });
  for (std::size_t k = 0; k < parts[0].quantiles.size(); ++k)
    out.quantiles.push_back(join([k](const Predictions& p) -> const Matrix& { return p.quantiles[k]; }));
  for (const Predictions& part : parts) out.label.insert(out.label.end(), part.label.begin(), part.label.end());
  return out;
}

Predictions held_out_predictions(const Model& model) {
  const HeldOutRows& h = model.held_out;
  return interpret(model, h.output, h.offset, h.variance, {}, {.prices = h.prices});
}

Vector held_out_loss(const Model& model) {
  const HeldOutRows& h = model.held_out;
  if (has_probabilities(model))
    return log_loss(model.loss, model.calibration, moderated(model, h.output, h.variance), h.label);
  Vector out = Vector::Zero(h.size());
  for (Index i = 0; i < h.size(); ++i)
    for (Index c = 0; c < h.output.cols(); ++c) {
      const bool classes = !h.label.empty();
      const bool own =
          h.output.cols() == 1 ? classes && h.label[std::size_t(i)] == 1 : classes && h.label[std::size_t(i)] == c;
      const double t = h.target.size() > 0 ? h.target(i, c) : own ? 1.0 : -1.0;
      double z = h.output(i, c) + (h.offset.size() > 0 ? h.offset[i] : 0.0);
      if (gives_rates(model.loss)) z = std::clamp(z, -largest_log_rate, largest_log_rate);
      const double loss = is_quadratic(model.loss) ? (t - z) * (t - z) : cost(model.loss, z, t).value;
      out[i] += loss / double(h.output.cols());
    }
  return out;
}

}  // namespace lacuna
