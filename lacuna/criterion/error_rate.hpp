// criterion/error_rate.hpp -- how often the predicted label is wrong. It has no derivative.
#pragma once

#include "lacuna/criterion/score.hpp"

namespace lacuna {

struct ErrorRate {
  static constexpr std::string_view id = "error";
  static constexpr Judges judges = Judges::label;
  static constexpr bool differentiable = false;

  static CriterionScore score(const Matrix& z, const Truth& truth, bool, const CriterionOptions&) {
    const std::vector<int> predicted = predicted_labels(z, truth.classes);
    double wrong = 0.0;
    for (std::size_t i = 0; i < predicted.size(); ++i)
      if (predicted[i] != truth.label[i]) wrong += truth.weights[Index(i)];
    return {wrong / truth.weights.sum(), {}};
  }
};

}  // namespace lacuna
