#include "lacuna/select/basis_search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lacuna/base/stopping.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/basis/detail/draw.hpp"
#include "lacuna/select/budget.hpp"
#include "lacuna/select/core.hpp"
#include "lacuna/select/select_checked.hpp"

namespace lacuna {
namespace {

constexpr int most_rounds = 3;
constexpr double far = 0.6931;           // log 2, of a kernel parameter
constexpr double worth_growing = 0.005;  // of the criterion, for twice as many rows
// What a search is content with whose size of basis is not settled: a criterion to a thousandth.
constexpr double rough_value = 1e-3, rough_log = 0.02;

// The standard error of the difference between two criteria of the same held-out rows, by parts of them that are judged
// alone. 0: some part cannot be.
double noise_of_gain(const Problem& problem, const Matrix& before, const Matrix& after) {
  constexpr int parts = 20;
  if (problem.X.rows() < 4 * parts) return 0.0;
  double sum = 0.0, squares = 0.0;
  for (const auto& part : k_folds(problem.X.rows(), parts, problem.truth.label, 0)) {
    Truth alone = problem.truth;
    alone.weights.setZero();
    for (const Index i : part) alone.weights[i] = problem.truth.weights[i];
    if (alone.gathered.size() > 0) alone.gathered = alone.weights;
    if (!(alone.weights.maxCoeff() > 0.0)) return 0.0;
    const auto value = [&](const Matrix& z) {
      return criterion_score(problem.criterion, z, alone, false, problem.criterion_options).value;
    };
    const double gain = value(before) - value(after);
    if (!std::isfinite(gain)) return 0.0;
    sum += gain;
    squares += gain * gain;
  }
  const double mean = sum / parts;
  return std::sqrt(std::max(0.0, squares / parts - mean * mean) / (parts - 1));
}

class Rounds {
 public:
  Rounds(Problem problem, const BasisPlan& plan, const KernelSpec& kernel, std::optional<double> lambda,
         const SearchPlan& options, const Observer& observer)
      : problem_(std::move(problem)),
        plan_(plan),
        kernel_(kernel),
        lambda_(lambda),
        options_(options),
        observer_(observer) {
    out_.method = plan.methods.at(0);
    if (!plan.grow) return;
    problem_.rough = true;
    options_.search.log_tolerance = std::max(rough_log, options_.search.log_tolerance);
    options_.search.value_tolerance = std::max(rough_value, options_.search.value_tolerance);
  }

  BasisSearch run() {
    Index size = plan_.grow ? std::min(first_basis_size, plan_.size) : plan_.size;
    if (!run_selection(first_kernel(), size)) return std::move(out_);
    search(options_.near);
    settle(size);
    for (std::size_t k = 1; k < plan_.methods.size() && plan_.given.rows() == 0 && usable(); ++k) try_method(k, size);
    if (plan_.grow) grow(size);
    return std::move(out_);
  }

 private:
  // Twice as many rows, again and again; in the end the size of the least criterion is at hand.
  void grow(Index size) {
    const int most_misses = plan_.patient ? 2 : 1;
    out_.sizes = {{problem_.basis.rows(), out_.chosen.criterion}};
    BasisSearch best = out_;
    Matrix outputs = held_out();
    for (int misses = 0; misses < most_misses && usable() && out_.end == BasisEnd::size && size < plan_.size;) {
      size = std::min(2 * size, plan_.size);
      if (!run_selection(out_.chosen.kernel, size)) break;
      search(out_.chosen.values, plan_.patient);
      if (!known()) break;
      out_.sizes.push_back({problem_.basis.rows(), out_.chosen.criterion});
      const double before = best.chosen.criterion, now = out_.chosen.criterion;
      const Matrix better = held_out();
      const double noise = better.size() > 0 && outputs.size() > 0 ? noise_of_gain(problem_, outputs, better) : 0.0;
      const double worth = plan_.patient ? noise : std::max(noise, worth_growing * std::abs(before));
      misses = before - now > worth ? 0 : misses + 1;
      if (!(now < before)) continue;
      best = out_;
      outputs = better;
    }
    if (!(out_.chosen.criterion <= best.chosen.criterion)) back_to(best);
  }

  Kernel first_kernel() const {
    if (options_.near.empty()) return kernel_at_start(problem_, kernel_);
    return with_parameters(kernel_.kernel,
                           std::span(options_.near).subspan(1, kernel_parameters(kernel_.kernel).size()));
  }
  bool known() const { return std::isfinite(out_.chosen.criterion); }
  // Whether there is something to go on from, and time to do so.
  bool usable() const {
    const Stop stop = out_.chosen.search.stop;
    return known() && stop != Stop::interrupted && stop != Stop::time_limit;
  }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }
  bool asks_the_kernel() const {
    return out_.method != BasisMethod::random && out_.method != BasisMethod::kmeans && plan_.given.rows() == 0;
  }

  // In closed form, at what was found; empty: there are none.
  Matrix held_out() const {
    Matrix z(problem_.X.rows(), problem_.learn.columns());
    const PrimalCore core(problem_, out_.chosen.kernel, compute::Use::once);
    const auto visit = [&](const PrimalFit& fit, Index first) {
      z.middleCols(first, fit.z.cols()) = core.one_step(fit, problem_.partitions[0]);
      return true;
    };
    const PartsResult parts = core.for_each_part({out_.chosen.lambda}, compute::Want::inverse, nullptr, visit);
    return parts.usable() && z.allFinite() ? z : Matrix();
  }

  void try_method(std::size_t which, Index size) {
    const BasisSearch before = out_;
    out_.method = plan_.methods[which];
    if (!run_selection(out_.chosen.kernel, size)) return back_to(before);
    search(out_.chosen.values);
    if (usable()) settle(size);
    if (!(out_.chosen.criterion < before.chosen.criterion)) back_to(before);
  }

  // False when time ran out before the rows were chosen; those at hand stay.
  bool run_selection(const Kernel& kernel, Index size) {
    if (plan_.given.rows() > 0) {
      problem_.basis = plan_.given;
    } else {
      BasisChoice choice;
      try {
        std::optional<StopScope> limit;
        if (options_.search.seconds) limit.emplace(time_limit(began_, *options_.search.seconds, !known()));
        // Copies are drawn as the one row of their weight, so that they get the same draws.
        choice = choose_basis(out_.method, *problem_.backend, kernel, problem_.X.view(),
                              gathered(problem_.learn.zeta, problem_.first_of_copies),
                              {.size = size, .seed = plan_.seed}, observer_);
      } catch (const Stopped& stopped) {
        if (stopped.why != Stop::time_limit) throw;
        out_.chosen.search.stop = Stop::time_limit;
        return false;
      }
      if (choice.end == BasisEnd::singular && may_move()) fill_up(choice.rows, size);
      problem_.basis = take_rows(problem_.X.view(), choice.rows);
      out_.end = choice.end;
    }
    chosen_by_ = kernel;
    out_.basis = problem_.basis;
    return true;
  }

  bool may_move() const {
    return std::ranges::any_of(kernel_.given, [](const auto& p) { return !p; });
  }

  // A kernel that tells few rows apart may sharpen as it is searched, and would then miss the others: any will do.
  void fill_up(std::vector<Index>& rows, Index size) const {
    const std::vector<Index>& first = problem_.first_of_copies;
    const auto stands_for = [&](Index i) { return std::size_t(first.empty() ? i : first[std::size_t(i)]); };
    std::vector<char> taken(static_cast<std::size_t>(problem_.X.rows()));
    for (const Index i : rows) taken[stands_for(i)] = 1;
    const Vector weights = gathered(problem_.learn.zeta, first);  // copies are told apart by no kernel
    std::vector<Index> others;
    for (Index i = 0; i < problem_.X.rows(); ++i)
      if (!taken[std::size_t(i)] && weights[i] > 0.0) others.push_back(i);
    Random random(plan_.seed);
    detail::shuffle_by_weight(others, weights, random);
    for (std::size_t k = 0; k < others.size() && Index(rows.size()) < size; ++k) rows.push_back(others[k]);
  }

  // From the usual starts, or from these values, or from where all began if that is lower.
  void search(const std::vector<double>& near, bool or_where_all_began = false) {
    ++out_.rounds;
    SearchPlan options = options_;
    options.near = near;
    if (out_.rounds > 1) {  // on from where the last one ended
      options.or_near.clear();
      if (or_where_all_began && !options_.near.empty()) options.or_near.push_back(options_.near);
      options.curvature = near.empty() ? Matrix() : out_.chosen.search.curvature;
    }
    if (options.search.seconds) options.search.seconds = std::max(0.0, *options.search.seconds - seconds());
    Selection found = (problem_.rough ? select : select_checked)(problem_, kernel_, lambda_, options, observer_);
    const Selection& before = out_.chosen;
    found.search.evaluations += before.search.evaluations;
    found.search.gradients += before.search.gradients;
    found.search.descents += before.search.descents;
    found.factorisations += before.factorisations;
    found.seconds += before.seconds;
    out_.chosen = std::move(found);
  }

  // Chooses and searches again while the kernel moves far from the one that chose the rows.
  void settle(Index size) {
    for (int round = 1; round < most_rounds && usable() && asks_the_kernel() && moved_far(); ++round) {
      const BasisSearch before = out_;
      if (!run_selection(out_.chosen.kernel, size)) return;
      if (out_.end == BasisEnd::interrupted) {
        back_to(before);
        out_.chosen.search.stop = Stop::interrupted;
        return;
      }
      // A kernel that has become flat finds fewer rows to tell apart; those at hand say more.
      const bool fewer = out_.basis.rows() < before.basis.rows();
      if (!fewer) search(out_.chosen.values);
      if (fewer || !(out_.chosen.criterion <= before.chosen.criterion)) return back_to(before);
    }
  }

  bool moved_far() const {
    const std::vector<double> then = kernel_parameters(chosen_by_), now = kernel_parameters(out_.chosen.kernel);
    for (std::size_t p = 0; p < now.size(); ++p)
      if (std::abs(std::log(now[p] / then[p])) > far) return true;
    return false;
  }

  // What was spent since stays spent.
  void back_to(const BasisSearch& before) {
    const BasisSearch after = std::move(out_);
    out_ = before;
    out_.rounds = after.rounds;
    out_.sizes = after.sizes;
    out_.chosen.search.evaluations = after.chosen.search.evaluations;
    out_.chosen.search.gradients = after.chosen.search.gradients;
    out_.chosen.factorisations = after.chosen.factorisations;
    out_.chosen.seconds = after.chosen.seconds;
    if (const Stop stop = after.chosen.search.stop; stop == Stop::interrupted || stop == Stop::time_limit)
      out_.chosen.search.stop = stop;
    problem_.basis = out_.basis;
  }

  Problem problem_;
  const BasisPlan& plan_;
  const KernelSpec& kernel_;
  std::optional<double> lambda_;
  SearchPlan options_;
  const Observer& observer_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  Kernel chosen_by_;
  BasisSearch out_;
};

}  // namespace

BasisSearch select_on_basis(Problem problem, const BasisPlan& plan, const KernelSpec& kernel,
                            std::optional<double> lambda, const SearchPlan& options, const Observer& observer) {
  return Rounds(std::move(problem), plan, kernel, lambda, options, observer).run();
}

}  // namespace lacuna
