#include "lacuna/model/held_out_auc.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/criterion/auc.hpp"

namespace lacuna {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Rows in training on either side.
struct Sides {
  Index up = 0, down = 0;
  bool both() const { return up > 0 && down > 0; }
};

void count(Sides& sides, const std::vector<bool>& positive, const Vector& trained, Index i) {
  if (trained[i] > 0.0) ++(positive[std::size_t(i)] ? sides.up : sides.down);
}

Sides all_of(const std::vector<bool>& positive, const Vector& trained) {
  Sides out;
  for (Index i = 0; i < trained.size(); ++i) count(out, positive, trained, i);
  return out;
}

Sides without(Sides all, const std::vector<bool>& positive, const Vector& trained, const std::vector<Index>& fold) {
  Sides gone;
  for (const Index i : fold) count(gone, positive, trained, i);
  return {all.up - gone.up, all.down - gone.down};
}

RankedPairs pairs_of(const Ranked& rows, const Vector& z, const std::vector<Index>& fold) {
  std::vector<bool> positive;
  for (const Index i : fold) positive.push_back(rows.positive[std::size_t(i)]);
  return ranked_pairs(z(fold), positive, rows.weights(fold));
}

RankedPairs pairs_within(const Ranked& rows, const Vector& z, const Folds& folds) {
  RankedPairs sum;
  for (const auto& fold : folds) {
    const RankedPairs p = pairs_of(rows, z, fold);
    sum.won += p.won;
    sum.all += p.all;
  }
  return sum;
}

bool has_both(const Ranked& rows, const std::vector<Index>& fold) {
  bool up = false, down = false;
  for (const Index i : fold)
    if (rows.weights[i] > 0.0) (rows.positive[std::size_t(i)] ? up : down) = true;
  return up && down;
}

// Round-robin: every two folds are together in one of the partitions, each of which has every row once. The first
// fold stays where it is and the others go round it; beside an odd number there is one without rows.
std::vector<Folds> every_two(const Folds& folds) {
  std::vector<std::size_t> seat(folds.size() + folds.size() % 2);
  for (std::size_t k = 0; k < seat.size(); ++k) seat[k] = k;
  std::vector<Folds> out;
  for (std::size_t round = 0; round + 1 < seat.size(); ++round) {
    Folds both;
    for (std::size_t k = 0; k < seat.size() / 2; ++k) {
      std::vector<Index> rows;
      for (const std::size_t f : {seat[k], seat[seat.size() - 1 - k]})
        if (f < folds.size()) rows.insert(rows.end(), folds[f].begin(), folds[f].end());
      std::sort(rows.begin(), rows.end());
      both.push_back(std::move(rows));
    }
    out.push_back(std::move(both));
    std::rotate(seat.begin() + 1, seat.end() - 1, seat.end());
  }
  return out;
}

}  // namespace

std::string_view name_of(AucPairs pairs) {
  constexpr std::string_view names[] = {"none", "same-fold", "left-out", "pooled"};
  return names[std::size_t(pairs)];
}

Ranked ranked(const Truth& truth, const Vector& trained, const Folds& folds, Index column) {
  Ranked out{std::vector<bool>(std::size_t(truth.targets.rows())), truth.weights};
  for (std::size_t i = 0; i < out.positive.size(); ++i) out.positive[i] = truth.targets(Index(i), column) > 0.0;
  const Sides all = all_of(out.positive, trained);
  if (folds.empty()) {
    for (Index i = 0; i < trained.size(); ++i)
      if (!without(all, out.positive, trained, {i}).both()) out.weights[i] = 0.0;
    return out;
  }
  for (const auto& fold : folds)
    if (!without(all, out.positive, trained, fold).both())
      for (const Index i : fold) out.weights[i] = 0.0;
  return out;
}

Vector Ranked::side() const {
  Vector out = weights;
  for (Index i = 0; i < out.size(); ++i)
    if (!positive[std::size_t(i)]) out[i] = -out[i];
  return out;
}

bool needs_pairs_out(const Ranked& rows, const Folds& folds) {
  return folds.empty() || std::ranges::any_of(folds, [&](const auto& fold) { return !has_both(rows, fold); });
}

double area_of_pairs_out(const Ranked& rows, const Vector& trained, const Folds& folds,
                         const std::function<Vector(const Folds&)>& held_out) {
  if (folds.size() < 3 || trained.size() > most_rows_for_pairs) return unknown;
  const Sides all = all_of(rows.positive, trained);
  std::vector<std::size_t> fold_of(rows.positive.size());
  for (std::size_t f = 0; f < folds.size(); ++f)
    for (const Index i : folds[f]) fold_of[std::size_t(i)] = f;
  RankedPairs sum = pairs_within(rows, held_out(folds), folds);
  for (const Folds& round : every_two(folds)) {
    Folds left;  // those without which there is something to learn from
    for (const auto& two : round)
      if (has_both(rows, two) && without(all, rows.positive, trained, two).both()) left.push_back(two);
    if (left.empty()) continue;
    const Vector z = held_out(left);
    for (const auto& two : left) {
      const double tie = tie_width(z(two));
      for (const Index i : two)
        for (const Index j : two) {
          if (!rows.positive[std::size_t(i)] || rows.positive[std::size_t(j)]) continue;
          if (fold_of[std::size_t(i)] == fold_of[std::size_t(j)]) continue;  // pairs_within has it
          const double w = rows.weights[i] * rows.weights[j], ahead = z[i] - z[j];
          sum.won += w * (ahead > tie ? 1.0 : ahead < -tie ? 0.0 : 0.5);
          sum.all += w;
        }
    }
  }
  return sum.all > 0.0 ? sum.area() : unknown;
}

HeldOutAuc held_out_auc(const Truth& truth, const Vector& trained, const std::vector<Folds>& partitions,
                        const std::vector<Matrix>& z, const std::vector<Vector>& of_pairs_out) {
  HeldOutAuc out;
  double sum = 0.0;
  int defined = 0;
  for (Index c = 0; c < z[0].cols(); ++c) {
    double area = 0.0;
    for (std::size_t r = 0; r < z.size(); ++r) {
      double one = r < of_pairs_out.size() && c < of_pairs_out[r].size() ? of_pairs_out[r][c] : unknown;
      AucPairs pairs = AucPairs::left_out;
      if (std::isnan(one)) {
        const Ranked rows = ranked(truth, trained, partitions[r], c);
        const Vector of = z[r].col(c);
        const RankedPairs within = pairs_within(rows, of, partitions[r]);
        pairs = within.all > 0.0 ? AucPairs::same_fold : AucPairs::pooled;
        one = within.all > 0.0 ? within.area() : area_under_curve(of, rows.positive, rows.weights);
      }
      area += one / double(z.size());
      if (!std::isnan(one)) out.pairs = std::max(out.pairs, pairs);
    }
    if (std::isnan(area)) {
      out.without_area.push_back(int(c));
      continue;
    }
    sum += area;
    ++defined;
  }
  out.value = sum / defined;  // 0/0 where there is none
  return out;
}

}  // namespace lacuna
