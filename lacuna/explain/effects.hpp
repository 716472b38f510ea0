// explain/effects.hpp -- what a model predicts, on average over rows, when one column (or two) is the same in all of
// them and every other is as it is: partial dependence. For a linear machine that predicts values, the change from a to
// b is its coefficient times b - a.
//
// Cost: two predictions of every row for each column, or one for each point of a curve or corner of a pair.
#pragma once

#include "lacuna/explain/explain.hpp"
#include "lacuna/model/predictor.hpp"

namespace lacuna {

/// What is told of a prediction: the probability of the positive class or of each class, else the outputs; values;
/// expected counts for an exposure of one.
Matrix told(const Model& model, const Predictions& predictions);
/// Its name ("probability", "output", "value", "rate"), and what each of its columns is of.
std::string told_name(const Model& model);
std::vector<std::string> told_outputs(const Model& model);

/// Rows that effects are means over, out of all that there are.
struct EffectRows {
  const Model& model;
  Rows X;         ///< the sample
  Vector offset;  ///< of its rows
  Vector weight;  ///< of its rows
  Index all = 0;  ///< rows that it was taken from
};

/// The values of a column in all rows, and the weights of these rows.
struct Observed {
  const Vector& value;
  const Vector& weight;
};

/// Two values of a column between which its effect is taken: its low and high quantile by the rows' weight, or the
/// extremes where these are equal. Of a category the commonest level, and every other that occurs.
struct Span {
  double from = 0.0;
  std::vector<double> to{};
};
Span span_of(const InputColumn& column, const Observed& values, double low, double high);

Effect effect_of(Predictor& predictor, const EffectRows& rows, const InputColumn& column, const Span& span);
std::vector<CurvePoint> curve_of(Predictor& predictor, const EffectRows& rows, const InputColumn& column,
                                 const Observed& values, int points);
/// Between the ends of two effects, as values of the columns.
struct Ends {
  const InputColumn* column = nullptr;
  double from = 0.0, to = 0.0;
};
PairEffect pair_of(Predictor& predictor, const EffectRows& rows, const Ends& first, const Ends& second);

}  // namespace lacuna
