#include "lacuna/curves/reliability.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "lacuna/base/random.hpp"
#include "lacuna/curves/counted.hpp"
#include "lacuna/curves/independent.hpp"
#include "lacuna/curves/wilson.hpp"

namespace lacuna {
namespace {

constexpr int draws = 200, levels = 41;

struct Block {
  double weight, mean, first, last;  // of ascending p
};

// Pools neighbours that are in the wrong order (isotonic regression).
std::vector<Block> pooled_blocks(const std::vector<double>& p, const std::vector<double>& y,
                                 const std::vector<double>& weight) {
  std::vector<Block> out;
  for (std::size_t i = 0; i < p.size(); ++i) {
    out.push_back({weight[i], y[i], p[i], p[i]});
    const auto out_of_order = [&] {
      if (out.size() < 2) return false;
      const Block &a = out[out.size() - 2], &b = out.back();
      return a.mean >= b.mean || a.last == b.first;  // rows of one statement are one block
    };
    while (out_of_order()) {
      const Block b = out.back();
      out.pop_back();
      Block& a = out.back();
      a.mean = (a.weight * a.mean + b.weight * b.mean) / (a.weight + b.weight);
      a.weight += b.weight;
      a.last = b.last;
    }
  }
  return out;
}

// Constant on a block, straight between blocks, constant beyond the ends.
double at_point(const std::vector<Block>& blocks, double p) {
  const auto next = std::ranges::lower_bound(blocks, p, {}, &Block::last);
  if (next == blocks.end()) return blocks.back().mean;
  if (p >= next->first || next == blocks.begin()) return next->mean;
  const Block& before = *(next - 1);
  return before.mean + (next->mean - before.mean) * (p - before.last) / (next->first - before.last);
}

// Of ascending p: what was, what it counts, and its group (none: every row is alone).
struct Stated {
  std::vector<double> p{}, y{}, weight{};
  std::vector<int> group{};
};

// Labels as they would be if the statements were right.
void draw(const Stated& rows, Random& random, std::vector<double>& y) {
  std::map<int, double> sign;
  for (const int g : rows.group)
    if (!sign.contains(g)) sign[g] = random.uniform() < 0.5 ? -1.0 : 1.0;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (rows.group.empty())
      y[i] = random.uniform() < rows.p[i] ? 1.0 : 0.0;
    else
      y[i] = rows.p[i] + sign[rows.group[i]] * (rows.y[i] - rows.p[i]);
}

void set_band(Reliability& to, const Stated& rows, std::uint64_t seed) {
  const std::vector<double>& p = rows.p;
  Random random(seed);
  std::vector<std::vector<double>> seen(levels);
  std::vector<double> y(p.size());
  for (int k = 0; k < draws; ++k) {
    draw(rows, random, y);
    const std::vector<Block> blocks = pooled_blocks(p, y, rows.weight);
    for (int g = 0; g < levels; ++g) seen[std::size_t(g)].push_back(at_point(blocks, double(g) / (levels - 1)));
  }
  for (int g = 0; g < levels; ++g) {
    const double x = double(g) / (levels - 1);
    if (x < p.front() - 0.5 / levels || x > p.back() + 0.5 / levels) continue;  // nothing was stated there
    std::vector<double>& s = seen[std::size_t(g)];
    std::ranges::sort(s);
    to.at.push_back(x);
    to.lower.push_back(std::clamp(s[std::size_t(0.025 * draws)], 0.0, x));
    to.upper.push_back(std::clamp(s[std::size_t(0.975 * draws)], x, 1.0));
  }
}

}  // namespace

Reliability reliability(const Vector& p, const std::vector<bool>& hit, const Vector& weight,
                        const std::vector<int>& group, std::uint64_t seed) {
  const Vector counts = weights_or_ones(weight, p.size());
  std::vector<Index> order(hit.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::stable_sort(order, {}, [&](Index i) { return p[i]; });
  Stated rows;
  for (const Index i : order) {
    rows.p.push_back(p[i]);
    rows.y.push_back(hit[std::size_t(i)] ? 1.0 : 0.0);
    rows.weight.push_back(counts[i]);
    if (!group.empty()) rows.group.push_back(group[std::size_t(i)]);
  }
  Reliability out;
  for (const Block& b : pooled_blocks(rows.p, rows.y, rows.weight)) {
    out.p.push_back(b.first);
    out.share.push_back(b.mean);
    if (b.last == b.first) continue;
    out.p.push_back(b.last);
    out.share.push_back(b.mean);
  }
  set_band(out, rows, seed);
  std::vector<std::vector<Index>> inside(10);
  for (std::size_t i = 0; i < rows.p.size(); ++i)
    inside[std::size_t(std::clamp(int(10.0 * rows.p[i]), 0, 9))].push_back(Index(i));
  const auto n = Index(rows.p.size());
  const Eigen::Map<const Vector> stated(rows.p.data(), n), was(rows.y.data(), n), w(rows.weight.data(), n);
  for (const std::vector<Index>& of : inside) {
    if (of.empty()) continue;
    const double sum = w(of).sum(), share = w(of).dot(was(of)) / sum;
    const double known = independent_rows(was, w, rows.group, of);
    const auto [lower, upper] = wilson(share * known, known);
    out.bins.push_back({sum, w(of).dot(stated(of)) / sum, share, lower, upper});
  }
  return out;
}

}  // namespace lacuna
