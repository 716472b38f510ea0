// basis/kmeans.cpp (of basis.hpp) -- the seeding of k-means++: each row is drawn with probability proportional to its
// weight times the squared distance (of the rows themselves, not of their images) to the nearest one drawn before. O(l
// n d).
#include <algorithm>

#include "lacuna/basis/basis.hpp"
#include "lacuna/basis/detail/in_order.hpp"
#include "lacuna/basis/detail/pool.hpp"

namespace lacuna {
namespace {

// A row with probability proportional to weight[i]; -1 when none has any.
Index draw(const Vector& weight, Random& random) {
  double left = random.uniform() * weight.sum();
  Index last = -1;
  for (Index i = 0; i < weight.size(); ++i) {
    if (!(weight[i] > 0.0)) continue;
    last = i;
    left -= weight[i];
    if (left < 0.0) break;
  }
  return last;
}

}  // namespace

BasisChoice kmeans_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                         const BasisOptions& options, const Observer& observer) {
  Random random(options.seed);
  const std::vector<Index> all = detail::sample(detail::pool(X.rows(), weights), options.sample, random);
  const Rows rows = take_rows(X, all);
  const Index l = rows.rows();
  const Vector norm = backend.gram(kernels::Linear{}, rows, compute::Use::once)->diagonal();
  Vector weight = Vector::Ones(l), nearest = Vector::Constant(l, std::numeric_limits<double>::infinity());
  if (weights.size() > 0)
    for (Index i = 0; i < l; ++i) weight[i] = weights[all[std::size_t(i)]];
  std::vector<Index> order;
  for (Index next = draw(weight, random); next >= 0 && Index(order.size()) < options.size;
       next = draw(weight.cwiseProduct(nearest), random)) {
    order.push_back(all[std::size_t(next)]);
    const std::vector<Index> one{next};
    const Vector dot = backend.expand(kernels::Linear{}, rows, take_rows(rows, one), Matrix::Ones(1, 1));
    for (Index i = 0; i < l; ++i) {
      const double squares = norm[i] + norm[next], distance = squares - 2.0 * dot[i];
      nearest[i] = std::min(nearest[i], distance > 1e-12 * squares ? distance : 0.0);  // twins, after cancellation
    }
  }
  return detail::in_order(backend, kernel, X, weights, order, options, observer);
}

}  // namespace lacuna
