#include "lacuna/data/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"

namespace lacuna {
namespace {

std::vector<Index> all_rows(Index n) {
  std::vector<Index> rows(std::size_t(std::max<Index>(0, n)));
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

}  // namespace

Folds k_folds(Index n, int k, const std::vector<int>& stratum, std::uint64_t seed) {
  if (k < 2 || k > n)
    fail_usage(fmt::format("split: {} folds of {} rows; must be at least 2 and at most the rows", k, n));
  if (!stratum.empty() && Index(stratum.size()) != n)
    fail_usage(fmt::format("split: {} strata for {} rows", stratum.size(), n));
  Random random(seed);
  std::vector<Index> order = all_rows(n);
  random.shuffle(order);
  // Rows of one stratum side by side, still in random order; dealing them out in turn, without starting again at the
  // next stratum, keeps both the strata and the sizes even.
  if (!stratum.empty())
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return stratum[std::size_t(a)] < stratum[std::size_t(b)]; });
  Folds folds(static_cast<std::size_t>(k));
  for (std::size_t i = 0; i < order.size(); ++i) folds[i % std::size_t(k)].push_back(order[i]);
  for (auto& fold : folds) std::sort(fold.begin(), fold.end());
  return folds;
}

Folds group_folds(const std::vector<int>& group) {
  std::map<int, std::vector<Index>> rows;
  for (std::size_t i = 0; i < group.size(); ++i) rows[group[i]].push_back(Index(i));
  if (rows.size() < 2) fail_data(fmt::format("split: {} group; at least two are needed to hold one out", rows.size()));
  Folds folds;
  for (auto& [name, members] : rows) folds.push_back(std::move(members));
  return folds;
}

Folds grouped_folds(const std::vector<int>& group, int k, std::uint64_t seed, const Vector& weights) {
  Folds groups = group_folds(group);
  if (k < 2 || std::size_t(k) > groups.size())
    fail_data(
        fmt::format("split: {} folds of {} groups; between 2 and {} are possible", k, groups.size(), groups.size()));
  const auto weight = [&](const std::vector<Index>& rows) {
    return weights.size() == 0 ? double(rows.size()) : weights(rows).sum();
  };
  Random random(seed);
  random.shuffle(groups);
  std::ranges::stable_sort(groups, std::ranges::greater{}, weight);
  Folds folds(static_cast<std::size_t>(k));
  std::vector<double> filled(folds.size(), 0.0);
  for (const auto& rows : groups) {
    const auto least = std::ranges::min_element(filled);
    auto& fold = folds[std::size_t(least - filled.begin())];
    fold.insert(fold.end(), rows.begin(), rows.end());
    *least += weight(rows);
  }
  for (auto& fold : folds) std::sort(fold.begin(), fold.end());
  return folds;
}

std::vector<Index> all_but(Index rows, const std::vector<Index>& fold) {
  std::vector<char> out(static_cast<std::size_t>(rows));
  for (const Index i : fold) out[std::size_t(i)] = 1;
  std::vector<Index> rest;
  for (Index i = 0; i < rows; ++i)
    if (!out[std::size_t(i)]) rest.push_back(i);
  return rest;
}

TrainTest random_split(Index n, Index n_train, std::uint64_t seed) {
  if (n_train < 1 || n_train >= n)
    fail_usage(fmt::format("split: {} of {} rows for training; must be at least 1 and leave one", n_train, n));
  Random random(seed);
  std::vector<Index> order = all_rows(n);
  random.shuffle(order);
  const auto middle = order.begin() + n_train;
  TrainTest out{.train = {order.begin(), middle}, .test = {middle, order.end()}};
  std::sort(out.train.begin(), out.train.end());
  std::sort(out.test.begin(), out.test.end());
  return out;
}

}  // namespace lacuna
