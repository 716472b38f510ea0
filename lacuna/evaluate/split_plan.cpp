#include "lacuna/evaluate/split_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"

namespace lacuna {
namespace {

template <class T>
bool all_of_it(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

constexpr int most_splits = 100'000;

[[noreturn]] void not_understood(std::string_view text) {
  fail_usage(
      fmt::format("splits: \"{}\" is not understood; it is N or N:SHARE (random splits, SHARE of the rows for testing, "
                  "between 0 and 1), folds:K or folds:KxR, groups, or files:STEM",
                  text));
}

// Seeds of neighbouring splits that have nothing to do with one another (splitmix64).
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t k) {
  std::uint64_t x = seed + (k + 1) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::vector<Index> shuffled(Index n, Random& random) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index(0));
  random.shuffle(order);
  return order;
}

TrainTest from_test(Index rows, const std::vector<bool>& in_test) {
  TrainTest out;
  for (Index i = 0; i < rows; ++i) (in_test[std::size_t(i)] ? out.test : out.train).push_back(i);
  return out;
}

// Rows of one class side by side in random order, and every 1/share-th of them taken, from a random offset: exactly
// `wanted` rows, and of each class its share within one row. A class is never taken whole.
TrainTest random_rows(Index rows, Index wanted, const std::vector<int>& stratum, std::uint64_t seed) {
  Random random(seed);
  std::vector<Index> order = shuffled(rows, random);
  const auto of = [&](Index i) { return stratum.empty() ? 0 : stratum[std::size_t(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return of(a) < of(b); });
  const auto phase = Index(random.below(std::uint64_t(rows)));
  std::vector<bool> in_test(static_cast<std::size_t>(rows));
  for (Index p = 0; p < rows; ++p)
    in_test[std::size_t(order[std::size_t(p)])] = ((p + 1) * wanted + phase) / rows > (p * wanted + phase) / rows;
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::find_if(first, order.end(), [&](Index i) { return of(i) != of(*first); });
    if (std::all_of(first, last, [&](Index i) { return in_test[std::size_t(i)]; }))
      in_test[std::size_t(*first)] = false;
    first = last;
  }
  return from_test(rows, in_test);
}

std::vector<std::vector<Index>> members(const std::vector<int>& group) {
  std::vector<std::vector<Index>> out(std::size_t(*std::max_element(group.begin(), group.end())) + 1);
  for (std::size_t i = 0; i < group.size(); ++i) out[std::size_t(group[i])].push_back(Index(i));
  std::erase_if(out, [](const auto& rows) { return rows.empty(); });
  return out;
}

// Groups in random order, each taken while that brings their weight nearer to what is wanted (by more than rounding);
// one at least, and not all.
TrainTest random_groups(Index rows, double share, const std::vector<int>& group, const Vector& weights,
                        std::uint64_t seed) {
  Random random(seed);
  const auto groups = members(group);
  std::vector<bool> in_test(static_cast<std::size_t>(rows));
  const double wanted = share * (weights.size() > 0 ? weights.sum() : double(rows));
  double size = 0.0;
  std::size_t taken = 0;
  for (const Index g : shuffled(Index(groups.size()), random)) {
    const auto& rows_of = groups[std::size_t(g)];
    const double weight = weights.size() > 0 ? weights(rows_of).sum() : double(rows_of.size());
    const bool nearer = size + 0.5 * weight <= wanted * (1.0 + 1e-9);
    if (taken > 0 && (!nearer || taken + 1 == groups.size())) continue;
    for (const Index i : rows_of) in_test[std::size_t(i)] = true;
    size += weight;
    ++taken;
  }
  return from_test(rows, in_test);
}

std::vector<TrainTest> from_folds(Index rows, const Folds& folds) {
  std::vector<TrainTest> out;
  for (const auto& fold : folds) {
    std::vector<bool> in_test(static_cast<std::size_t>(rows));
    for (const Index i : fold) in_test[std::size_t(i)] = true;
    out.push_back(from_test(rows, in_test));
  }
  return out;
}

std::vector<TrainTest> from_files(const std::string& stem, Index rows, std::optional<double> most_bytes) {
  std::vector<TrainTest> out;
  for (GivenSplit& given : read_given_splits(stem, rows, most_bytes)) out.push_back(std::move(given.rows));
  if (out.empty()) fail_data(fmt::format("splits: {}.train.csv: there is no split in it, or no such file", stem));
  return out;
}

void check_groups(const SplitPlan& plan, const std::vector<int>& group) {
  if (group.empty()) {
    if (plan.kind == SplitPlan::Kind::groups) fail_usage("splits: groups: no column says which group a row is of");
    return;
  }
  const std::size_t count = members(group).size();
  if (count < 2 || (plan.kind == SplitPlan::Kind::folds && count < std::size_t(plan.folds)))
    fail_data(fmt::format("splits: {} group{} for {}; there are too few", count, count == 1 ? "" : "s",
                          split_plan_text(plan)));
}

}  // namespace

SplitPlan parse_split_plan(std::string_view given) {
  SplitPlan plan;
  if (given == "groups") {
    plan.kind = SplitPlan::Kind::groups;
  } else if (given.starts_with("files:") && given.size() > 6) {
    plan.kind = SplitPlan::Kind::files;
    plan.stem = given.substr(6);
  } else if (given.starts_with("folds:")) {
    plan.kind = SplitPlan::Kind::folds;
    const std::string_view rest = given.substr(6);
    const std::size_t x = rest.find('x');
    if (!all_of_it(rest.substr(0, x), plan.folds) || plan.folds < 2) not_understood(given);
    if (x != std::string_view::npos && (!all_of_it(rest.substr(x + 1), plan.repeats) || plan.repeats < 1))
      not_understood(given);
    if (double(plan.folds) * plan.repeats > most_splits)
      fail_usage(fmt::format("splits: {}: {} splits are the most", given, most_splits));
  } else {
    const std::size_t colon = given.find(':');
    int count = 0;
    if (!all_of_it(given.substr(0, colon), count) || count < 1) not_understood(given);
    if (count > most_splits) fail_usage(fmt::format("splits: {} are too many; {} are the most", count, most_splits));
    plan.count = count;
    if (colon != std::string_view::npos &&
        (!all_of_it(given.substr(colon + 1), plan.test_share) || !(plan.test_share > 0.0 && plan.test_share < 1.0)))
      not_understood(given);
  }
  return plan;
}

std::string split_plan_text(const SplitPlan& plan) {
  switch (plan.kind) {
    case SplitPlan::Kind::random:
      return fmt::format("random:{}", plan.test_share);
    case SplitPlan::Kind::folds:
      return fmt::format("folds:{}x{}", plan.folds, plan.repeats);
    case SplitPlan::Kind::groups:
      return "groups";
    case SplitPlan::Kind::files:
      break;
  }
  return "files:" + plan.stem;
}

std::vector<TrainTest> make_splits(const SplitPlan& plan, int count, Index rows, const std::vector<int>& stratum,
                                   const std::vector<int>& group, std::optional<double> most_bytes,
                                   const Vector& weights) {
  check_groups(plan, group);
  std::vector<TrainTest> out;
  switch (plan.kind) {
    case SplitPlan::Kind::random: {
      const Index wanted =
          std::clamp<Index>(std::llround(plan.test_share * double(rows)), 1, std::max<Index>(1, rows - 1));
      if (rows < 4) fail_data(fmt::format("splits: {} rows are too few to split", rows));
      for (int k = 0; k < count; ++k) {
        const std::uint64_t seed = seed_of(plan.seed, std::uint64_t(k));
        out.push_back(group.empty() ? random_rows(rows, wanted, stratum, seed)
                                    : random_groups(rows, plan.test_share, group, weights, seed));
      }
      return out;
    }
    case SplitPlan::Kind::folds:
      for (int r = 0; r < plan.repeats; ++r) {
        const std::uint64_t seed = seed_of(plan.seed, std::uint64_t(r));
        const Folds folds =
            group.empty() ? k_folds(rows, plan.folds, stratum, seed) : grouped_folds(group, plan.folds, seed, weights);
        for (TrainTest& split : from_folds(rows, folds)) out.push_back(std::move(split));
      }
      return out;
    case SplitPlan::Kind::groups:
      return from_folds(rows, group_folds(group));
    case SplitPlan::Kind::files:
      break;
  }
  return from_files(plan.stem, rows, most_bytes);
}

}  // namespace lacuna
