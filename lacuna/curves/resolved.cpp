#include "lacuna/curves/resolved.hpp"

#include <Eigen/Core>
#include <cmath>

namespace lacuna {
namespace {

using Parts = Eigen::MatrixXi;  // the part that each point is in, from 1; 0: it is not below

int fill_parts(const FineGrid& fine, double height, Parts& parts) {
  int count = 0;
  std::vector<std::pair<Index, Index>> next;
  for (Index i = 0; i < fine.z.rows(); ++i)
    for (Index j = 0; j < fine.z.cols(); ++j) {
      const auto enter = [&](Index a, Index b) {
        if (a < 0 || b < 0 || a >= fine.z.rows() || b >= fine.z.cols() || parts(a, b) != 0) return;
        if (!(fine.z(a, b) < height)) return;
        parts(a, b) = count;
        next.emplace_back(a, b);
      };
      if (parts(i, j) != 0 || !(fine.z(i, j) < height)) continue;
      ++count;
      enter(i, j);
      while (!next.empty()) {
        const auto [a, b] = next.back();
        next.pop_back();
        enter(a - 1, b);
        enter(a + 1, b);
        enter(a, b - 1);
        enter(a, b + 1);
      }
    }
  return count;
}

Index nearest(const Vector& grid, double at) {
  Index out = 0;
  (grid.array() - at).abs().minCoeff(&out);
  return out;
}

}  // namespace

bool is_resolved(const FineGrid& fine, int times, double height, const std::vector<std::pair<double, double>>& known) {
  Parts parts = Parts::Zero(fine.z.rows(), fine.z.cols());
  const int count = fill_parts(fine, height, parts);
  std::vector<bool> believed(std::size_t(count) + 1, false);
  believed[0] = true;
  for (const auto& [x, y] : known) believed[std::size_t(parts(nearest(fine.x, x), nearest(fine.y, y)))] = true;
  for (Index i = 0; i + times < parts.rows(); i += times)
    for (Index j = 0; j + times < parts.cols(); j += times) {
      const int part = parts(i, j);
      if (parts(i + times, j) == part && parts(i, j + times) == part && parts(i + times, j + times) == part)
        believed[std::size_t(part)] = true;
    }
  for (const bool b : believed)
    if (!b) return false;
  return true;
}

}  // namespace lacuna
