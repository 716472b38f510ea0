#include "lacuna/explain/effects.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace lacuna {
namespace {

Rows at_value(const RowsView& X, const InputColumn& column, double value) {
  return with_values(X, column, Vector::Constant(X.rows(), value));
}

Matrix predicted(Predictor& predictor, const EffectRows& rows, const RowsView& X) {
  return told(rows.model, predictor.predict(X, rows.offset));
}

// An observed number with about this share of them below it.
double at_share(const std::vector<double>& sorted, double share) {
  return sorted[std::size_t(std::lround(share * double(sorted.size() - 1)))];
}

std::vector<double> sorted(const Vector& v) {
  std::vector<double> out(v.begin(), v.end());
  std::sort(out.begin(), out.end());
  return out;
}

// How far the mean over these rows may be from that over all rows they were taken from.
double sampling_error(const Vector& values, Index all) {
  const auto n = double(values.size());
  if (values.size() >= all || values.size() < 2) return 0.0;
  const double variance = (values.array() - values.mean()).square().sum() / (n - 1.0);
  return std::sqrt(variance / n * (1.0 - n / double(all)));
}

MeanPrediction mean_of_rows(const Matrix& predictions, Index all) {
  MeanPrediction out;
  for (Index c = 0; c < predictions.cols(); ++c) {
    out.mean.push_back(predictions.col(c).mean());
    out.standard_error.push_back(sampling_error(predictions.col(c), all));
  }
  return out;
}

std::vector<double> levels_in(const Vector& values) {
  std::vector<double> out = sorted(values);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

Matrix told(const Model& model, const Predictions& said) {
  if (model.classes.empty()) return said.rate.size() > 0 ? said.rate : said.value;
  if (said.probability.size() == 0) return moderated(model, said.output, said.variance);
  return model.classes.size() == 2 ? Matrix(said.probability.col(1)) : said.probability;
}

std::string told_name(const Model& model) {
  if (!model.classes.empty()) return has_probabilities(model) ? "probability" : "output";
  return model.task == Task::counts && gives_rates(model.loss) ? "rate" : "value";
}

std::vector<std::string> told_outputs(const Model& model) {
  if (model.classes.size() == 2) return {model.classes[1]};
  if (!model.classes.empty()) return model.classes;
  if (Index(model.target_names.size()) == model.alpha.cols()) return model.target_names;
  std::vector<std::string> out;
  for (Index c = 0; c < model.alpha.cols(); ++c) out.push_back("y" + std::to_string(c + 1));
  return out;
}

Span span_of(const InputColumn& column, const Vector& values, double low, double high) {
  if (!column.categorical) {
    const std::vector<double> order = sorted(values);
    double from = at_share(order, low), to = at_share(order, high);
    if (from == to) from = order.front(), to = order.back();
    return {from, {to}};
  }
  std::map<double, int> count;
  for (const double level : values) ++count[level];
  const auto commonest = std::ranges::max_element(count, {}, [](const auto& of) { return of.second; });
  Span out{commonest->first, {}};
  for (const auto& [level, times] : count)
    if (level != out.from) out.to.push_back(level);
  if (out.to.empty()) out.to.push_back(out.from);
  return out;
}

Effect effect_of(Predictor& predictor, const EffectRows& rows, const InputColumn& column, const Span& span) {
  const Matrix low = predicted(predictor, rows, at_value(rows.X, column, span.from));
  Effect out{.column = column.name,
             .from = value_text(column, span.from),
             .from_value = span.from,
             .at_low = mean_of_rows(low, rows.all)};
  for (const double to : span.to) {
    const Matrix high = predicted(predictor, rows, at_value(rows.X, column, to)), change = high - low;
    const double size = change.colwise().mean().cwiseAbs().maxCoeff();
    if (!out.to.empty() && !(size > out.size)) continue;
    out.to = value_text(column, to);
    out.to_value = to;
    out.at_high = mean_of_rows(high, rows.all);
    const MeanPrediction difference = mean_of_rows(change, rows.all);
    out.change = difference.mean;
    out.standard_error = difference.standard_error;
    out.size = size;
  }
  return out;
}

std::vector<CurvePoint> curve_of(Predictor& predictor, const EffectRows& rows, const InputColumn& column,
                                 const Vector& values, int points) {
  std::vector<double> at = levels_in(values);
  if (!column.categorical && at.size() > std::size_t(points)) {
    const std::vector<double> order = sorted(values);
    at.clear();
    for (int k = 0; k < points; ++k) at.push_back(at_share(order, double(k) / double(points - 1)));
    at.erase(std::unique(at.begin(), at.end()), at.end());
  }
  std::vector<CurvePoint> out;
  for (const double value : at) {
    const Matrix said = predicted(predictor, rows, at_value(rows.X, column, value));
    for (Index c = 0; c < said.cols(); ++c) {
      const std::vector<double> order = sorted(said.col(c));
      out.push_back({.column = column.name,
                     .value = value_text(column, value),
                     .output = int(c),
                     .mean = said.col(c).mean(),
                     .lower = at_share(order, 0.1),
                     .upper = at_share(order, 0.9)});
    }
  }
  return out;
}

PairEffect pair_of(Predictor& predictor, const EffectRows& rows, const Ends& first, const Ends& second) {
  PairEffect out{.first = first.column->name,
                 .second = second.column->name,
                 .first_from = value_text(*first.column, first.from),
                 .first_to = value_text(*first.column, first.to),
                 .second_from = value_text(*second.column, second.from),
                 .second_to = value_text(*second.column, second.to)};
  std::vector<Matrix> corner;
  for (const double a : {first.from, first.to}) {
    const Rows one = at_value(rows.X, *first.column, a);
    for (const double b : {second.from, second.to})
      corner.push_back(predicted(predictor, rows, at_value(one, *second.column, b)));
  }
  for (Index c = 0; c < corner[0].cols(); ++c) {
    std::vector<double> mean;
    for (const Matrix& m : corner) mean.push_back(m.col(c).mean());
    out.interaction.push_back(mean[3] - mean[2] - mean[1] + mean[0]);
    out.size = std::max(out.size, std::abs(out.interaction.back()));
    out.corners.push_back(std::move(mean));
  }
  return out;
}

}  // namespace lacuna
