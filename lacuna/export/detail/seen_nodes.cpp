#include "lacuna/export/detail/seen_nodes.hpp"

#include <algorithm>
#include <span>

namespace lacuna::onnx {
namespace {

// What a feature is at x; between two of its own knots, of which x is one here.
double value_at(const SeenFeature& f, double x) {
  const auto above = std::ranges::upper_bound(f.at, x);
  if (above == f.at.begin()) return f.value.front();
  const auto k = std::size_t(above - f.at.begin()) - 1;
  if (above == f.at.end() || f.at[k] == x) return f.value[k];
  return f.value[k] + (x - f.at[k]) / (f.at[k + 1] - f.at[k]) * (f.value[k + 1] - f.value[k]);
}

std::vector<double> knots_of(std::span<const SeenFeature> features) {
  std::vector<double> out;
  for (const SeenFeature& f : features) out.insert(out.end(), f.at.begin(), f.at.end());
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Features with knots, all of column x (N x 1). Interval k = 0 ... n begins at knot k - 1; features are constant in the
// first and the last.
Value of_column(const Value& x, std::span<const SeenFeature> features) {
  const std::vector<double> knots = knots_of(features);
  const auto n = Index(knots.size()), m = Index(features.size());
  Vector begin = Vector::Constant(n + 1, knots.front()), length = Vector::Ones(n + 1);
  RowMatrix value(n + 1, m), rise = RowMatrix::Zero(n + 1, m);
  for (Index k = 0; k <= n; ++k) {
    const double from = knots[std::size_t(std::max<Index>(k - 1, 0))];
    for (Index j = 0; j < m; ++j) value(k, j) = value_at(features[std::size_t(j)], from);
    begin[k] = from;
    if (k == 0 || k == n) continue;
    length[k] = knots[std::size_t(k)] - from;
    for (Index j = 0; j < m; ++j) rise(k, j) = value_at(features[std::size_t(j)], knots[std::size_t(k)]) - value(k, j);
  }
  Graph& graph = *x.graph;
  const Value below = row_sums(as_real(at_least(x, graph.list(knots))));
  const Value k = reshape(graph.node("Cast", {below}, {{"to", std::int64_t(Element::int64)}}), {-1});
  const Value part = (x - gather(graph.matrix(begin), k, 0)) / gather(graph.matrix(length), k, 0);
  return gather(graph.matrix(value), k, 0) + part * gather(graph.matrix(rise), k, 0);
}

}  // namespace

Value seen(const Representation& representation, const Value& rows) {
  if (representation.empty()) return rows;
  Graph& graph = *rows.graph;
  const std::span<const SeenFeature> all = representation.features;
  std::vector<Value> parts;
  for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
    const bool as_it_is = all[first].at.empty();
    std::vector<std::int64_t> columns;
    for (; last < all.size() && all[last].at.empty() == as_it_is; ++last) {
      if (!as_it_is && all[last].column != all[first].column) break;
      columns.push_back(all[last].column);
    }
    if (!as_it_is) columns.resize(1);
    const Value part = gather(rows, graph.whole(columns), 1);
    parts.push_back(as_it_is ? part : of_column(part, all.subspan(first, last - first)));
  }
  return beside(parts);
}

}  // namespace lacuna::onnx
