#include "lacuna/kernel/slope.hpp"

#include <algorithm>

#include "lacuna/kernel/detail/pairs.hpp"

namespace lacuna {

using detail::coordinate, detail::Overload, detail::scaled_distance, detail::weighed;

std::vector<double> pair_slope(const Kernel& kernel, std::span<const double> x, std::span<const double> y) {
  std::vector<double> d(x.size());
  std::visit(Overload{[&](const kernels::Ard& k) {
                        const double u = scaled_distance(k, x, y), slope = k.d_u(u, k.value(u));
                        for (std::size_t j = 0; j < d.size(); ++j) d[j] = 2.0 * slope * k.theta[j] * (x[j] - y[j]);
                      },
                      [&](const kernels::Relevance& k) {
                        d = pair_slope(k.parts[0], weighed(x, k.weights), weighed(y, k.weights));
                        for (std::size_t j = 0; j < k.weights.size(); ++j) d[j] *= k.weights[j];
                      },
                      [&](const kernels::Sum& k) {
                        for (const Kernel& part : k.parts) {
                          const std::vector<double> of_part = pair_slope(part, x, y);
                          for (std::size_t j = 0; j < d.size(); ++j) d[j] += of_part[j];
                        }
                      },
                      [&](const kernels::Product& k) {
                        for (std::size_t i = 0; i < k.parts.size(); ++i) {
                          double others = 1.0;
                          for (std::size_t j = 0; j < k.parts.size(); ++j)
                            if (j != i) others *= pair_value(k.parts[j], x, y, 0);
                          const std::vector<double> of_part = pair_slope(k.parts[i], x, y);
                          for (std::size_t j = 0; j < d.size(); ++j) d[j] += others * of_part[j];
                        }
                      },
                      [&]<kernels::Elementwise K>(const K& k) {
                        if constexpr (HasSlope<K>) {
                          const double u = coordinate(K::geometry, x, y, 0), slope = slope_in_u(k, u, k.value(u));
                          for (std::size_t j = 0; j < d.size(); ++j)
                            d[j] = K::geometry == kernels::Geometry::dot ? slope * y[j] : 2.0 * slope * (x[j] - y[j]);
                        }
                      },
                      [](const kernels::Custom&) {}},
             kernel.form);
  return d;
}

bool has_slopes(const Kernel& kernel) {
  return std::visit(
      []<class K>(const K& k) {
        if constexpr (kernels::HasParts<K>)
          return std::ranges::all_of(k.parts, has_slopes);
        else
          return HasSlope<K>;
      },
      kernel.form);
}

}  // namespace lacuna
