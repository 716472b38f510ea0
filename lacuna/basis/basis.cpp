#include "lacuna/basis/basis.hpp"

#include <algorithm>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"

namespace lacuna {
namespace {

using Way = BasisChoice (*)(const Backend&, const Kernel&, const RowsView&, const Vector&, const BasisOptions&,
                            const Observer&);
struct Entry {
  BasisMethod method;
  std::string_view name;
  Way choose;
};
constexpr Entry list[] = {{BasisMethod::greedy, "greedy", greedy_basis},
                          {BasisMethod::stochastic, "stochastic", stochastic_basis},
                          {BasisMethod::pivoted, "pivoted", pivoted_basis},
                          {BasisMethod::random, "random", random_basis},
                          {BasisMethod::kmeans, "kmeans", kmeans_basis}};

const Entry& entry(BasisMethod method) {
  return *std::find_if(std::begin(list), std::end(list), [&](const Entry& e) { return e.method == method; });
}

}  // namespace

std::string_view name_of(BasisMethod method) { return entry(method).name; }

const std::vector<std::string>& basis_method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& e : list) all.emplace_back(e.name);
    return all;
  }();
  return names;
}

BasisMethod parse_basis_method(std::string_view text) {
  for (const Entry& e : list)
    if (e.name == text) return e.method;
  fail_usage("basis: unknown method '" + std::string(text) + "'" + did_you_mean(text, basis_method_names()) +
             "; one of " + join(basis_method_names()));
}

std::string_view name_of(BasisEnd end) {
  switch (end) {
    case BasisEnd::size:
      return "size";
    case BasisEnd::residual:
      return "residual";
    case BasisEnd::singular:
      return "singular";
    case BasisEnd::interrupted:
      return "interrupted";
  }
  return "size";
}

BasisChoice choose_basis(BasisMethod method, const Backend& backend, const Kernel& kernel, const RowsView& X,
                         const Vector& weights, const BasisOptions& options, const Observer& observer) {
  if (options.size < 1) fail_usage("basis: size = " + std::to_string(options.size) + "; must be at least 1");
  if (options.candidates < 1 || options.judged < 1 || options.sample < 1)
    fail_usage("basis: candidates, judged and sample must be at least 1");
  if (uses_geometry(kernel, kernels::Geometry::given))
    fail_usage("basis: a precomputed kernel has no rows to choose from");
  if (weights.size() != 0 && weights.size() != X.rows())
    fail_usage("basis: " + std::to_string(weights.size()) + " weights for " + std::to_string(X.rows()) + " rows");
  if (X.rows() == 0 || (weights.size() > 0 && !(weights.maxCoeff() > 0.0))) fail_usage("basis: no rows to choose from");
  return entry(method).choose(backend, kernel, X, weights, options, observer);
}

}  // namespace lacuna
