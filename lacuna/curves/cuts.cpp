#include "lacuna/curves/cuts.hpp"

#include <algorithm>

#include "lacuna/base/random.hpp"
#include "lacuna/curves/counted.hpp"
#include "lacuna/model/probability.hpp"

namespace lacuna {

Cuts count_cuts(const Vector& probability, const std::vector<bool>& positive, const Vector& weight) {
  constexpr int steps = 200;
  const Vector counts = weights_or_ones(weight, probability.size());
  using Reached = std::pair<double, double>;  // a probability, and the weight of the rows up to it
  std::vector<Reached> of[2];
  for (std::size_t i = 0; i < positive.size(); ++i)
    of[positive[i] ? 1 : 0].emplace_back(probability[Index(i)], counts[Index(i)]);
  double all[2] = {0.0, 0.0};
  for (const int side : {0, 1}) {
    std::ranges::sort(of[side]);
    for (auto& [p, reached] : of[side]) reached = all[side] += reached;
  }
  const auto below = [](const std::vector<Reached>& rows, double cut) {
    const auto at = std::ranges::lower_bound(rows, cut, {}, &Reached::first);
    return at == rows.begin() ? 0.0 : (at - 1)->second;
  };
  Cuts out;
  for (int k = 0; k <= steps; ++k) {
    const double cut = double(k) / steps;
    out.at.push_back(cut);
    out.tn.push_back(below(of[0], cut));
    out.fp.push_back(all[0] - out.tn.back());
    out.fn.push_back(below(of[1], cut));
    out.tp.push_back(all[1] - out.fn.back());
  }
  return out;
}

std::optional<CutSpread> spread_of_cut(const Model& model, std::uint64_t seed) {
  const HeldOutRows& h = model.held_out;
  const bool chosen = model.threshold_rule && model.threshold_rule->kind != ThresholdRule::Kind::probability;
  if (!chosen || model.task != Task::binary || !has_probabilities(model) || h.size() < 10) return {};
  const Vector z = moderated(model, h.output, h.variance).col(0);
  const CountedRows rows = counted_rows(model);
  const auto n = std::size_t(rows.size());
  const int resamples = int(std::clamp<Index>(200'000 / z.size(), 20, 200));
  const double natural = output_with_odds(model.loss, model.calibration, 0.0);
  Random random(seed);
  std::vector<double> cuts;
  for (int r = 0; r < resamples; ++r) {
    Vector count = Vector::Zero(z.size());
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = random.below(n);
      for (Index at = rows.place[i]; at < z.size(); at += h.rows()) count[at] += rows.weight[Index(i)];  // all repeats
    }
    double both[2] = {0.0, 0.0};
    for (Index i = 0; i < z.size(); ++i) both[h.label[std::size_t(i)]] += count[i];
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
