#include "lacuna/choose/detail/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lacuna/base/error.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/choose/detail/leaving.hpp"
#include "lacuna/model/detail/make_problem.hpp"

namespace lacuna::detail {
namespace {

constexpr double of_a_part = 2.0;  // times as many standard errors, where both were fitted to some rows only
constexpr Index least_part = 133;  // rows
constexpr int most_parts = 4;
constexpr std::size_t seen_by_leaders = 3;  // kernels whose rows are seen otherwise too, for a stack
constexpr int most_penalised = 40;          // evaluations, of as many parameters as there are features

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

double mean_loss(const Tried& tried, const Vector& weights) { return weights.dot(tried.loss) / weights.sum(); }

double Comparison::seconds() const { return seconds_since(began_); }

Comparison::Comparison(const Dataset& data, const TrainOptions& options, const ChooseOptions& how)
    : options_(options), effort_(how.effort), compared_{data, options_} {
  if (const auto limit = options.select.search_options.seconds; limit && *limit < 1e9)
    deadline_ = began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*limit));
  compared_.deadline = deadline_;
  const Machine machine = resolve_machine(data, options);
  const Problem problem = make_problem(data, data.X, machine, options);
  compared_.truth = problem.truth;
  compared_.trained = problem.learn.zeta;
  compared_.first_of_copies = problem.first_of_copies;
  compared_.judged = judged_by(data, machine, compared_.truth, options);
  const std::uint64_t seed = options.select.search_options.seed;
  const auto groups = int(std::set<int>(data.group.begin(), data.group.end()).size());
  const int folds = int(std::min<Index>(groups > 1 ? groups : data.size(), how.folds));
  compared_.folds =
      groups > 1 ? grouped_folds(data.group, folds, seed, data.weights) : k_folds(data.size(), folds, data.label, seed);
}

// Says where the choice is, and passes on whether to go on.
TrainOptions Comparison::watched(const std::string& what) {
  TrainOptions out = options_;
  out.held_out.keep = true;
  out.held_out.most = std::numeric_limits<Index>::max();
  out.held_out.intervals = false;  // the honest residuals make them
  if (deadline_ != Clock::time_point::max())
    out.select.search_options.seconds = std::max(0.01, std::chrono::duration<double>(deadline_ - Clock::now()).count());
  if (!options_.run.observer) return out;
  const double best = tried_.empty() || !tried_[leader_].complete()
                          ? std::nan("")
                          : mean_loss(tried_[leader_], compared_.judged.weights);
  out.run.observer = [this, what, best](const Progress& progress) {
    if (progress.stage.empty()) return options_.run.observer(progress);
    return options_.run.observer({.stage = what, .done = long(tried_.size()), .total = long(planned_), .best = best});
  };
  return out;
}

bool Comparison::goes_on() {
  if (stop_ != Stop::none) return false;
  if (Clock::now() > deadline_)
    stop_ = Stop::time_limit;
  else if (!go_on(options_.run.observer, {}))
    stop_ = Stop::interrupted;
  return stop_ == Stop::none;
}

void Comparison::train_on_all(Tried& tried, const TrainOptions& how) {
  tried.model = train_candidate(compared_.data, tried.candidate, tried.beginning, how);
  if (tried.model.report.search.stop == Stop::interrupted) return;
  const Matrix z = tried.model.held_out.output.topRows(compared_.data.size());
  tried.optimistic = row_losses(compared_.judged, judged_outputs(tried.model, z));
}

Paired Comparison::compared_on(const Vector& difference, std::span<const Index> rows) const {
  return paired(difference, compared_.judged.weights, compared_.judged.group, rows);
}

// Left after some of the folds. Other kernels build on the plain one's way, whatever its gain.
bool Comparison::left(const Tried& tried) const {
  if (hopeless(compared_on(tried.loss - tried_[leader_].loss, tried.rows), effort_)) return true;
  if (effort_ == Effort::best || kernel_of(tried.candidate) == kernel_of(tried_[0].candidate)) return false;
  return out_of_reach(compared_on(tried_[0].loss - tried.loss, tried.rows),
                      double(tried.folds) / double(compared_.folds.size()));
}

// A part of the rows in which every class has its share and no group is parted; empty: there are too few rows.
std::vector<Index> Comparison::part() const {
  const Dataset& data = compared_.data;
  const auto parts = int(std::min<Index>(most_parts, data.size() / least_part));
  if (parts < 2 || compared_.folds.size() < std::size_t(parts)) return {};
  const std::uint64_t seed = options_.select.search_options.seed;
  if (data.group.empty()) return k_folds(data.size(), parts, data.label, seed).front();
  if (options_.select.cv.kind == CrossValidation::Kind::loo) return {};
  return grouped_folds(data.group, parts, seed, data.weights).front();
}

// Loss of each of these rows, held out in closed form from a fit to them alone.
Vector Comparison::loss_of_part(const Candidate& candidate, const Beginning& beginning,
                                const std::vector<Index>& rows) {
  const Model model =
      train_candidate(take_rows(compared_.data, rows), candidate, beginning, roughly(watched(candidate.name)));
  if (model.report.search.stop == Stop::interrupted) throw Stopped{};
  const Matrix z = judged_outputs(model, model.held_out.output.topRows(Index(rows.size())));
  Matrix all = Matrix::Zero(compared_.data.size(), z.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) all.row(rows[k]) = z.row(Index(k));
  return row_losses(compared_.judged, all);
}

// Fewer rows first: whether it is so far behind the plain machine on a part of the rows, each by its own criterion,
// that all of them would tell nothing else. A search that begins at a known optimum costs too little to ask.
bool Comparison::behind_on_a_part(const Tried& tried) {
  if (!tried.beginning.near.empty()) return false;
  const std::vector<Index> rows = part();
  if (rows.empty()) return false;
  try {
    if (plain_on_part_.size() == 0)
      plain_on_part_ = loss_of_part(tried_[0].candidate, {.near = parameters_of(tried_[0].model)}, rows);
    const Vector own = loss_of_part(tried.candidate, {}, rows);
    return hopeless(compared_on(own - plain_on_part_, rows), effort_, of_a_part);
  } catch (const Error&) {  // a class is gone, say: all rows will tell
    return false;
  }
}

// Leaves out fold after fold. False: it was stopped.
bool Comparison::follow(Tried& tried) {
  const bool plain = tried_.empty();
  for (std::size_t f = 0; f < compared_.folds.size(); ++f) {
    if (!goes_on()) return false;
    const TrainOptions how =
        watched(fmt::format("{}, fold {} of {}", tried.candidate.name, f + 1, compared_.folds.size()));
    if (!leave_out(tried, compared_.data, compared_.folds[f], compared_.judged, how)) {
      goes_on();
      if (stop_ == Stop::none) stop_ = Stop::interrupted;
      return false;
    }
    if (plain || f + 1 == compared_.folds.size()) continue;
    if (left(tried)) {
      tried.left = fmt::format("behind after {} of {} folds", f + 1, compared_.folds.size());
      return true;
    }
  }
  return true;
}

// False: there is nothing to choose by.
bool Comparison::try_plain() {
  const Clock::time_point began = Clock::now();
  Tried tried{.candidate = kernel_candidates(false).front()};
  train_on_all(tried, watched(tried.candidate.name));
  if (tried.model.report.search.stop == Stop::interrupted) {
    tried_.push_back(std::move(tried));
    stop_ = Stop::interrupted;
    return false;
  }
  try {
    if (!follow(tried)) tried.left = "stopped";
  } catch (const Error& error) {  // without a fold a class is gone, say
    tried.left = error.what();
  }
  tried.seconds = seconds_since(began);
  tried_.push_back(std::move(tried));
  return tried_[0].left.empty();
}

void Comparison::try_other(const Candidate& candidate) {
  if (!goes_on()) return;
  const Clock::time_point began = Clock::now();
  Tried tried{.candidate = candidate};
  const Tried& plain = tried_[0];
  if (candidate.penalty > 0.0) {
    tried.beginning.near = tried.beginning.centre = parameters_of(plain.model);
    tried.beginning.penalty = candidate.penalty * std::abs(plain.model.report.criterion_value);
  }
  for (const Tried& before : tried_) {
    const std::string kernel = kernel_of(before.candidate);
    const bool alike = kernel_of(candidate) == kernel || kernel_of(candidate) == fmt::format("relevance({})", kernel);
    if (candidate.penalty == 0.0 && before.model.alpha.size() > 0 && alike) {
      tried.beginning.near = beginning_of(before.model);
      tried.beginning.curvature = before.model.report.search.curvature;
    }
  }
  try {
    const StopScope limit(deadline_);
    if (behind_on_a_part(tried)) {
      tried.left = "behind on a part of the rows";
      tried.seconds = seconds_since(began);
      tried_.push_back(std::move(tried));
      return;
    }
    TrainOptions how = watched(candidate.name);
    // A penalised descent from the plain machine's parameters ends where it is, after a while.
    const bool many = candidate.penalty > 0.0 && !how.select.max_evaluations;
    if (many) how.select.max_evaluations = most_penalised;
    train_on_all(tried, how);
    if (many)
      std::erase_if(tried.model.report.warnings, [](auto& w) { return w.code == Warning::Code::search_evaluations; });
    if (tried.model.report.search.stop == Stop::interrupted) {
      goes_on();
      if (stop_ == Stop::none) stop_ = Stop::interrupted;
      tried.left = "stopped";
    } else {
      std::vector<Index> all;
      for (Index i = 0; i < compared_.data.size(); ++i) all.push_back(i);
      if (hopeless(compared_on(tried.optimistic - tried_[leader_].optimistic, all), effort_))
        tried.left = "behind by its own criterion";
      else if (!follow(tried))
        tried.left = "stopped";
    }
  } catch (const Error& error) {
    tried.left = error.what();
  } catch (const Stopped&) {
    stop_ = Clock::now() > deadline_ ? Stop::time_limit : Stop::interrupted;
    tried.left = "stopped";
  }
  tried.seconds = seconds_since(began);
  tried_.push_back(std::move(tried));
  const Vector& w = compared_.judged.weights;
  if (tried_.back().complete() && mean_loss(tried_.back(), w) < mean_loss(tried_[leader_], w))
    leader_ = tried_.size() - 1;
}

std::vector<const Tried*> Comparison::finished() const {
  std::vector<const Tried*> out;
  for (const Tried& t : tried_)
    if (t.complete()) out.push_back(&t);
  return out;
}

void Comparison::try_all() {
  const std::vector<Candidate> kernels = kernel_candidates(effort_ == Effort::best);
  std::vector<Views> ways{{}};
  const std::vector<Candidate> plain_otherwise = seen_otherwise(kernels[0], compared_.data);
  for (const Candidate& c : plain_otherwise) ways.push_back(c.views);
  const std::size_t leaders = effort_ == Effort::best ? seen_by_leaders : 0;
  planned_ = kernels.size() + ways.size() - 1 + leaders * (ways.size() - 1);
  if (!try_plain()) return;
  for (const Candidate& c : plain_otherwise) try_other(c);
  const Views best_way = tried_[leader_].candidate.views;
  for (std::size_t k = 1; k < kernels.size(); ++k) try_other(seen(kernels[k], best_way));
  std::vector<const Tried*> order = finished();
  const Vector& w = compared_.judged.weights;
  std::ranges::stable_sort(order, {}, [&](const Tried* t) { return mean_loss(*t, w); });
  std::vector<Candidate> more;
  for (const Tried* t : order) {
    const auto kernel = std::ranges::find(kernels, kernel_of(t->candidate), &Candidate::name);
    if (more.size() >= leaders * (ways.size() - 1) || kernel == kernels.begin()) continue;
    for (const Views& way : ways)
      if (!(way == best_way)) more.push_back(seen(*kernel, way));
  }
  planned_ = tried_.size() + more.size();
  for (const Candidate& c : more) try_other(c);
}

}  // namespace lacuna::detail
