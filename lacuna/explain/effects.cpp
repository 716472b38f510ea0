#include "lacuna/explain/effects.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "lacuna/base/weights.hpp"

namespace lacuna {
namespace {

Rows at_value(const RowsView& X, const InputColumn& column, double value) {
  return with_values(X, column, Vector::Constant(X.rows(), value));
}

Matrix predicted(Predictor& predictor, const EffectRows& rows, const RowsView& X) {
  return told(rows.model, predictor.predict(X, rows.offset));
}

// Values in order, with the share of all weight that they and smaller ones have.
class InOrder {
 public:
  InOrder(const Vector& value, const Vector& weight) {
    for (Index i = 0; i < value.size(); ++i)
      if (weight[i] > 0.0) values_.emplace_back(value[i], weight[i]);
    std::sort(values_.begin(), values_.end());
    double sum = 0.0;
    for (auto& [of, reached] : values_) reached = sum += reached;
  }
  /// A value with this share of the weight below it; from one half up, with the rest of the weight above it.
  double at_share(double share) const {
    const double all = values_.back().second;
    const auto reached = [](const auto& v) { return v.second; };
    const auto at = share < 0.5 ? std::ranges::upper_bound(values_, (share + weight_rounding) * all, {}, reached)
                                : std::ranges::lower_bound(values_, (share - weight_rounding) * all, {}, reached);
    return at == values_.end() ? values_.back().first : at->first;
  }
  double least() const { return values_.front().first; }
  double largest() const { return values_.back().first; }
  std::vector<double> distinct() const {
    std::vector<double> out;
    for (const auto& [value, reached] : values_)
      if (out.empty() || value != out.back()) out.push_back(value);
    return out;
  }

 private:
  std::vector<std::pair<double, double>> values_;
};

double mean_by_weight(const Vector& values, const Vector& weight) { return values.dot(weight) / weight.sum(); }

// How far the mean over these rows, a sample drawn whatever their weights, may be from that over all rows they were
// taken from.
double sampling_error(const Vector& values, const Vector& weight, double mean, Index all) {
  const auto n = double(values.size());
  if (values.size() >= all || values.size() < 2) return 0.0;
  const double squares = (weight.array() * (values.array() - mean)).square().sum();
  return std::sqrt(squares * n / (n - 1.0) * (1.0 - n / double(all))) / weight.sum();
}

MeanPrediction mean_of_rows(const Matrix& predictions, const EffectRows& rows) {
  MeanPrediction out;
  for (Index c = 0; c < predictions.cols(); ++c) {
    out.mean.push_back(mean_by_weight(predictions.col(c), rows.weight));
    out.standard_error.push_back(sampling_error(predictions.col(c), rows.weight, out.mean.back(), rows.all));
  }
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

Span span_of(const InputColumn& column, const Observed& values, double low, double high) {
  if (!column.categorical) {
    const InOrder order(values.value, values.weight);
    double from = order.at_share(low), to = order.at_share(high);
    if (from == to) from = order.least(), to = order.largest();
    return {from, {to}};
  }
  std::map<double, double> count;
  for (Index i = 0; i < values.value.size(); ++i)
    if (values.weight[i] > 0.0) count[values.value[i]] += values.weight[i];
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
             .at_low = mean_of_rows(low, rows)};
  for (const double to : span.to) {
    const Matrix high = predicted(predictor, rows, at_value(rows.X, column, to)), change = high - low;
    const MeanPrediction difference = mean_of_rows(change, rows);
    double size = 0.0;
    for (const double of_output : difference.mean) size = std::max(size, std::abs(of_output));
    if (!out.to.empty() && !(size > out.size)) continue;
    out.to = value_text(column, to);
    out.to_value = to;
    out.at_high = mean_of_rows(high, rows);
    out.change = difference.mean;
    out.standard_error = difference.standard_error;
    out.size = size;
  }
  return out;
}

std::vector<CurvePoint> curve_of(Predictor& predictor, const EffectRows& rows, const InputColumn& column,
                                 const Observed& values, int points) {
  const InOrder order(values.value, values.weight);
  std::vector<double> at = order.distinct();
  if (!column.categorical && at.size() > std::size_t(points)) {
    at.clear();
    for (int k = 0; k < points; ++k) at.push_back(order.at_share(double(k) / double(points - 1)));
    at.erase(std::unique(at.begin(), at.end()), at.end());
  }
  std::vector<CurvePoint> out;
  for (const double value : at) {
    const Matrix said = predicted(predictor, rows, at_value(rows.X, column, value));
    for (Index c = 0; c < said.cols(); ++c) {
      const InOrder predicted(said.col(c), rows.weight);
      out.push_back({.column = column.name,
                     .value = value_text(column, value),
                     .at = value,
                     .output = int(c),
                     .mean = mean_by_weight(said.col(c), rows.weight),
                     .lower = predicted.at_share(0.1),
                     .upper = predicted.at_share(0.9)});
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
    for (const Matrix& m : corner) mean.push_back(mean_by_weight(m.col(c), rows.weight));
    out.interaction.push_back(mean[3] - mean[2] - mean[1] + mean[0]);
    out.size = std::max(out.size, std::abs(out.interaction.back()));
    out.corners.push_back(std::move(mean));
  }
  return out;
}

}  // namespace lacuna
