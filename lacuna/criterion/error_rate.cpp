// criterion/error_rate.cpp -- how often the predicted label is wrong. It has no derivative.
#include "lacuna/criterion/scores.hpp"

namespace lacuna {

Score error_rate(const Matrix& z, const Truth& truth, bool, const CriterionOptions&) {
  const std::vector<int> predicted = predicted_labels(z, truth.classes);
  double wrong = 0.0;
  for (std::size_t i = 0; i < predicted.size(); ++i)
    if (predicted[i] != truth.label[i]) wrong += truth.weights[Index(i)];
  return {wrong / truth.weights.sum(), {}};
}

}  // namespace lacuna
