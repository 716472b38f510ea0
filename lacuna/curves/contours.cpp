#include "lacuna/curves/contours.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace lacuna {
namespace {

// An edge of the grid: from point (i, j) along x (0) or y (1).
using Edge = std::tuple<Index, Index, int>;

struct Grid {
  const Vector &x, &y;
  const Matrix& z;
  double height;

  bool above(Index i, Index j) const { return z(i, j) >= height; }
  std::pair<double, double> crossing(const Edge& e) const {
    const auto [i, j, along] = e;
    const Index k = along == 0 ? i + 1 : i, l = along == 0 ? j : j + 1;
    const double t = std::clamp((height - z(i, j)) / (z(k, l) - z(i, j)), 0.0, 1.0);
    return {x[i] + t * (x[k] - x[i]), y[j] + t * (y[l] - y[j])};
  }
};

// Which edges of a cell a line joins.
void cell_segments(const Grid& g, Index i, Index j, std::vector<std::pair<Edge, Edge>>& out) {
  const bool a = g.above(i, j), b = g.above(i + 1, j), c = g.above(i + 1, j + 1), d = g.above(i, j + 1);
  const Edge bottom{i, j, 0}, right{i + 1, j, 1}, top{i, j + 1, 0}, left{i, j, 1};
  std::vector<Edge> crossed;
  if (a != b) crossed.push_back(bottom);
  if (b != c) crossed.push_back(right);
  if (c != d) crossed.push_back(top);
  if (d != a) crossed.push_back(left);
  if (crossed.size() == 2) out.emplace_back(crossed[0], crossed[1]);
  if (crossed.size() < 4) return;
  const bool middle = 0.25 * (g.z(i, j) + g.z(i + 1, j) + g.z(i + 1, j + 1) + g.z(i, j + 1)) >= g.height;
  if (middle == a) {  // a and c are joined: the lines cut b and d off
    out.emplace_back(bottom, right);
    out.emplace_back(top, left);
  } else {
    out.emplace_back(bottom, left);
    out.emplace_back(top, right);
  }
}

double cubic(double before, double a, double b, double after, double t) {
  const double m0 = 0.5 * (b - before), m1 = 0.5 * (after - a), t2 = t * t, t3 = t2 * t;
  return (2.0 * t3 - 3.0 * t2 + 1.0) * a + (t3 - 2.0 * t2 + t) * m0 + (3.0 * t2 - 2.0 * t3) * b + (t3 - t2) * m1;
}

// The rows of z between its rows, evenly.
Matrix finer_rows(const Matrix& z, int times) {
  const Index n = z.rows();
  Matrix out((n - 1) * times + 1, z.cols());
  for (Index r = 0; r < out.rows(); ++r) {
    const Index i = std::min(r / times, n - 2);
    const double t = double(r - i * times) / times;
    for (Index c = 0; c < z.cols(); ++c) {
      const double a = z(i, c), b = z(i + 1, c);
      // Beyond an end, or a point that has no height, the line goes on straight.
      const double before = i > 0 && std::isfinite(z(i - 1, c)) ? z(i - 1, c) : 2.0 * a - b;
      const double after = i + 2 < n && std::isfinite(z(i + 2, c)) ? z(i + 2, c) : 2.0 * b - a;
      out(r, c) = t == 0.0 ? a : t == 1.0 ? b : cubic(before, a, b, after, t);
    }
  }
  return out;
}

Vector finer(const Vector& x, int times) {
  Vector out((x.size() - 1) * times + 1);
  for (Index r = 0; r < out.size(); ++r) {
    const Index i = std::min(r / times, x.size() - 2);
    out[r] = x[i] + (x[i + 1] - x[i]) * double(r - i * times) / times;
  }
  return out;
}

}  // namespace

std::vector<ContourLine> contours(const Vector& x, const Vector& y, const Matrix& z, double height) {
  const Grid grid{x, y, z, height};
  std::vector<std::pair<Edge, Edge>> segments;
  for (Index i = 0; i + 1 < x.size(); ++i)
    for (Index j = 0; j + 1 < y.size(); ++j)
      if (z.block(i, j, 2, 2).allFinite()) cell_segments(grid, i, j, segments);
  std::multimap<Edge, std::size_t> at;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    at.emplace(segments[s].first, s);
    at.emplace(segments[s].second, s);
  }
  std::vector<bool> used(segments.size(), false);
  const auto follow = [&](std::size_t s, Edge from) {
    ContourLine line;
    const auto add = [&](const Edge& e) {
      const auto [px, py] = grid.crossing(e);
      line.x.push_back(px);
      line.y.push_back(py);
    };
    add(from);
    for (;;) {
      used[s] = true;
      from = segments[s].first == from ? segments[s].second : segments[s].first;
      add(from);
      const auto [first, last] = at.equal_range(from);
      const auto next = std::find_if(first, last, [&](const auto& entry) { return !used[entry.second]; });
      if (next == last) return line;
      s = next->second;
    }
  };
  std::vector<ContourLine> out;
  for (std::size_t s = 0; s < segments.size(); ++s)  // open lines from one of their ends
    for (const Edge& end : {segments[s].first, segments[s].second})
      if (!used[s] && at.count(end) == 1) out.push_back(follow(s, end));
  for (std::size_t s = 0; s < segments.size(); ++s)
    if (!used[s]) out.push_back(follow(s, segments[s].first));
  return out;
}

FineGrid refined(const Vector& x, const Vector& y, const Matrix& z, int times) {
  return {finer(x, times), finer(y, times), finer_rows(finer_rows(z, times).transpose(), times).transpose()};
}

}  // namespace lacuna
