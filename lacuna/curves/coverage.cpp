#include "lacuna/curves/coverage.hpp"

#include <cmath>

#include "lacuna/curves/counted.hpp"
#include "lacuna/curves/independent.hpp"
#include "lacuna/curves/wilson.hpp"

namespace lacuna {

std::vector<CoverageLevel> held_out_coverage(const Model& model, Index target) {
  const Matrix& widths = model.intervals.by_percent;
  std::vector<CoverageLevel> out;
  if (model.held_out.size() == 0 || model.intervals.noise || target >= widths.cols()) return out;
  const CountedRows rows = counted_rows(model);
  const Matrix value = held_out_predictions(model).value;
  const double all = rows.weight.sum();
  Vector inside(rows.size());
  for (Index k = 4; k < widths.rows(); k += 5) {
    CoverageLevel one{.level = double(k + 1) / 100.0, .width = widths(k, target)};
    for (Index r = 0; r < rows.size(); ++r) {
      const Index i = rows.place[std::size_t(r)];
      inside[r] = std::abs(model.held_out.target(i, target) - value(i, target)) <= one.width ? 1.0 : 0.0;
    }
    one.inside = inside.dot(rows.weight) / all;
    const double n = independent_rows(inside, rows.weight, rows.group);
    const auto [lower, upper] = wilson(one.level * n, n);
    one.lower = lower;
    one.upper = upper;
    out.push_back(one);
  }
  return out;
}

}  // namespace lacuna
