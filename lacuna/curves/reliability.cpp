#include "lacuna/curves/reliability.hpp"

#include <algorithm>
#include <numeric>

#include "lacuna/base/random.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/curves/counted.hpp"
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

void set_band(Reliability& to, const std::vector<double>& p, const std::vector<double>& weight, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<double>> seen(levels);
  std::vector<double> y(p.size());
  for (int k = 0; k < draws; ++k) {
    for (std::size_t i = 0; i < p.size(); ++i) y[i] = random.uniform() < p[i] ? 1.0 : 0.0;
    const std::vector<Block> blocks = pooled_blocks(p, y, weight);
    for (int g = 0; g < levels; ++g) seen[std::size_t(g)].push_back(at_point(blocks, double(g) / (levels - 1)));
  }
  for (int g = 0; g < levels; ++g) {
    const double x = double(g) / (levels - 1);
    if (x < p.front() - 0.5 / levels || x > p.back() + 0.5 / levels) continue;  // nothing was stated there
    std::vector<double>& s = seen[std::size_t(g)];
    std::ranges::sort(s);
    to.at.push_back(x);
    to.lower.push_back(std::min(x, s[std::size_t(0.025 * draws)]));
    to.upper.push_back(std::max(x, s[std::size_t(0.975 * draws)]));
  }
}

}  // namespace

Reliability reliability(const Vector& p, const std::vector<bool>& hit, const Vector& weight, std::uint64_t seed) {
  const Vector counts = weights_or_ones(weight, p.size());
  std::vector<Index> order(hit.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::stable_sort(order, {}, [&](Index i) { return p[i]; });
  std::vector<double> sorted, y, w;
  for (const Index i : order) {
    sorted.push_back(p[i]);
    y.push_back(hit[std::size_t(i)] ? 1.0 : 0.0);
    w.push_back(counts[i]);
  }
  Reliability out;
  for (const Block& b : pooled_blocks(sorted, y, w)) {
    out.p.push_back(b.first);
    out.share.push_back(b.mean);
    if (b.last == b.first) continue;
    out.p.push_back(b.last);
    out.share.push_back(b.mean);
  }
  set_band(out, sorted, w, seed);
  std::vector<Reliability::Bin> bins(10);
  std::vector<std::vector<double>> inside(10);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto at = std::size_t(std::clamp(int(10.0 * sorted[i]), 0, 9));
    bins[at].rows += w[i];
    bins[at].stated += w[i] * sorted[i];
    bins[at].was += w[i] * y[i];
    inside[at].push_back(w[i]);
  }
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const Reliability::Bin& bin = bins[b];
    if (bin.rows == 0.0) continue;
    const double share = bin.was / bin.rows;
    const double n = rows_counted(Eigen::Map<const Vector>(inside[b].data(), Index(inside[b].size())));
    const auto [lower, upper] = wilson(share * n, n);
    out.bins.push_back({bin.rows, bin.stated / bin.rows, share, lower, upper});
  }
  return out;
}

}  // namespace lacuna
