#include "lacuna/export/detail/kernel_nodes.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/specification.hpp"

namespace lacuna::onnx {
namespace {

template <class K>
concept Formula = requires(const K& k, Value u) {
  { k.value(u) } -> std::same_as<Value>;
};

// What kernels are formulas of; each is made when the first kernel asks for it, and shared.
class Coordinates {
 public:
  using Distance = std::function<Value(const std::vector<double>& theta)>;         // none: all 1
  using Weighed = std::function<Coordinates(const std::vector<double>& weights)>;  // of the features
  Coordinates(std::function<Value()> dot, Distance distance, Weighed weighed)
      : make_dot_(std::move(dot)), make_distance_(std::move(distance)), weighed_(std::move(weighed)) {}

  const Value& dot() { return dot_ ? *dot_ : dot_.emplace(make_dot_()); }
  const Value& distance() { return distance_ ? *distance_ : distance_.emplace(make_distance_({})); }
  Value scaled_distance(const std::vector<double>& theta) const { return make_distance_(theta); }
  Coordinates weighed(const std::vector<double>& weights) const { return weighed_(weights); }

 private:
  std::function<Value()> make_dot_;
  Distance make_distance_;
  Weighed weighed_;
  std::optional<Value> dot_, distance_;
};

Value value_of(const Kernel& kernel, Coordinates& u) {
  return std::visit(
      [&]<class K>(const K& k) -> Value {
        if constexpr (std::is_same_v<K, Relevance>) {
          Coordinates inside = u.weighed(k.weights);
          return value_of(k.parts[0], inside);
        } else if constexpr (Combination<K>) {
          Value out = value_of(k.parts[0], u);
          for (std::size_t i = 1; i < k.parts.size(); ++i) {
            const Value next = value_of(k.parts[i], u);
            out = std::is_same_v<K, Sum> ? out + next : out * next;
          }
          return out;
        } else if constexpr (PerFeature<K>) {
          return k.value(u.scaled_distance(k.theta));
        } else if constexpr (Formula<K>) {
          return k.value(K::geometry == Geometry::dot ? u.dot() : u.distance());
        } else {
          throw Error(Error::Kind::internal, "export: a kernel without a graph");  // refused before
        }
      },
      kernel.form);
}

// sum_k theta_k (x_k - z_k)^2 of all pairs: one step of the Scan for each feature.
Value squared_distances(const Value& x, const Value& z, std::int64_t n, const std::vector<double>& theta) {
  Graph& graph = *x.graph;
  const Shape pairs{std::string("N"), n};
  Graph body(graph);
  const Value sum = body.body_input(pairs), x_k = body.body_input({std::string("N")}), z_k = body.body_input({n});
  const Value difference = reshape(x_k, {-1, 1}) - z_k;
  const Value square = difference * difference;
  std::vector<Value> scanned{x, z};
  std::vector<std::int64_t> axes{1, 1};
  if (theta.empty()) {
    body.body_output(pairs, sum + square);
  } else {
    body.body_output(pairs, sum + body.body_input({}) * square);
    scanned.push_back(graph.list(theta));
    axes.push_back(0);
  }
  const Value rows = graph.node("Shape", {x}, {{"start", std::int64_t(0)}, {"end", std::int64_t(1)}});
  const Value extent = graph.node("Concat", {rows, graph.whole({n})}, {{"axis", std::int64_t(0)}});
  std::vector<Value> inputs{graph.node("Expand", {graph.scalar(0.0), extent})};
  inputs.insert(inputs.end(), scanned.begin(), scanned.end());
  return graph.node("Scan", inputs,
                    {{"body", &body}, {"num_scan_inputs", std::int64_t(scanned.size())}, {"scan_input_axes", axes}});
}

Coordinates coordinates_of_pairs(const Value& x, const RowMatrix& Z) {
  // Written to the graph when something asks for these rows, and not for others in their place.
  const auto z = [=, made = std::make_shared<std::optional<Value>>()] {
    return *made ? **made : made->emplace(x.graph->matrix(Z));
  };
  return {[=] { return product_transposed(x, z()); },
          [=, n = Z.rows()](const std::vector<double>& theta) { return squared_distances(x, z(), n, theta); },
          [=](const std::vector<double>& weights) {
            const Eigen::Map<const Vector> w(weights.data(), Index(weights.size()));
            return coordinates_of_pairs(x * x.graph->list(weights), Z * w.asDiagonal());
          }};
}

Coordinates coordinates_of_rows(const Value& x) {
  return {[=] { return row_sums(x * x); }, [=](const std::vector<double>&) { return x.graph->scalar(0.0); },
          [=](const std::vector<double>& weights) { return coordinates_of_rows(x * x.graph->list(weights)); }};
}

}  // namespace

void require_exportable(const Kernel& kernel) {
  std::visit(
      []<class K>(const K& k) {
        if constexpr (HasParts<K>) {
          for (const Kernel& part : k.parts) require_exportable(part);
        } else if constexpr (K::geometry == Geometry::given) {
          fail_usage("export: a precomputed kernel is computed elsewhere: its rows are kernel values already");
        } else if constexpr (K::geometry == Geometry::rows) {
          fail_usage(fmt::format("export: kernel {} exists only in the program that made it", k.label));
        } else if constexpr (!Formula<K>) {
          fail_usage(fmt::format("export: the formula of kernel {} is written for numbers only", K::id));
        }
      },
      kernel.form);
}

Value kernel_block(const Kernel& kernel, const Value& x, const RowMatrix& Z) {
  Coordinates pairs = coordinates_of_pairs(x, Z);
  return value_of(kernel, pairs);
}

Value kernel_self(const Kernel& kernel, const Value& x) {
  Coordinates own = coordinates_of_rows(x);
  return value_of(kernel, own);
}

}  // namespace lacuna::onnx
