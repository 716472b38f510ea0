#include "lacuna/machine/ls_svm.hpp"

namespace lacuna {

Matrix ls_svm_targets(const Dataset& data) {
  if (data.label.empty()) return data.targets;
  const Index l = data.size();
  if (data.classes.size() == 2) {
    Matrix y(l, 1);
    for (Index i = 0; i < l; ++i) y(i, 0) = data.label[std::size_t(i)] == 1 ? 1.0 : -1.0;
    return y;
  }
  Matrix y = Matrix::Constant(l, Index(data.classes.size()), -1.0);
  for (Index i = 0; i < l; ++i) y(i, data.label[std::size_t(i)]) = 1.0;
  return y;
}

Vector balanced_weights(const std::vector<int>& label, int classes, const Vector& weights) {
  const auto l = Index(label.size());
  const auto weight = [&](Index i) { return weights.size() == 0 ? 1.0 : weights[i]; };
  Vector of_class = Vector::Zero(classes);
  for (Index i = 0; i < l; ++i) of_class[label[std::size_t(i)]] += weight(i);
  Vector out(l);
  for (Index i = 0; i < l; ++i) out[i] = weight(i) * of_class.sum() / (classes * of_class[label[std::size_t(i)]]);
  return out;
}

}  // namespace lacuna
