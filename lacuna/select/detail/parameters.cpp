#include "lacuna/select/detail/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "lacuna/base/names.hpp"
#include "lacuna/select/detail/apart.hpp"

namespace lacuna::detail {
namespace {

constexpr double widest_mean = 10.0;  // in its units
constexpr double on_the_bound = 1e-3;

std::vector<std::size_t> open(const std::vector<std::optional<double>>& given) {
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < given.size(); ++p)
    if (!given[p]) out.push_back(p);
  return out;
}

}  // namespace

std::vector<double> kernel_start(const KernelSpec& spec, const RowsView& X, const Vector& scale_weights) {
  std::vector<double> start = start_values(spec.kernel, data_scale(X, scale_weights, column_weights(spec.kernel)));
  for (std::size_t p = 0; p < start.size(); ++p)
    if (spec.given[p]) start[p] = *spec.given[p];
  const std::vector<double> apart = places_of_parts(spec).centred;
  for (std::size_t p = 0; p < start.size(); ++p)
    if (apart[p] != 0.0) start[p] *= std::pow(10.0, apart[p]);
  return start;
}

Parameters::Parameters(const KernelSpec& spec, const char* regulariser, std::optional<double> lambda)
    : kernel_(spec.kernel), names_{regulariser}, given_{lambda} {
  for (const std::string& n : parameter_names(spec.kernel, spec.feature_names)) names_.push_back(n);
  scale_ = {false};
  for (const bool scale : parameter_scales(spec.kernel)) scale_.push_back(scale);
  given_.insert(given_.end(), spec.given.begin(), spec.given.end());
  place_ = places_of_parts(spec).place;
  free_ = open(given_);
}

Parameters::Parameters(const KernelSpec& spec, std::optional<double> lambda, std::optional<double> mean, double self)
    : Parameters(spec, "lambda", lambda) {
  names_.emplace_back("mean");
  given_.push_back(mean);
  free_ = open(given_);
  has_mean_ = true;
  self_ = self;
}

std::vector<std::string> Parameters::free_names() const {
  std::vector<std::string> out;
  for (const std::size_t p : free_) out.push_back(names_[p]);
  return out;
}

double Parameters::unit_of_mean(double lambda) const { return std::sqrt(1.0 + self_ / lambda); }

std::vector<double> Parameters::values(const Vector& x) const {
  std::vector<double> all(given_.size());
  for (std::size_t p = 0; p < all.size(); ++p) all[p] = given_[p].value_or(0.0);
  for (std::size_t k = 0; k < free_.size(); ++k)
    all[free_[k]] = is_mean(free_[k]) ? x[Index(k)] : std::exp(x[Index(k)]);
  if (has_mean_ && !given_.back()) all.back() *= unit_of_mean(all[0]);
  return all;
}

std::vector<double> Parameters::settled(const Vector& x) const {
  std::vector<double> all = values(x);
  for (const std::size_t p : free_) {
    if (all[p] == 0.0) continue;
    // A mean is rounded as its unit is; 10^-k is not a number, so 10^k divides.
    const double size = is_mean(p) ? unit_of_mean(all[0]) : all[p];
    const int digits = 3 - int(std::floor(std::log10(size)));
    if (std::abs(digits) > 300) continue;
    const double power = std::pow(10.0, std::abs(digits));
    all[p] = digits >= 0 ? std::nearbyint(all[p] * power) / power : std::nearbyint(all[p] / power) * power;
  }
  return all;
}

Vector Parameters::point(const std::vector<double>& values) const {
  Vector x(Index(free_.size()));
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const double value = values[free_[k]];
    x[Index(k)] = is_mean(free_[k]) ? value / unit_of_mean(values[0]) : std::log(value);
  }
  return x;
}

Kernel Parameters::kernel(const std::vector<double>& values) const {
  return with_parameters(kernel_, std::span(values).subspan(1, values.size() - (has_mean_ ? 2 : 1)));
}

Vector Parameters::gradient(const compute::CriterionGradient& at, const std::vector<double>& values) const {
  const bool free_mean = has_mean_ && !given_.back();
  Vector out(Index(free_.size()));
  for (Index k = 0; k < out.size(); ++k) {
    const std::size_t p = free_[std::size_t(k)];
    if (p == 0)
      out[k] = at.d_log_lambda - (free_mean ? 0.5 * values.back() * at.d_mean * self_ / (self_ + values[0]) : 0.0);
    else
      out[k] = is_mean(p) ? at.d_mean * unit_of_mean(values[0]) : at.d_log_kernel[Index(p) - 1];
  }
  return out;
}

SearchSpace Parameters::space(const std::vector<double>& kernel_start, const RegulariserBox& regulariser, double rows,
                              double neighbours) const {
  constexpr double beyond_neighbours = 10.0;
  SearchSpace out;
  out.neighbours = std::log(neighbours);
  const auto n = Index(free_.size());
  out.start.resize(n);
  out.box.lower.resize(n);
  out.box.upper.resize(n);
  for (Index k = 0; k < n; ++k) {
    const std::size_t p = free_[std::size_t(k)];
    if (is_mean(p)) {
      out.start[k] = 0.0;
      out.box.lower[k] = -widest_mean;
      out.box.upper[k] = widest_mean;
      continue;
    }
    double down = 1e-6, up = 1e4;
    if (p == 0) {
      const double rounding = 1e3 * std::numeric_limits<double>::epsilon() * rows;
      out.regulariser = k;
      down = std::max(regulariser.down, rounding);
      up = regulariser.up;
    } else if (scale_[p]) {
      out.scales.push_back(k);
      up = std::max(up, beyond_neighbours * neighbours);
    }
    if (p > 0 && place_[p - 1] != 0.0) {
      if (out.places.size() == 0) out.places = Vector::Zero(n);
      out.places[k] = place_[p - 1];
    }
    out.start[k] = std::log(p == 0 ? regulariser.start : kernel_start[p - 1]);
    out.box.lower[k] = out.start[k] + std::log(down);
    out.box.upper[k] = out.start[k] + std::log(up);
  }
  return out;
}

Warnings Parameters::warnings(const SearchSpace& space, const SearchResult& result, std::string_view interpolates,
                              double regulariser_unit) const {
  Warnings out;
  if (result.stop == Stop::time_limit)
    out.push_back({Warning::Code::search_time,
                   "the search stopped at the time limit before it converged; the best point so far is used"});
  const Vector& best = result.best.log_parameters;
  std::vector<double> value = values(best);
  value[0] *= regulariser_unit;
  std::vector<std::string> irrelevant;
  for (Index k = 0; k < best.size(); ++k) {
    const std::size_t p = free_[std::size_t(k)];
    const bool low = best[k] <= space.box.lower[k] + on_the_bound, high = best[k] >= space.box.upper[k] - on_the_bound;
    if (low && p == 0)
      out.push_back({Warning::Code::at_bound,
                     fmt::format("{} = {:.3g} is on its lower bound{}", names_[p], value[p], interpolates)});
    else if (low && !is_mean(p) && std::holds_alternative<kernels::Ard>(kernel_.form))
      irrelevant.push_back(names_[p]);
    else if (low || high)
      out.push_back({Warning::Code::at_bound,
                     fmt::format("{} = {:.3g} is on the {} bound of the search; the optimum may lie beyond it",
                                 names_[p], value[p], low ? "lower" : "upper")});
  }
  if (!irrelevant.empty())
    out.push_back({Warning::Code::irrelevant_features,
                   fmt::format("{} at the lower bound: {} not matter to the criterion and could be left out",
                               join(irrelevant), irrelevant.size() == 1 ? "this feature does" : "these features do")});
  return out;
}

}  // namespace lacuna::detail
