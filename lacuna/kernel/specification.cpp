#include "lacuna/kernel/specification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"

namespace lacuna {
namespace {

template <class K>
KernelSpec make(K kernel, std::vector<std::optional<double>> given) {
  for (std::size_t p = 0; p < K::names.size(); ++p)
    if (given[p]) kernel.*(K::members()[p]) = *given[p];
  return {Kernel(std::move(kernel)), std::move(given)};
}

template <class Combined>
KernelSpec combine(std::vector<KernelSpec> parts) {
  KernelSpec out;
  Combined combined;
  for (KernelSpec& part : parts) {
    combined.parts.push_back(std::move(part.kernel));
    out.given.insert(out.given.end(), part.given.begin(), part.given.end());
  }
  out.kernel = Kernel(std::move(combined));
  return out;
}

// Calls f<K>() for each kernel of the list until it says true.
template <class F>
void for_each_form(F&& f) {
  [&]<class... K>(std::variant<K...>*) { (f.template operator()<K>() || ...); }(static_cast<Kernel::Form*>(nullptr));
}

// A reader of "name:key=value,key=value" and "sum(A,B)", left to right.
class Parser {
 public:
  explicit Parser(std::string_view text) : all_(text), rest_(text) {}

  KernelSpec whole() {
    KernelSpec spec = kernel();
    if (!rest_.empty()) refuse(fmt::format("unexpected '{}'", rest_));
    return spec;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { fail_usage(fmt::format("kernel \"{}\": {}", all_, why)); }

  std::string_view word() {
    std::size_t n = 0;
    while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) || rest_[n] == '_')) ++n;
    const std::string_view w = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return w;
  }
  bool accept(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  double number(std::string_view key) {
    double v = 0.0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), v);
    if (error != std::errc()) refuse(fmt::format("{} needs a number, not \"{}\"", key, rest_));
    rest_.remove_prefix(std::size_t(end - rest_.data()));
    if (!(v > 0.0) || !std::isfinite(v)) refuse(fmt::format("{} = {}; must be > 0", key, v));
    return v;
  }
  // key=value pairs; a comma that no key=value follows belongs to an enclosing sum or product.
  std::vector<std::pair<std::string, std::vector<double>>> values() {
    std::vector<std::pair<std::string, std::vector<double>>> out;
    if (!accept(':')) return out;
    for (;;) {
      const std::string key(word());
      if (key.empty() || !accept('=')) refuse("parameters are written as name:key=value,key=value");
      std::vector<double> v{number(key)};
      while (accept('/')) v.push_back(number(key));
      for (const auto& [before, its_value] : out)
        if (before == key) refuse(fmt::format("{} is given twice", key));
      out.emplace_back(key, std::move(v));
      const std::string_view before = rest_;
      if (!accept(',')) return out;
      const std::string_view after = rest_;
      const bool another = !word().empty() && accept('=');
      rest_ = another ? after : before;
      if (!another) return out;
    }
  }

  std::vector<KernelSpec> parts() {
    std::vector<KernelSpec> list;
    if (!accept('(')) refuse("sum and prod are written as sum(A,B)");
    if (++depth_ > 16) refuse("nested too deeply");
    do list.push_back(kernel());
    while (accept(','));
    if (!accept(')')) refuse("a ')' is missing");
    --depth_;
    return list;
  }

  // Takes key=value where it is the kernel's whole number.
  template <class K>
  bool take_whole(K& k, const std::string& key, double v) const {
    if constexpr (HasWhole<K>) {
      constexpr Whole<K> whole = K::whole();
      if (key != whole.name) return false;
      if (v != std::floor(v) || v < whole.least || v > whole.most)
        refuse(fmt::format("{} = {}; must be a whole number from {} to {}", key, v, whole.least, whole.most));
      k.*(whole.member) = int(v);
      return true;
    }
    return false;
  }

  template <Elementwise K>
  KernelSpec leaf(K k) {
    std::vector<std::optional<double>> given(K::names.size());
    for (const auto& [key, v] : values()) {
      if (take_whole(k, key, v[0])) continue;
      const auto p = std::size_t(std::ranges::find(K::names, key) - K::names.begin());
      if (p == K::names.size()) {
        std::vector<std::string> known(K::names.begin(), K::names.end());
        if constexpr (HasWhole<K>) known.emplace_back(K::whole().name);
        refuse(fmt::format("{} has no parameter '{}'{}{}", K::id, key, did_you_mean(key, known),
                           known.empty() ? "; it has none" : "; it has: " + join(known)));
      }
      if (v.size() != 1) refuse(fmt::format("{} takes one value", key));
      given[p] = v[0];
    }
    return make(k, given);
  }

  template <PerFeature K>
  KernelSpec leaf(K k) {
    for (const auto& [key, v] : values()) {
      if (key != "theta")
        refuse(
            fmt::format("{} has no parameter '{}'; it has theta: one value for all features, or theta=A/B/C with "
                        "one for each",
                        K::id, key));
      k.theta = v;
    }
    std::vector<std::optional<double>> given(k.theta.begin(), k.theta.end());
    return {std::move(k), std::move(given)};
  }

  // The kernel that `name` is the id of, or a shorthand for.
  template <class K>
  std::optional<KernelSpec> named(std::string_view name) {
    if constexpr (Combination<K>) {
      if (name == K::id) return combine<K>(parts());
    } else if constexpr (!std::is_same_v<K, Custom>) {
      if (name == K::id) return leaf(K{});
      if constexpr (HasWhole<K>)
        for (const Shorthand& s : K::shorthands)
          if (name == s.name) {
            K k;
            k.*(K::whole().member) = s.whole;
            return leaf(k);
          }
    }
    return {};
  }

  KernelSpec kernel() {
    const std::string n(word());
    std::optional<KernelSpec> found;
    for_each_form([&]<class K>() { return (found = named<K>(n)).has_value(); });
    if (found) return *found;
    refuse(fmt::format("unknown kernel '{}'{}; known: {}", n, did_you_mean(n, kernel_names()), join(kernel_names())));
  }

  std::string_view all_, rest_;
  int depth_ = 0;
};

KernelSpec bind_from(const Kernel& kernel, std::span<const std::optional<double>>& given, Index features) {
  const auto take = [&given](std::size_t n) {
    std::vector<std::optional<double>> head(given.begin(), given.begin() + std::ptrdiff_t(n));
    given = given.subspan(n);
    return head;
  };
  if (const auto* k = std::get_if<Ard>(&kernel.form)) {
    auto fixed = take(k->theta.size());
    const auto d = std::size_t(features);
    if (k->theta.empty()) return {Ard{std::vector<double>(d, 1.0)}, std::vector<std::optional<double>>(d)};
    if (k->theta.size() == 1) {
      // Not {d, fixed[0]}: in braces that is a list of two values.
      return {Ard{std::vector<double>(d, k->theta[0])}, std::vector<std::optional<double>>(d, fixed[0])};
    }
    if (k->theta.size() != d)
      fail_usage(fmt::format("kernel: ard has {} values of theta for {} features", k->theta.size(), d));
    return {*k, std::move(fixed)};
  }
  if (const auto* k = std::get_if<Custom>(&kernel.form)) {
    if (!k->pair_value) fail_usage(fmt::format("kernel: custom '{}' has no pair_value", k->label));
    if (k->parameter_labels.size() != k->parameter.size())
      fail_usage(fmt::format("kernel: custom '{}' has {} labels for {} parameters", k->label,
                             k->parameter_labels.size(), k->parameter.size()));
    for (const double v : k->parameter)
      if (!(v > 0.0 && std::isfinite(v)))
        fail_usage(fmt::format("kernel: custom '{}': parameter = {}; must be > 0", k->label, v));
  }
  const auto rebuild = [&]<class Combined>(const Combined& k) {
    std::vector<KernelSpec> bound;
    for (const Kernel& part : k.parts) bound.push_back(bind_from(part, given, features));
    return combine<Combined>(std::move(bound));
  };
  if (const auto* k = std::get_if<Sum>(&kernel.form)) return rebuild(*k);
  if (const auto* k = std::get_if<Product>(&kernel.form)) return rebuild(*k);
  return {kernel, take(parameters(kernel).size())};
}

}  // namespace

KernelSpec linear() { return make(Linear{}, {}); }
KernelSpec polynomial(int degree, std::optional<double> c) {
  if (degree < 1 || degree > 20) fail_usage(fmt::format("kernel: degree = {}; must be from 1 to 20", degree));
  return make(Polynomial{.degree = degree}, {c});
}
KernelSpec boolean(std::optional<double> eta) { return make(Boolean{}, {eta}); }
KernelSpec rbf(std::optional<double> theta) { return make(Rbf{}, {theta}); }
KernelSpec ard(std::vector<double> theta) {
  std::vector<std::optional<double>> given(theta.begin(), theta.end());
  return {Ard{std::move(theta)}, std::move(given)};
}
KernelSpec matern12(std::optional<double> theta) { return make(Matern12{}, {theta}); }
KernelSpec matern32(std::optional<double> theta) { return make(Matern32{}, {theta}); }
KernelSpec matern52(std::optional<double> theta) { return make(Matern52{}, {theta}); }
KernelSpec rational_quadratic(std::optional<double> theta, std::optional<double> alpha) {
  return make(RationalQuadratic{}, {theta, alpha});
}
KernelSpec precomputed() { return make(Precomputed{}, {}); }
KernelSpec custom(Custom kernel) {
  std::vector<std::optional<double>> given(kernel.parameter.size());
  return {Kernel(std::move(kernel)), std::move(given)};
}
KernelSpec sum(std::vector<KernelSpec> parts) { return combine<Sum>(std::move(parts)); }
KernelSpec product(std::vector<KernelSpec> parts) { return combine<Product>(std::move(parts)); }

KernelSpec parse_kernel(std::string_view text) { return Parser(text).whole(); }

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for_each_form([&]<class K>() {
      if constexpr (HasWhole<K>)
        for (const Shorthand& s : K::shorthands) all.emplace_back(s.name);
      if constexpr (!std::is_same_v<K, Custom>) all.emplace_back(K::id);
      return false;
    });
    return all;
  }();
  return names;
}

std::vector<std::string> kernel_usage() {
  std::vector<std::string> all;
  for_each_form([&]<class K>() {
    if constexpr (HasWhole<K>)
      for (const Shorthand& s : K::shorthands) all.emplace_back(s.name);
    std::string usage(K::id);
    if constexpr (HasWhole<K>) usage += fmt::format(":{}=N", K::whole().name);
    if constexpr (Combination<K>) usage += "(A,B)";
    if constexpr (!std::is_same_v<K, Custom>) all.push_back(usage);
    return false;
  });
  return all;
}

std::string kernel_text(const Kernel& kernel) {
  return std::visit(
      [](const auto& k) -> std::string {
        using K = std::remove_cvref_t<decltype(k)>;
        if constexpr (Combination<K>) {
          std::vector<std::string> parts;
          for (const Kernel& part : k.parts) parts.push_back(kernel_text(part));
          return fmt::format("{}({})", K::id, join(parts, ","));
        } else if constexpr (PerFeature<K>) {
          return k.theta.empty() ? std::string(K::id) : fmt::format("{}:theta={}", K::id, fmt::join(k.theta, "/"));
        } else if constexpr (std::is_same_v<K, Custom>) {
          return "custom:" + k.label;
        } else {
          std::vector<std::string> pairs;
          if constexpr (HasWhole<K>) pairs.push_back(fmt::format("{}={}", K::whole().name, k.*(K::whole().member)));
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
    if (!parts(kernel).empty()) {
      bool all = true;
      for (const Kernel& part : parts(kernel)) all = self(part, self) && all;
      return all;
    }
    const auto own = given.first(parameters(kernel).size());
    given = given.subspan(own.size());
    const auto* k = std::get_if<Custom>(&kernel.form);
    return k == nullptr || k->pair_d_log || std::all_of(own.begin(), own.end(), [](const auto& v) { return bool(v); });
  };
  return of(specification.kernel, of);
}

KernelSpec bind(const KernelSpec& specification, Index features) {
  if (specification.given.size() != parameters(specification.kernel).size())
    fail_usage("kernel: a specification needs one entry (a value or empty) for each parameter");
  for (const auto& v : specification.given)
    if (v && !(*v > 0.0 && std::isfinite(*v))) fail_usage(fmt::format("kernel: parameter = {}; must be > 0", *v));
  std::span<const std::optional<double>> given(specification.given);
  return bind_from(specification.kernel, given, features);
}

}  // namespace lacuna
