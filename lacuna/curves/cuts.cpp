#include "lacuna/curves/cuts.hpp"

#include <algorithm>

#include "lacuna/base/random.hpp"
#include "lacuna/model/probability.hpp"

namespace lacuna {

Cuts count_cuts(const Vector& probability, const std::vector<bool>& positive) {
  constexpr int steps = 200;
  std::vector<double> of[2];
  for (std::size_t i = 0; i < positive.size(); ++i) of[positive[i] ? 1 : 0].push_back(probability[Index(i)]);
  for (auto& p : of) std::ranges::sort(p);
  const auto below = [](const std::vector<double>& p, double cut) {
    return double(std::ranges::lower_bound(p, cut) - p.begin());
  };
  Cuts out;
  for (int k = 0; k <= steps; ++k) {
    const double cut = double(k) / steps;
    out.at.push_back(cut);
    out.tn.push_back(below(of[0], cut));
    out.fp.push_back(double(of[0].size()) - out.tn.back());
    out.fn.push_back(below(of[1], cut));
    out.tp.push_back(double(of[1].size()) - out.fn.back());
  }
  return out;
}

std::optional<CutSpread> spread_of_cut(const Model& model, std::uint64_t seed) {
  const HeldOutRows& h = model.held_out;
  const bool chosen = model.threshold_rule && model.threshold_rule->kind != ThresholdRule::Kind::probability;
  if (!chosen || model.task != Task::binary || !has_probabilities(model) || h.size() < 10) return {};
  const Vector z = moderated(model, h.output, h.variance).col(0);
  const auto n = std::size_t(z.size());
  const int resamples = int(std::clamp<Index>(200'000 / z.size(), 20, 200));
  const double natural = output_with_odds(model.loss, model.calibration, 0.0);
  Random random(seed);
  std::vector<double> cuts;
  for (int r = 0; r < resamples; ++r) {
    Vector count = Vector::Zero(z.size());
    for (std::size_t k = 0; k < n; ++k) count[Index(random.below(n))] += 1.0;
    double both[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < n; ++i) both[h.label[i]] += count[Index(i)];
    if (both[0] == 0.0 || both[1] == 0.0) continue;
    const double cut = choose_threshold(*model.threshold_rule, z, h.label, count, natural);
    cuts.push_back(probabilities(model.loss, model.calibration, Matrix::Constant(1, 1, cut), 2)(0, 1));
  }
  if (cuts.size() < 10) return {};
  std::ranges::sort(cuts);
  const auto at = [&](double q) { return cuts[std::size_t(q * double(cuts.size() - 1) + 0.5)]; };
  return CutSpread{at(0.05), at(0.95), int(cuts.size())};
}

}  // namespace lacuna
