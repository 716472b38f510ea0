#include "lacuna/select/start_design.hpp"

#include <algorithm>
#include <iterator>
#include <numbers>
#include <utility>

#include "lacuna/base/error.hpp"

namespace lacuna {
namespace {

// Powers of ten relative to the start; 0 comes first so that the start is the first point.
constexpr double kScales[] = {0.0, 0.7, -0.7, -2.0};
constexpr double kRegularisers[] = {0.0, -1.2, -2.7};
constexpr std::pair<double, double> kNarrow[] = {{2.0, 0.0}, {2.0, -1.2}, {2.8, 0.4}, {2.8, -0.6}};  // and regulariser
constexpr double kNearNeighbours = 0.5;  // beyond the narrowest above
constexpr double kNarrowRegularisers[] = {0.4, -0.6};
constexpr std::pair<double, double> kFarPoints[] = {{-3.5, -8.0}, {0.0, -7.0}};
constexpr double kScalesAlone[] = {0.0, 1.0, -1.0, 2.0, -2.5};
constexpr double kFartherApart[] = {1.0, 2.0, 3.0};
constexpr double kRegularisersAlone[] = {0.0, -1.5, 1.5, -3.0, -5.0};

// Scales between the narrowest of the plain design and that of neighbours.
std::vector<double> narrower_scales(const SearchSpace& space) {
  std::vector<double> out;
  if (!space.regulariser || space.scales.empty()) return out;
  const double widest = std::rbegin(kNarrow)->first, narrowest = space.neighbours / std::numbers::ln10;
  for (double scale = widest + 1.0; scale < narrowest + kNearNeighbours; scale += 1.0)
    out.push_back(std::min(scale, narrowest));
  return out;
}

}  // namespace

std::vector<Vector> start_design(const SearchSpace& space) {
  const Index n = space.start.size();
  const auto known = [n](Index k) { return k >= 0 && k < n; };
  if (n != space.box.lower.size() || n != space.box.upper.size() || !std::ranges::all_of(space.scales, known) ||
      (space.regulariser && !known(*space.regulariser)))
    fail_usage("search: start, box and the indices of the parameters do not agree");

  if (!space.near.empty()) return space.near;
  std::vector<Vector> points;
  const auto add = [&](double scale, double regulariser) {
    Vector x = space.start;
    for (const Index k : space.scales) x[k] += scale * std::numbers::ln10;
    if (space.regulariser) x[*space.regulariser] += regulariser * std::numbers::ln10;
    x = x.cwiseMax(space.box.lower).cwiseMin(space.box.upper);
    if (std::ranges::find(points, x) == points.end()) points.push_back(x);  // a tight box folds points together
  };
  if (space.regulariser && !space.scales.empty()) {
    for (const double scale : kScales)
      for (const double regulariser : kRegularisers) add(scale, regulariser + std::min(scale, 0.0));
    for (const auto& [scale, regulariser] : kNarrow) add(scale, regulariser);
    for (const double scale : narrower_scales(space))
      for (const double regulariser : kNarrowRegularisers) add(scale, regulariser);
  } else if (space.regulariser) {
    for (const double regulariser : kRegularisersAlone) add(0.0, regulariser);
  } else if (!space.scales.empty()) {
    for (const double scale : kScalesAlone) add(scale, 0.0);
  } else {
    add(0.0, 0.0);
  }
  if (space.places.size() == 0) return points;
  for (const double farther : kFartherApart)
    for (const double regulariser : kRegularisers) {
      Vector x = space.start + farther * std::numbers::ln10 * space.places;
      if (space.regulariser) x[*space.regulariser] += regulariser * std::numbers::ln10;
      x = x.cwiseMax(space.box.lower).cwiseMin(space.box.upper);
      if (std::ranges::find(points, x) == points.end()) points.push_back(x);
    }
  return points;
}

std::vector<Vector> far_starts(const SearchSpace& space) {
  std::vector<Vector> points;
  if (!space.near.empty() || !space.regulariser || space.scales.empty()) return points;
  for (const auto& [scale, regulariser] : kFarPoints) {
    Vector x = space.start;
    for (const Index k : space.scales) x[k] += scale * std::numbers::ln10;
    x[*space.regulariser] += regulariser * std::numbers::ln10;
    points.emplace_back(x.cwiseMax(space.box.lower).cwiseMin(space.box.upper));
  }
  return points;
}

int default_max_evaluations(Index parameters) { return parameters <= 3 ? 60 : 60 + 10 * int(parameters); }

int default_max_evaluations(const SearchSpace& space) {
  const auto apart = space.places.size() > 0 ? int(std::size(kFartherApart) * std::size(kRegularisers)) : 0;
  return default_max_evaluations(space.start.size()) +
         int(std::size(kNarrowRegularisers) * narrower_scales(space).size()) + apart;
}

}  // namespace lacuna
