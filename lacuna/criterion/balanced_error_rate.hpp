// criterion/balanced_error_rate.hpp -- the mean of the error rates of the classes (those with any weight): a rare class
// counts as much as a common one. It has no derivative.
#pragma once

#include "lacuna/criterion/score.hpp"

namespace lacuna {

struct BalancedErrorRate {
  static constexpr std::string_view id = "ber";
  static constexpr Judges judges = Judges::label;
  static constexpr bool differentiable = false;

  static CriterionScore score(const Matrix& z, const Truth& truth, bool, const CriterionOptions&) {
    const std::vector<int> predicted = predicted_labels(z, truth.classes);
    Vector wrong = Vector::Zero(truth.classes), total = wrong;
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      total[truth.label[i]] += truth.weights[Index(i)];
      if (predicted[i] != truth.label[i]) wrong[truth.label[i]] += truth.weights[Index(i)];
    }
    double sum = 0.0;
    int present = 0;
    for (int k = 0; k < truth.classes; ++k) {
      if (!(total[k] > 0.0)) continue;
      sum += wrong[k] / total[k];
      ++present;
    }
    return {sum / present, {}};
  }
};

}  // namespace lacuna
