// kernel/parse.cpp (of specification.hpp) -- kernels from words.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/kernel/detail/build.hpp"

namespace lacuna {
namespace {

using detail::combine, detail::for_each_form, detail::make;

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

  std::vector<KernelSpec> parts(std::string_view usage) {
    std::vector<KernelSpec> list;
    if (!accept('(')) refuse(fmt::format("it is written as {}", usage));
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
    if constexpr (kernels::HasWhole<K>) {
      constexpr kernels::Whole<K> whole = K::whole();
      if (key != whole.name) return false;
      if (v != std::floor(v) || v < whole.least || v > whole.most)
        refuse(fmt::format("{} = {}; must be a whole number from {} to {}", key, v, whole.least, whole.most));
      k.*(whole.member) = int(v);
      return true;
    }
    return false;
  }

  template <kernels::Elementwise K>
  KernelSpec leaf(K k) {
    std::vector<std::optional<double>> given(K::names.size());
    for (const auto& [key, v] : values()) {
      if (take_whole(k, key, v[0])) continue;
      const auto p = std::size_t(std::ranges::find(K::names, key) - K::names.begin());
      if (p == K::names.size()) {
        std::vector<std::string> known(K::names.begin(), K::names.end());
        if constexpr (kernels::HasWhole<K>) known.emplace_back(K::whole().name);
        refuse(fmt::format("{} has no parameter '{}'{}{}", K::id, key, did_you_mean(key, known),
                           known.empty() ? "; it has none" : "; it has: " + join(known)));
      }
      if (v.size() != 1) refuse(fmt::format("{} takes one value", key));
      given[p] = v[0];
    }
    return make(k, given);
  }

  template <kernels::PerFeature K>
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

  KernelSpec weighed() {
    std::vector<KernelSpec> inner = parts("relevance(A)");
    if (inner.size() != 1) refuse("relevance takes one kernel: relevance(sum(A,B)) for several");
    const auto given = values();
    if (given.empty()) return relevance(std::move(inner[0]));
    const auto& [key, weights] = given.front();
    if (given.size() > 1 || (key != "weights" && key != "start"))
      refuse(
          fmt::format("relevance has no parameter '{}'; it has weights=A/B/C, one for each feature, which are kept, "
                      "or start=A/B/C, which are learned from there on",
                      given.size() > 1 ? given[1].first : key));
    return (key == "start" ? relevance_from : relevance)(std::move(inner[0]), weights);
  }

  // The kernel that `name` is the id of, or a shorthand for.
  template <class K>
  std::optional<KernelSpec> named(std::string_view name) {
    if constexpr (kernels::Combination<K>) {
      if (name == K::id) return combine<K>(parts(fmt::format("{}(A,B)", K::id)));
    } else if constexpr (std::is_same_v<K, kernels::Relevance>) {
      if (name == K::id) return weighed();
    } else if constexpr (!std::is_same_v<K, kernels::Custom>) {
      if (name == K::id) return leaf(K{});
      if constexpr (kernels::HasWhole<K>)
        for (const kernels::Shorthand& s : K::shorthands)
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

}  // namespace

KernelSpec parse_kernel(std::string_view text) { return Parser(text).whole(); }

}  // namespace lacuna
