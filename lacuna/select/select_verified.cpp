#include "lacuna/select/select_verified.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace lacuna {
namespace {

// One step is contradicted where it is further from the truth than this share of it, and than what nobody would notice.
constexpr double contradicted_by = 0.05;
constexpr double unnoticed_in_nats = 0.005;
// Above so many rows the second search begins where the first one's optima are best, and there only.
constexpr Index few_rows = 500;

struct Checked {
  std::size_t which = 0;  // of the optima
  double one_step = 0.0, followed = 0.0;
};

bool contradicted(const Problem& problem, const Checked& at) {
  const double unnoticed = problem.truth.classes > 0 ? unnoticed_in_nats : 0.0;
  return !(std::abs(at.one_step - at.followed) <= std::max(contradicted_by * std::abs(at.followed), unnoticed));
}

std::string setting(const Selection& s, std::vector<double> values, double regulariser_unit) {
  std::string out;
  values[0] *= regulariser_unit;
  for (std::size_t p = 0; p < values.size() && p < 3; ++p)
    out += fmt::format("{}{} = {:.3g}", p > 0 ? ", " : "", s.names[p], values[p]);
  return values.size() > 3 ? out + ", ..." : out;
}

// The best first; those that were looked at have their followed values.
void settle(Selection& s, const KernelSpec& spec, const std::vector<Checked>& checked) {
  for (const Checked& c : checked) s.search.optima[c.which].value = c.followed;
  const auto best = std::ptrdiff_t(checked.front().which);
  std::rotate(s.optima.begin(), s.optima.begin() + best, s.optima.begin() + best + 1);
  std::rotate(s.search.optima.begin(), s.search.optima.begin() + best, s.search.optima.begin() + best + 1);
  s.search.best = s.search.optima.front();
  if (s.search.stop != Stop::time_limit && s.search.best.stop != Stop::none) s.search.stop = s.search.best.stop;
  s.values = s.optima.front();
  s.lambda = s.values[0];
  s.kernel = with_parameters(spec.kernel, std::span(s.values).subspan(1));
  s.criterion = s.search.best.value;
}

void add_counts(Selection& s, const Selection& before) {
  s.search.evaluations += before.search.evaluations;
  s.path.insert(s.path.begin(), before.path.begin(), before.path.end());
  s.search.gradients += before.search.gradients;
  s.search.descents += before.search.descents;
  s.factorisations += before.factorisations;
  s.seconds += before.seconds;
}

}  // namespace

Selection select_verified(const Problem& problem, const KernelSpec& spec, std::optional<double> lambda,
                          const SearchPlan& options, const Observer& observer) {
  Selection first = select(problem, spec, lambda, options, observer);
  const bool searched = first.method != SearchMethod::none && first.search.usable();
  if (!searched || !problem.may_follow() || problem.by_refit || problem.followed ||
      first.search.stop == Stop::interrupted || first.search.stop == Stop::time_limit)
    return first;

  Problem truth = problem;
  truth.followed = true;
  std::vector<Checked> checked;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < first.optima.size(); ++k) {
    if (!go_on(observer, {"search", first.search.evaluations, 0, first.criterion})) {
      first.search.stop = Stop::interrupted;
      return first;
    }
    const std::vector<double>& values = first.optima[k];
    const Kernel kernel = with_parameters(spec.kernel, std::span(values).subspan(1));
    const auto value = [&](const Problem& p) {
      const CriterionAt at = criterion_at(p, kernel, values[0], false);
      ++first.search.evaluations;
      first.factorisations += at.factorisations;
      return at.value;
    };
    const double said = options.penalty > 0.0 ? value(problem) : first.search.optima[k].value;
    if (!(said < best)) continue;  // it could win only if one step were pessimistic there
    if (const double end = value(truth); std::isfinite(end)) {
      checked.push_back({k, said, end});
      best = std::min(best, end);
    }
  }
  const bool false_promise = checked.empty() || contradicted(problem, checked.front());
  const auto remark = [&](std::string_view then) {
    return Warning{
        Warning::Code::one_step_contradicted,
        fmt::format(
            "one Newton step from the fit of all rows promised {} = {:.4g} at {}, which refits contradict{}: {}",
            name(problem.criterion), first.criterion, setting(first, first.values, problem.regulariser_unit),
            checked.empty() ? "" : fmt::format(" ({:.4g})", checked.front().followed), then)};
  };
  const Warning other = remark("another optimum was taken");
  const Warning again_by = remark("the parameters were selected by held-out fits followed to their optimum instead");
  std::ranges::stable_sort(checked, {}, &Checked::followed);
  if (!checked.empty() && !contradicted(problem, checked.front())) {
    settle(first, spec, checked);
    if (false_promise) first.warnings.insert(first.warnings.begin(), other);
    return first;
  }

  SearchPlan again = options;
  if (again.method != SearchMethod::grid) again.method = SearchMethod::nelder_mead;
  if (!checked.empty() && problem.X.rows() > few_rows) again.near = first.optima[checked.front().which];
  if (again.search.seconds) again.search.seconds = std::max(0.0, *again.search.seconds - first.seconds);
  Selection second = select(truth, spec, lambda, again, observer);
  add_counts(second, first);
  if (second.search.usable()) second.warnings.insert(second.warnings.begin(), again_by);
  return second;
}

}  // namespace lacuna
