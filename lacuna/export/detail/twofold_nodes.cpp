#include "lacuna/export/detail/twofold_nodes.hpp"

namespace lacuna::onnx {

// Halves are added to one another until one column is left.
Twofold<Value> column_sum(Twofold<Value> a, std::int64_t n) {
  Graph& graph = *a.high.graph;
  const auto columns = [&](const Value& of, std::int64_t first, std::int64_t last) {
    return graph.node("Slice", {of, graph.whole({first}), graph.whole({last}), graph.whole({1})});
  };
  const auto part = [&](std::int64_t first, std::int64_t last) {
    return Twofold<Value>{columns(a.high, first, last), columns(a.low, first, last)};
  };
  while (n > 1) {
    const std::int64_t half = n / 2, odd = n % 2;
    Twofold<Value> sum = part(0, half) + part(half, 2 * half);
    if (odd == 1) {
      const Twofold<Value> last = part(n - 1, n);
      sum = {beside({sum.high, last.high}), beside({sum.low, last.low})};
    }
    a = sum;
    n = half + odd;
  }
  return a;
}

}  // namespace lacuna::onnx
