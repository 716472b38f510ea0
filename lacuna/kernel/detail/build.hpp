// kernel/detail/build.hpp -- specifications made from the list of kernels and from one another.
#pragma once

#include <optional>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/specification.hpp"

namespace lacuna::detail {

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
    if (part.learns)
      fail_usage(
          "kernel: weights of features are learned for a kernel as a whole: relevance(sum(A,B)); in a part of one they "
          "must be given");
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

}  // namespace lacuna::detail
