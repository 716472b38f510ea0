#include "lacuna/choose/detail/blend.hpp"

#include <algorithm>

#include "lacuna/base/paired.hpp"

namespace lacuna::detail {
namespace {

// All weight to the least honest loss, of those that are better than the plain machine beyond chance.
Vector one_of(const Yardstick& judged, const std::vector<const Tried*>& among) {
  const Vector& w = judged.weights;
  const Tried& plain = *among[0];
  std::size_t best = 0;
  for (std::size_t k = 1; k < among.size(); ++k) {
    const Paired gain = paired(plain.loss - among[k]->loss, w, judged.group, among[k]->rows);
    if (gain.mean > gain.standard_error && w.dot(among[k]->loss) < w.dot(among[best]->loss)) best = k;
  }
  return Vector::Unit(Index(among.size()), Index(best));
}

}  // namespace

bool Blend::uses(std::size_t candidate) const {
  const auto k = Index(candidate);
  return weights[k] > 0.0 || std::ranges::any_of(without, [&](const Vector& v) { return v[k] > 0.0; });
}

Blend blend(const Compared& compared, const std::vector<const Tried*>& among, Effort effort) {
  std::vector<Matrix> z;
  for (const Tried* t : among) z.push_back(t->z);
  const auto learned = [&](const Yardstick& judged) {
    return effort == Effort::best ? stack_weights(judged, z) : one_of(judged, among);
  };
  Blend out{.weights = learned(compared.judged)};
  for (const std::vector<Index>& fold : compared.folds) {
    Yardstick others = compared.judged;
    for (const Index i : fold) others.weights[i] = 0.0;
    out.without.push_back(others.weights.maxCoeff() > 0.0 ? learned(others) : out.weights);
  }
  return out;
}

Matrix held_out(const Blend& blend, const Folds& folds, const std::vector<Matrix>& z) {
  const auto any = std::ranges::find_if(z, [](const Matrix& one) { return one.size() > 0; });
  Matrix out = Matrix::Zero(any->rows(), any->cols());
  for (std::size_t f = 0; f < folds.size(); ++f)
    for (std::size_t k = 0; k < z.size(); ++k)
      if (const double v = blend.without[f][Index(k)]; v > 0.0)
        for (const Index i : folds[f]) out.row(i) += v * z[k].row(i);
  return out;
}

}  // namespace lacuna::detail
