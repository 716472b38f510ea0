#include "lacuna/kernel/specification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/kernel/detail/build.hpp"
#include "lacuna/kernel/slope.hpp"

namespace lacuna {
namespace {

using detail::combine, detail::for_each_form, detail::make;

KernelSpec bind_from(const Kernel& kernel, std::span<const std::optional<double>>& given, Index features);

bool has_weights(const Kernel& kernel) {
  return std::holds_alternative<kernels::Relevance>(kernel.form) ||
         std::ranges::any_of(kernel_parts(kernel), has_weights);
}

KernelSpec bind_relevance(const kernels::Relevance& k, std::span<const std::optional<double>>& given, Index features) {
  if (k.parts.size() != 1) fail_usage("kernel: relevance takes one kernel: relevance(sum(A,B)) for several");
  const Kernel& inner = k.parts[0];
  if (has_weights(inner)) fail_usage("kernel: relevance inside relevance; the weights of one stand for both");
  if (uses_geometry(inner, kernels::Geometry::scaled_distance))
    fail_usage("kernel: relevance(ard): ard has a theta for each feature already; take relevance(rbf)");
  if (!has_slopes(inner))
    fail_usage(
        fmt::format("kernel: relevance({}): this kernel has no slopes in the features, which their weights are "
                    "learned from",
                    kernel_text(inner)));
  kernels::Relevance out{{}, k.weights};
  if (out.weights.empty()) out.weights.assign(std::size_t(features), 1.0);
  if (Index(out.weights.size()) != features)
    fail_usage(fmt::format("kernel: relevance has {} weights for {} features", out.weights.size(), features));
  for (const double w : out.weights)
    if (!(w > 0.0 && std::isfinite(w))) fail_usage(fmt::format("kernel: relevance: weight = {}; must be > 0", w));
  KernelSpec bound = bind_from(inner, given, features);
  out.parts = {std::move(bound.kernel)};
  return {Kernel(std::move(out)), std::move(bound.given)};
}

KernelSpec bind_from(const Kernel& kernel, std::span<const std::optional<double>>& given, Index features) {
  const auto take = [&given](std::size_t n) {
    std::vector<std::optional<double>> head(given.begin(), given.begin() + std::ptrdiff_t(n));
    given = given.subspan(n);
    return head;
  };
  if (const auto* k = std::get_if<kernels::Ard>(&kernel.form)) {
    auto fixed = take(k->theta.size());
    const auto d = std::size_t(features);
    if (k->theta.empty()) return {kernels::Ard{std::vector<double>(d, 1.0)}, std::vector<std::optional<double>>(d)};
    if (k->theta.size() == 1) {
      // Not {d, fixed[0]}: in braces that is a list of two values.
      return {kernels::Ard{std::vector<double>(d, k->theta[0])}, std::vector<std::optional<double>>(d, fixed[0])};
    }
    if (k->theta.size() != d)
      fail_usage(fmt::format("kernel: ard has {} values of theta for {} features", k->theta.size(), d));
    return {*k, std::move(fixed)};
  }
  if (const auto* k = std::get_if<kernels::Custom>(&kernel.form)) {
    if (!k->pair_value) fail_usage(fmt::format("kernel: custom '{}' has no pair_value", k->label));
    if (k->parameter_labels.size() != k->parameter.size())
      fail_usage(fmt::format("kernel: custom '{}' has {} labels for {} parameters", k->label,
                             k->parameter_labels.size(), k->parameter.size()));
    for (const double v : k->parameter)
      if (!(v > 0.0 && std::isfinite(v)))
        fail_usage(fmt::format("kernel: custom '{}': parameter = {}; must be > 0", k->label, v));
  }
  if (const auto* k = std::get_if<kernels::Relevance>(&kernel.form)) return bind_relevance(*k, given, features);
  const auto rebuild = [&]<class Combined>(const Combined& k) {
    std::vector<KernelSpec> bound;
    for (const Kernel& part : k.parts) bound.push_back(bind_from(part, given, features));
    return combine<Combined>(std::move(bound));
  };
  if (const auto* k = std::get_if<kernels::Sum>(&kernel.form)) return rebuild(*k);
  if (const auto* k = std::get_if<kernels::Product>(&kernel.form)) return rebuild(*k);
  return {kernel, take(kernel_parameters(kernel).size())};
}

}  // namespace

KernelSpec linear() { return make(kernels::Linear{}, {}); }
KernelSpec polynomial(int degree, std::optional<double> c) {
  if (degree < 1 || degree > 20) fail_usage(fmt::format("kernel: degree = {}; must be from 1 to 20", degree));
  return make(kernels::Polynomial{.degree = degree}, {c});
}
KernelSpec boolean(std::optional<double> eta) { return make(kernels::Boolean{}, {eta}); }
KernelSpec rbf(std::optional<double> theta) { return make(kernels::Rbf{}, {theta}); }
KernelSpec ard(std::vector<double> theta) {
  std::vector<std::optional<double>> given(theta.begin(), theta.end());
  return {kernels::Ard{std::move(theta)}, std::move(given)};
}
KernelSpec matern12(std::optional<double> theta) { return make(kernels::Matern12{}, {theta}); }
KernelSpec matern32(std::optional<double> theta) { return make(kernels::Matern32{}, {theta}); }
KernelSpec matern52(std::optional<double> theta) { return make(kernels::Matern52{}, {theta}); }
KernelSpec rational_quadratic(std::optional<double> theta, std::optional<double> alpha) {
  return make(kernels::RationalQuadratic{}, {theta, alpha});
}
KernelSpec precomputed() { return make(kernels::Precomputed{}, {}); }
KernelSpec custom(kernels::Custom kernel) {
  std::vector<std::optional<double>> given(kernel.parameter.size());
  return {Kernel(std::move(kernel)), std::move(given)};
}
KernelSpec sum(std::vector<KernelSpec> parts) { return combine<kernels::Sum>(std::move(parts)); }
KernelSpec product(std::vector<KernelSpec> parts) { return combine<kernels::Product>(std::move(parts)); }

KernelSpec relevance(KernelSpec kernel, std::vector<double> weights) {
  const bool learns = weights.empty();
  return {kernels::Relevance{{std::move(kernel.kernel)}, std::move(weights)}, std::move(kernel.given), {}, learns};
}
KernelSpec relevance_from(KernelSpec kernel, std::vector<double> start) {
  KernelSpec out = relevance(std::move(kernel), std::move(start));
  out.learns = true;
  return out;
}

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for_each_form([&]<class K>() {
      if constexpr (kernels::HasWhole<K>)
        for (const kernels::Shorthand& s : K::shorthands) all.emplace_back(s.name);
      if constexpr (!std::is_same_v<K, kernels::Custom>) all.emplace_back(K::id);
      return false;
    });
    return all;
  }();
  return names;
}

std::vector<std::string> kernel_usage() {
  std::vector<std::string> all;
  for_each_form([&]<class K>() {
    if constexpr (kernels::HasWhole<K>)
      for (const kernels::Shorthand& s : K::shorthands) all.emplace_back(s.name);
    std::string usage(K::id);
    if constexpr (kernels::HasWhole<K>) usage += fmt::format(":{}=N", K::whole().name);
    if constexpr (kernels::HasParts<K>) usage += kernels::Combination<K> ? "(A,B)" : "(A)";
    if constexpr (!std::is_same_v<K, kernels::Custom>) all.push_back(usage);
    return false;
  });
  return all;
}

std::string kernel_text(const Kernel& kernel) {
  return std::visit(
      [](const auto& k) -> std::string {
        using K = std::remove_cvref_t<decltype(k)>;
        if constexpr (kernels::HasParts<K>) {
          std::vector<std::string> parts;
          for (const Kernel& part : k.parts) parts.push_back(kernel_text(part));
          std::string text = fmt::format("{}({})", K::id, join(parts, ","));
          if constexpr (std::is_same_v<K, kernels::Relevance>)
            if (!k.weights.empty()) text += fmt::format(":weights={}", fmt::join(k.weights, "/"));
          return text;
        } else if constexpr (kernels::PerFeature<K>) {
          return k.theta.empty() ? std::string(K::id) : fmt::format("{}:theta={}", K::id, fmt::join(k.theta, "/"));
        } else if constexpr (std::is_same_v<K, kernels::Custom>) {
          return "custom:" + k.label;
        } else {
          std::vector<std::string> pairs;
          if constexpr (kernels::HasWhole<K>)
            pairs.push_back(fmt::format("{}={}", K::whole().name, k.*(K::whole().member)));
          for (std::size_t p = 0; p < K::names.size(); ++p)
            pairs.push_back(fmt::format("{}={}", K::names[p], k.*(K::members()[p])));
          return pairs.empty() ? std::string(K::id) : fmt::format("{}:{}", K::id, join(pairs, ","));
        }
      },
      kernel.form);
}

bool is_differentiable(const KernelSpec& specification) {
  std::span<const std::optional<double>> given(specification.given);
  const auto of = [&given](const Kernel& kernel, const auto& self) -> bool {
    if (!kernel_parts(kernel).empty()) {
      bool all = true;
      for (const Kernel& part : kernel_parts(kernel)) all = self(part, self) && all;
      return all;
    }
    const auto own = given.first(kernel_parameters(kernel).size());
    given = given.subspan(own.size());
    const auto* k = std::get_if<kernels::Custom>(&kernel.form);
    return k == nullptr || k->pair_d_log || std::all_of(own.begin(), own.end(), [](const auto& v) { return bool(v); });
  };
  return of(specification.kernel, of);
}

KernelSpec bind_kernel(const KernelSpec& specification, Index features) {
  if (specification.given.size() != kernel_parameters(specification.kernel).size())
    fail_usage("kernel: a specification needs one entry (a value or empty) for each parameter");
  for (const auto& v : specification.given)
    if (v && !(*v > 0.0 && std::isfinite(*v))) fail_usage(fmt::format("kernel: parameter = {}; must be > 0", *v));
  const Kernel& kernel = specification.kernel;
  const auto* weighed = std::get_if<kernels::Relevance>(&kernel.form);
  std::span<const std::optional<double>> given(specification.given);
  KernelSpec out = bind_from(kernel, given, features);
  out.feature_names = specification.feature_names;
  out.learns = weighed != nullptr && (specification.learns || weighed->weights.empty());
  return out;
}

}  // namespace lacuna
