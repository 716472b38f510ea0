#include "lacuna/kernel/kernel.hpp"

#include <algorithm>

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/detail/pairs.hpp"

namespace lacuna {

using detail::coordinate, detail::Overload, detail::scaled_distance, detail::weighed;

namespace {

void append(std::vector<double>& to, const std::vector<double>& more) { to.insert(to.end(), more.begin(), more.end()); }

// Assigns from the front of `values` and shortens it, so that parts of a combination take their share in order.
void assign(Kernel& kernel, std::span<const double>& values) {
  const auto take = [&values](std::size_t n) {
    const auto head = values.first(n);
    values = values.subspan(n);
    return head;
  };
  std::visit(Overload{[&](kernels::Ard& k) {
                        const auto v = take(k.theta.size());
                        std::copy(v.begin(), v.end(), k.theta.begin());
                      },
                      [&](kernels::Custom& k) {
                        const auto v = take(k.parameter.size());
                        std::copy(v.begin(), v.end(), k.parameter.begin());
                      },
                      [&]<kernels::HasParts K>(K& k) {
                        for (Kernel& part : k.parts) assign(part, values);
                      },
                      [&]<kernels::Elementwise K>(K& k) {
                        const auto v = take(K::names.size());
                        for (std::size_t p = 0; p < v.size(); ++p) k.*(K::members()[p]) = v[p];
                      }},
             kernel.form);
}

}  // namespace

std::vector<double> kernel_parameters(const Kernel& kernel) {
  return std::visit(
      Overload{[](const kernels::Ard& k) { return k.theta; }, [](const kernels::Custom& k) { return k.parameter; },
               []<kernels::HasParts K>(const K& k) {
                 std::vector<double> all;
                 for (const Kernel& part : k.parts) append(all, kernel_parameters(part));
                 return all;
               },
               []<kernels::Elementwise K>(const K& k) {
                 std::vector<double> all;
                 for (const auto member : K::members()) all.push_back(k.*member);
                 return all;
               }},
      kernel.form);
}

std::vector<std::string> parameter_names(const Kernel& kernel, const std::vector<std::string>& feature_names) {
  return std::visit(
      Overload{
          [&](const kernels::Ard& k) {
            std::vector<std::string> all;
            const bool named = feature_names.size() == k.theta.size();
            for (std::size_t j = 0; j < k.theta.size(); ++j)
              all.push_back("theta" + (named ? "(" + feature_names[j] + ")" : std::to_string(j + 1)));
            return all;
          },
          [](const kernels::Custom& k) { return k.parameter_labels; },
          [&](const kernels::Relevance& k) { return parameter_names(k.parts[0], feature_names); },
          [&]<kernels::Combination K>(const K& k) {
            std::vector<std::string> all;
            for (std::size_t i = 0; i < k.parts.size(); ++i)
              for (const std::string& n : parameter_names(k.parts[i], feature_names))
                all.push_back(std::to_string(i + 1) + "." + n);
            return all;
          },
          []<kernels::Elementwise K>(const K&) { return std::vector<std::string>(K::names.begin(), K::names.end()); }},
      kernel.form);
}

std::vector<bool> parameter_scales(const Kernel& kernel) {
  return std::visit(Overload{[](const kernels::Ard& k) { return std::vector<bool>(k.theta.size(), true); },
                             [](const kernels::Custom& k) {
                               std::vector<bool> all = k.scale;
                               all.resize(k.parameter.size());
                               return all;
                             },
                             []<kernels::HasParts K>(const K& k) {
                               std::vector<bool> all;
                               for (const Kernel& part : k.parts)
                                 for (const bool scale : parameter_scales(part)) all.push_back(scale);
                               return all;
                             },
                             []<kernels::Elementwise K>(const K&) {
                               std::vector<bool> all(K::names.size());
                               if constexpr (kernels::HasScale<K>) all[K::scale] = true;
                               return all;
                             }},
                    kernel.form);
}

std::span<const Kernel> kernel_parts(const Kernel& kernel) {
  return std::visit(Overload{[]<kernels::HasParts K>(const K& k) { return std::span<const Kernel>(k.parts); },
                             []<class K>(const K&) { return std::span<const Kernel>(); }},
                    kernel.form);
}

Kernel with_parameters(const Kernel& kernel, std::span<const double> values) {
  if (values.size() != kernel_parameters(kernel).size())
    throw Error(Error::Kind::internal, "kernel: wrong number of parameter values");
  Kernel out = kernel;
  assign(out, values);
  return out;
}

std::vector<double> start_values(const Kernel& kernel, const kernels::DataScale& scale) {
  return std::visit(Overload{[&](const kernels::Ard& k) { return std::vector<double>(k.theta.size(), scale.theta); },
                             [](const kernels::Custom& k) { return k.parameter; },
                             [&]<kernels::HasParts K>(const K& k) {
                               std::vector<double> all;
                               for (const Kernel& part : k.parts) append(all, start_values(part, scale));
                               return all;
                             },
                             [&]<kernels::Elementwise K>(const K&) {
                               const auto s = K::start(scale);
                               return std::vector<double>(s.begin(), s.end());
                             }},
                    kernel.form);
}

double pair_value(const Kernel& kernel, std::span<const double> x, std::span<const double> y, Index column) {
  return std::visit(
      Overload{[&](const kernels::Ard& k) { return k.value(scaled_distance(k, x, y)); },
               [&](const kernels::Custom& k) { return k.pair_value(x, y, k.parameter); },
               [&](const kernels::Relevance& k) {
                 return pair_value(k.parts[0], weighed(x, k.weights), weighed(y, k.weights), column);
               },
               [&](const kernels::Sum& k) {
                 double sum = 0.0;
                 for (const Kernel& part : k.parts) sum += pair_value(part, x, y, column);
                 return sum;
               },
               [&](const kernels::Product& k) {
                 double product = 1.0;
                 for (const Kernel& part : k.parts) product *= pair_value(part, x, y, column);
                 return product;
               },
               [&]<kernels::Elementwise K>(const K& k) { return k.value(coordinate(K::geometry, x, y, column)); }},
      kernel.form);
}

std::vector<double> pair_d_log(const Kernel& kernel, std::span<const double> x, std::span<const double> y,
                               Index column) {
  return std::visit(Overload{[&](const kernels::Ard& k) {
                               const double u = scaled_distance(k, x, y);
                               const double slope = k.d_u(u, k.value(u));
                               std::vector<double> d(k.theta.size());
                               for (std::size_t j = 0; j < d.size(); ++j)
                                 d[j] = slope * k.theta[j] * (x[j] - y[j]) * (x[j] - y[j]);
                               return d;
                             },
                             [&](const kernels::Custom& k) {
                               std::vector<double> d(k.parameter.size());
                               if (k.pair_d_log)  // else its parameters are fixed, and nobody asks
                                 for (std::size_t p = 0; p < d.size(); ++p)
                                   d[p] = k.pair_d_log(int(p), x, y, k.parameter);
                               return d;
                             },
                             [&](const kernels::Relevance& k) {
                               return pair_d_log(k.parts[0], weighed(x, k.weights), weighed(y, k.weights), column);
                             },
                             [&](const kernels::Sum& k) {
                               std::vector<double> d;
                               for (const Kernel& part : k.parts) append(d, pair_d_log(part, x, y, column));
                               return d;
                             },
                             [&](const kernels::Product& k) {
                               std::vector<double> d;
                               for (std::size_t i = 0; i < k.parts.size(); ++i) {
                                 double others = 1.0;
                                 for (std::size_t j = 0; j < k.parts.size(); ++j)
                                   if (j != i) others *= pair_value(k.parts[j], x, y, column);
                                 for (const double v : pair_d_log(k.parts[i], x, y, column)) d.push_back(others * v);
                               }
                               return d;
                             },
                             [&]<kernels::Elementwise K>(const K& k) {
                               const double u = coordinate(K::geometry, x, y, column);
                               const double value = k.value(u);
                               std::vector<double> d(K::names.size());
                               for (std::size_t p = 0; p < d.size(); ++p) d[p] = k.d_log(int(p), u, value);
                               return d;
                             }},
                    kernel.form);
}

std::span<const double> column_weights(const Kernel& kernel) {
  const auto* k = std::get_if<kernels::Relevance>(&kernel.form);
  return k != nullptr ? std::span<const double>(k->weights) : std::span<const double>();
}

bool uses_geometry(const Kernel& kernel, kernels::Geometry geometry) {
  return std::visit(Overload{[&]<kernels::HasParts K>(const K& k) {
                               return std::any_of(k.parts.begin(), k.parts.end(),
                                                  [&](const Kernel& part) { return uses_geometry(part, geometry); });
                             },
                             [&]<class K>(const K&) { return K::geometry == geometry; }},
                    kernel.form);
}

}  // namespace lacuna
