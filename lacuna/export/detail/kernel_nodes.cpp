#include "lacuna/export/detail/kernel_nodes.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>

#include "lacuna/base/error.hpp"
#include "lacuna/export/detail/twofold_nodes.hpp"
#include "lacuna/kernel/specification.hpp"

namespace lacuna::onnx {
namespace {

template <class K>
concept Formula = requires(const K& k, Value u) {
  { k.value(u) } -> std::same_as<Value>;
};

// What kernels are formulas of; each is made when the first kernel asks for it, and shared. Number: Value, or its
// twofold (base/twofold.hpp).
template <class Number>
class Coordinates {
 public:
  using Distance = std::function<Number(const std::vector<double>& theta)>;        // none: all 1
  using Weighed = std::function<Coordinates(const std::vector<double>& weights)>;  // of the features
  Coordinates(std::function<Number()> dot, Distance distance, Weighed weighed)
      : make_dot_(std::move(dot)), make_distance_(std::move(distance)), weighed_(std::move(weighed)) {}

  const Number& dot() { return dot_ ? *dot_ : dot_.emplace(make_dot_()); }
  const Number& distance() { return distance_ ? *distance_ : distance_.emplace(make_distance_({})); }
  Number scaled_distance(const std::vector<double>& theta) const { return make_distance_(theta); }
  Coordinates weighed(const std::vector<double>& weights) const { return weighed_(weights); }

 private:
  std::function<Number()> make_dot_;
  Distance make_distance_;
  Weighed weighed_;
  std::optional<Number> dot_, distance_;
};

template <class Number>
Number value_of(const Kernel& kernel, Coordinates<Number>& u) {
  return std::visit(
      [&]<class K>(const K& k) -> Number {
        if constexpr (std::is_same_v<K, kernels::Relevance>) {
          Coordinates<Number> inside = u.weighed(k.weights);
          return value_of(k.parts[0], inside);
        } else if constexpr (kernels::Combination<K>) {
          Number out = value_of(k.parts[0], u);
          for (std::size_t i = 1; i < k.parts.size(); ++i) {
            const Number next = value_of(k.parts[i], u);
            out = std::is_same_v<K, kernels::Sum> ? out + next : out * next;
          }
          return out;
        } else if constexpr (kernels::PerFeature<K>) {
          return k.value(u.scaled_distance(k.theta));
        } else if constexpr (Formula<K>) {
          return k.value(K::geometry == kernels::Geometry::dot ? u.dot() : u.distance());
        } else {
          throw Error(Error::Kind::internal, "export: a kernel without a graph");  // refused before
        }
      },
      kernel.form);
}

// A sum over features for all pairs of rows, one step of the Scan for each: add(sum, x_k, z_k, theta_k), where x_k is
// N x 1 and z_k has n elements. `theta` may be empty: there is none then.
template <class Add>
std::vector<Value> over_features(const Value& x, const Value& z, std::int64_t n, const std::vector<double>& theta,
                                 std::size_t parts, const Add& add) {
  Graph& graph = *x.graph;
  const Shape pairs{std::string("N"), n};
  Graph body(graph);
  std::vector<Value> sum;
  for (std::size_t p = 0; p < parts; ++p) sum.push_back(body.body_input(pairs));
  const Value x_k = body.body_input({std::string("N")}), z_k = body.body_input({n});
  std::vector<Value> scanned{x, z};
  std::vector<std::int64_t> axes{1, 1};
  std::optional<Value> theta_k;
  if (!theta.empty()) {
    theta_k = body.body_input({});
    scanned.push_back(graph.list(theta));
    axes.push_back(0);
  }
  for (const Value& part : add(sum, reshape(x_k, {-1, 1}), z_k, theta_k)) body.body_output(pairs, part);
  const Value rows = graph.node("Shape", {x}, {{"start", std::int64_t(0)}, {"end", std::int64_t(1)}});
  const Value extent = graph.node("Concat", {rows, graph.whole({n})}, {{"axis", std::int64_t(0)}});
  std::vector<Value> inputs(parts, graph.node("Expand", {graph.scalar(0.0), extent}));
  inputs.insert(inputs.end(), scanned.begin(), scanned.end());
  return graph.nodes(parts, "Scan", inputs,
                     {{"body", &body}, {"num_scan_inputs", std::int64_t(scanned.size())}, {"scan_input_axes", axes}});
}

Value squared_distances(const Value& x, const Value& z, std::int64_t n, const std::vector<double>& theta) {
  return over_features(x, z, n, theta, 1,
                       [](const std::vector<Value>& sum, const Value& x_k, const Value& z_k,
                          const std::optional<Value>& theta_k) -> std::vector<Value> {
                         const Value difference = x_k - z_k, square = difference * difference;
                         return {sum[0] + (theta_k ? *theta_k * square : square)};
                       })[0];
}

using Precise = Twofold<Value>;

Precise precise_sum(const Value& x, const Value& z, std::int64_t n, const std::vector<double>& theta, bool distance) {
  const std::vector<Value> out =
      over_features(x, z, n, theta, 2,
                    [&](const std::vector<Value>& sum, const Value& x_k, const Value& z_k,
                        const std::optional<Value>& theta_k) -> std::vector<Value> {
                      const Precise term = distance ? square(two_sum(x_k, -z_k)) : two_product(x_k, z_k);
                      const Precise next = Precise{sum[0], sum[1]} + (theta_k ? times(term, *theta_k) : term);
                      return {next.high, next.low};
                    });
  return {out[0], out[1]};
}

// Rows of Z, written to the graph when something asks for them, and not for others in their place.
auto written(const Value& x, const RowMatrix& Z) {
  return [=, made = std::make_shared<std::optional<Value>>()] {
    return *made ? **made : made->emplace(x.graph->matrix(Z));
  };
}

RowMatrix weighed_rows(const RowMatrix& Z, const std::vector<double>& weights) {
  const Eigen::Map<const Vector> w(weights.data(), Index(weights.size()));
  return Z * w.asDiagonal();
}

Coordinates<Value> coordinates_of_pairs(const Value& x, const RowMatrix& Z) {
  const auto z = written(x, Z);
  return {[=] { return product_transposed(x, z()); },
          [=, n = Z.rows()](const std::vector<double>& theta) { return squared_distances(x, z(), n, theta); },
          [=](const std::vector<double>& weights) {
            return coordinates_of_pairs(x * x.graph->list(weights), weighed_rows(Z, weights));
          }};
}

Coordinates<Precise> precise_pairs(const Value& x, const RowMatrix& Z) {
  const auto z = written(x, Z);
  return {[=, n = Z.rows()] { return precise_sum(x, z(), n, {}, false); },
          [=, n = Z.rows()](const std::vector<double>& theta) { return precise_sum(x, z(), n, theta, true); },
          [=](const std::vector<double>& weights) {
            return precise_pairs(x * x.graph->list(weights), weighed_rows(Z, weights));
          }};
}

Coordinates<Value> coordinates_of_rows(const Value& x) {
  return {[=] { return row_sums(x * x); }, [=](const std::vector<double>&) { return x.graph->scalar(0.0); },
          [=](const std::vector<double>& weights) { return coordinates_of_rows(x * x.graph->list(weights)); }};
}

Coordinates<Precise> precise_rows(const Value& x, std::int64_t features) {
  return {[=] { return column_sum(two_square(x), features); },
          [=](const std::vector<double>&) {
            return Precise{x.graph->scalar(0.0), x.graph->scalar(0.0)};
          },
          [=](const std::vector<double>& weights) { return precise_rows(x * x.graph->list(weights), features); }};
}

}  // namespace

void require_exportable(const Kernel& kernel) {
  std::visit(
      []<class K>(const K& k) {
        if constexpr (kernels::HasParts<K>) {
          for (const Kernel& part : k.parts) require_exportable(part);
        } else if constexpr (K::geometry == kernels::Geometry::given) {
          fail_usage("export: a precomputed kernel is computed elsewhere: its rows are kernel values already");
        } else if constexpr (K::geometry == kernels::Geometry::rows) {
          fail_usage(fmt::format("export: kernel {} exists only in the program that made it", k.label));
        } else if constexpr (!Formula<K>) {
          fail_usage(fmt::format("export: the formula of kernel {} is written for numbers only", K::id));
        }
      },
      kernel.form);
}

Value kernel_block(const Kernel& kernel, const Value& x, const RowMatrix& Z) {
  Coordinates<Value> pairs = coordinates_of_pairs(x, Z);
  return value_of(kernel, pairs);
}

Twofold<Value> precise_kernel_block(const Kernel& kernel, const Value& x, const RowMatrix& Z) {
  Coordinates<Precise> pairs = precise_pairs(x, Z);
  return value_of(kernel, pairs);
}

Value kernel_self(const Kernel& kernel, const Value& x) {
  Coordinates<Value> own = coordinates_of_rows(x);
  return value_of(kernel, own);
}

Twofold<Value> precise_kernel_self(const Kernel& kernel, const Value& x, std::int64_t features) {
  Coordinates<Precise> own = precise_rows(x, features);
  return value_of(kernel, own);
}

}  // namespace lacuna::onnx
