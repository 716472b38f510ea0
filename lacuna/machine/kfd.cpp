#include "lacuna/machine/kfd.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"

namespace lacuna {

Matrix kfd_targets(const std::vector<int>& label, const std::vector<std::string>& classes, const Vector& zeta) {
  const auto l = Index(label.size()), count = Index(classes.size());
  Vector of_class = Vector::Zero(count);
  for (Index i = 0; i < l; ++i) of_class[label[std::size_t(i)]] += zeta[i];
  for (Index k = 0; k < count; ++k)
    if (!(of_class[k] > 0.0))
      fail_data(fmt::format("train: no row of class {} has a training weight; kfd needs one", classes[std::size_t(k)]));
  const double total = of_class.sum();
  Matrix t(l, count == 2 ? 1 : count);
  for (Index c = 0; c < t.cols(); ++c) {
    const Index own = count == 2 ? 1 : c;
    for (Index i = 0; i < l; ++i)
      t(i, c) = label[std::size_t(i)] == own ? total / of_class[own] : -total / (total - of_class[own]);
  }
  return t;
}

}  // namespace lacuna
