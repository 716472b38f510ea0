#include "lacuna/model/detail/learn_relevance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lacuna/base/stopping.hpp"
#include "lacuna/select/budget.hpp"
#include "lacuna/select/relevance.hpp"

namespace lacuna::detail {
namespace {

constexpr int rounds_from_nothing = 3, rounds_from_weights = 2;

class Rounds {
 public:
  Rounds(Problem problem, KernelSpec kernel, SearchPlan how, const std::vector<std::int32_t>& column,
         const ChooseRest& choose, const Observer& observer)
      : problem_(std::move(problem)),
        kernel_(std::move(kernel)),
        how_(std::move(how)),
        column_(column),
        choose_(choose),
        observer_(observer) {
    kernel_.learns = false;
  }

  Chosen run() {
    const std::vector<double>& given = weighed().weights;
    const bool fresh = std::ranges::all_of(given, [](double w) { return w == 1.0; });
    const int rounds = fresh ? rounds_from_nothing : rounds_from_weights;
    SearchPlan first = how_;
    if (!fresh && !how_.near.empty()) first.max_evaluations = 1;  // a machine to look at is all that is wanted of it
    Chosen last = choose_(kernel_, left(first), nullptr);
    count(last);
    record_.first = last.selection.values;
    if (fresh || !known(last)) keep(last);
    for (int round = 1; round <= rounds && goes_on(last); ++round) {
      if (!go_on(observer_, {"relevance", round - 1, rounds, criterion_of(best_ ? *best_ : last)})) {
        stop_ = Stop::interrupted;
        break;
      }
      std::vector<double> weights = weights_after(last);
      if (weights.empty() || weights == weighed().weights) break;
      weighed().weights = std::move(weights);
      const auto later = std::size_t(round - 1);
      const bool known_start = later < how_.near_later.size() && !how_.near_later[later].empty();
      how_.near = known_start ? how_.near_later[later] : last.selection.values;
      how_.curvature = last.selection.search.curvature;
      Chosen next = choose_(kernel_, left(how_), &last);
      count(next);
      if (!known(next)) break;
      record_.later.push_back(next.selection.values);
      keep(next);
      last = std::move(next);
    }
    if (!best_) keep(last);
    return settled();
  }

 private:
  kernels::Relevance& weighed() { return std::get<kernels::Relevance>(kernel_.kernel.form); }
  static double criterion_of(const Chosen& c) { return c.selection.criterion; }
  static bool known(const Chosen& c) { return std::isfinite(criterion_of(c)); }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

  // What is left of the time and the evaluations.
  SearchPlan left(SearchPlan how) const {
    if (how.search.seconds) how.search.seconds = std::max(0.0, *how.search.seconds - seconds());
    if (how_.max_evaluations) how.max_evaluations = std::min(*how.max_evaluations, std::max(1, evaluations_left()));
    return how;
  }
  int evaluations_left() const { return *how_.max_evaluations - total_.search.evaluations; }

  bool goes_on(const Chosen& last) {
    if (!known(last) || stop_ != Stop::none) return false;
    if (how_.search.seconds && seconds() >= *how_.search.seconds) stop_ = Stop::time_limit;
    if (how_.max_evaluations && best_ && evaluations_left() <= 0) stop_ = Stop::max_evaluations;
    return stop_ == Stop::none;
  }

  // Empty: the machine says nothing, or there was no time to ask it.
  std::vector<double> weights_after(const Chosen& last) {
    if (last.basis.rows() > 0) problem_.basis = last.basis;
    const Selection& at = last.selection;
    try {
      std::optional<StopScope> limit;
      if (how_.search.seconds) limit.emplace(time_limit(began_, *how_.search.seconds, false));
      const Vector g = mean_squared_slopes(problem_, at.kernel, {at.lambda, at.mean});
      ++total_.factorisations;
      if (variance_.size() == 0) variance_ = feature_variances(problem_.X.view(), problem_.scale_weights);
      return relevance_weights(g, variance_, column_);
    } catch (const Stopped& stopped) {
      if (stopped.why != Stop::time_limit) throw;
      stop_ = Stop::time_limit;
      return {};
    }
  }

  void count(const Chosen& one) {
    const Selection& s = one.selection;
    total_.search.evaluations += s.search.evaluations;
    total_.search.gradients += s.search.gradients;
    total_.search.descents += s.search.descents;
    total_.factorisations += s.factorisations;
    total_.path.insert(total_.path.end(), s.path.begin(), s.path.end());
    if (const Stop stop = s.search.stop; stop == Stop::interrupted || stop == Stop::time_limit) stop_ = stop;
  }

  void keep(const Chosen& one) {
    record_.criteria.push_back(criterion_of(one));
    if (best_ && !(criterion_of(one) < criterion_of(*best_))) return;
    record_.kept = int(record_.criteria.size()) - 1;
    best_ = one;
  }

  Chosen settled() {
    Selection& s = best_->selection;
    s.search.evaluations = total_.search.evaluations;
    s.search.gradients = total_.search.gradients;
    s.search.descents = total_.search.descents;
    s.factorisations = total_.factorisations;
    s.path = std::move(total_.path);
    s.seconds = seconds();
    if (stop_ != Stop::none) s.search.stop = stop_;
    if (stop_ == Stop::time_limit && known(*best_))
      s.warnings.push_back(
          {Warning::Code::search_time,
           fmt::format("the time limit ended the learning of the features' weights after {} of {} rounds",
                       record_.criteria.size() - 1, rounds_from_nothing)});
    best_->relevance = std::move(record_);
    return std::move(*best_);
  }

  Problem problem_;
  KernelSpec kernel_;
  SearchPlan how_;
  const std::vector<std::int32_t>& column_;
  const ChooseRest& choose_;
  const Observer& observer_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  Vector variance_;
  Selection total_;  // its counts and path: of all rounds
  Stop stop_ = Stop::none;
  std::optional<Chosen> best_;
  FitReport::Relevance record_;
};

}  // namespace

Chosen learn_relevance(Problem problem, KernelSpec kernel, SearchPlan how, const std::vector<std::int32_t>& column,
                       const ChooseRest& choose, const Observer& observer) {
  return Rounds(std::move(problem), std::move(kernel), std::move(how), column, choose, observer).run();
}

}  // namespace lacuna::detail
