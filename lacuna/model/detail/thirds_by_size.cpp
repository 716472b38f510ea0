#include "lacuna/model/detail/thirds_by_size.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "lacuna/base/weights.hpp"
#include "lacuna/model/detail/interval_widths.hpp"

namespace lacuna::detail {
namespace {

// u_i of the rows that count, in their order.
Vector ranks(const Vector& size, const Vector& weights, const std::vector<int>& group, const std::vector<Index>& rows) {
  const auto group_of = [&](Index i) { return group.empty() ? int(i) : group[std::size_t(i)]; };
  std::map<int, double> of_group;
  for (const Index i : rows) of_group[group_of(i)] += weights[i];
  const double all = weights.sum(), new_one = weight_of_what_is_new(weights, group);
  std::vector<Index> order = rows;
  std::ranges::sort(order, {}, [&](Index i) { return size[i]; });
  std::map<int, double> below_of_group;
  double below = 0.0;
  Vector out = Vector::Zero(weights.size());
  for (std::size_t k = 0; k < order.size();) {
    std::size_t end = k;  // rows of one size are none of them below the others
    while (end < order.size() && size[order[end]] == size[order[k]]) ++end;
    for (std::size_t j = k; j < end; ++j) {
      const int g = group_of(order[j]);
      const auto own = below_of_group.find(g);
      out[order[j]] = (below - (own == below_of_group.end() ? 0.0 : own->second)) / (all - of_group[g] + new_one);
    }
    for (; k < end; ++k) {
      below += weights[order[k]];
      below_of_group[group_of(order[k])] += weights[order[k]];
    }
  }
  return out;
}

}  // namespace

std::vector<Intervals::SizeThird> thirds_by_size(const Intervals& intervals, const Matrix& normalised,
                                                 const Matrix& own, const Vector& weights,
                                                 const std::vector<int>& group) {
  std::vector<Index> rows;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] > 0.0) rows.push_back(i);
  if (rows.size() < 3 || intervals.half_width.size() != normalised.cols()) return {};
  std::vector<Intervals::SizeThird> out;
  for (Index c = 0; c < normalised.cols(); ++c) {
    const Vector u = ranks(normalised.col(c).cwiseAbs(), weights, group, rows);
    std::vector<Index> by_size = rows;
    std::ranges::stable_sort(by_size, {}, [&](Index i) { return own(i, c); });
    for (std::size_t third = 0; third < 3; ++third) {
      const std::size_t first = third * rows.size() / 3, end = (third + 1) * rows.size() / 3;
      const std::vector<Index> some(by_size.begin() + std::ptrdiff_t(first), by_size.begin() + std::ptrdiff_t(end));
      const Vector w = weights(some);
      Intervals::SizeThird one{.rows = rows_counted(w),
                               .width = intervals.half_width[c] * w.dot(own(some, c)) / w.sum(),
                               .inside = std::vector<double>(19, 0.0)};
      for (std::size_t k = 0; k < one.inside.size(); ++k)
        for (const Index i : some)
          if (u[i] < double(k + 1) / 20.0) one.inside[k] += weights[i] / w.sum();
      out.push_back(std::move(one));
    }
  }
  return out;
}

}  // namespace lacuna::detail
