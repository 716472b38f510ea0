#include "experiment/wcci.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "experiment/ridge_path.hpp"
#include "experiment/wcci_set.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/evaluate/number_line.hpp"
#include "lacuna/evaluate/split_plan.hpp"
#include "lacuna/evaluate/tasks.hpp"
#include "lacuna/model/machine.hpp"
#include "lacuna/model/threshold.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna {
namespace {

constexpr int folds = 10;

double class_error(const Vector& z, const std::vector<int>& label, double cut, int which) {
  double wrong = 0.0, all = 0.0;
  for (Index i = 0; i < z.size(); ++i) {
    if (label[std::size_t(i)] != which) continue;
    all += 1.0;
    wrong += (z[i] >= cut) != (which == 1);
  }
  return wrong / all;
}

double balanced(const Vector& z, const std::vector<int>& label, double cut) {
  return 0.5 * (class_error(z, label, cut, 0) + class_error(z, label, cut, 1));
}

// At whichever cut is best for these very rows.
double least_balanced(const Vector& z, const std::vector<int>& label) {
  const auto positive = double(std::count(label.begin(), label.end(), 1)), negative = double(label.size()) - positive;
  std::vector<std::pair<double, int>> rows;
  for (Index i = 0; i < z.size(); ++i) rows.emplace_back(z[i], label[std::size_t(i)]);
  std::sort(rows.begin(), rows.end());
  double least = 0.5, here = 0.5;  // all rows positive; each that the cut passes becomes negative
  for (std::size_t k = 0; k < rows.size(); ++k) {
    here += rows[k].second == 1 ? 0.5 / positive : -0.5 / negative;
    if (k + 1 == rows.size() || rows[k + 1].first > rows[k].first) least = std::min(least, here);
  }
  return least;
}

// The challenge's score: balanced error, and the error of the guess as far as it is beyond the test's own standard
// error.
double challenge_score(const Vector& z, const std::vector<int>& label, double cut, double guess) {
  const auto positive = double(std::count(label.begin(), label.end(), 1)), negative = double(label.size()) - positive;
  const double a = class_error(z, label, cut, 1), b = class_error(z, label, cut, 0), ber = 0.5 * (a + b);
  const double se = 0.5 * std::sqrt(a * (1.0 - a) / positive + b * (1.0 - b) / negative);
  const double off = std::abs(guess - ber);
  return ber + (se > 0.0 ? off * (1.0 - std::exp(-off / se)) : off);
}

RidgePath path_of(const KernelSpec& spec, double parameter, const WcciPart& training, const WcciPart& test,
                  const Vector& zeta, const Vector& t) {
  if (std::holds_alternative<kernels::Linear>(spec.kernel.form))
    return RidgePath::from_features(training.X, test.X, zeta, t);
  const auto* poly = std::get_if<kernels::Polynomial>(&spec.kernel.form);
  const Index d = training.X.cols();
  if (poly != nullptr && poly->degree == 2 && d * (d + 3) / 2 < training.X.rows())
    return RidgePath::from_features(quadratic_features(training.X, parameter), quadratic_features(test.X, parameter),
                                    zeta, t);
  const Kernel kernel = with_parameters(spec.kernel, std::vector{parameter});
  return RidgePath::from_kernel(compute::cpu::kernel_matrix(kernel, training.X, training.X),
                                compute::cpu::kernel_matrix(kernel, test.X, training.X), zeta, t);
}

std::vector<double> parameter_grid(const KernelSpec& spec, const RowMatrix& X) {
  const std::vector<double> start = start_values(spec.kernel, data_scale(X, {}));
  if (start.empty()) return {0.0};
  const bool poly = std::holds_alternative<kernels::Polynomial>(spec.kernel.form);
  std::vector<double> out;
  for (int k = poly ? -3 : -4; k <= 2; ++k) out.push_back(start[0] * std::pow(poly ? 4.0 : 2.0, k));
  return out;
}

struct Way {
  std::string criterion;
  bool weighted_selection;
};

// All criteria of one kernel and training weighting in one split: best over the grid, one after another.
std::vector<WcciResult> run_split(const WcciSet& set, const TrainTest& split, const std::string& kernel, bool weighted,
                                  const std::vector<Way>& ways, const Observer& observer) {
  const auto [training, test] = wcci_parts(set, split);
  const KernelSpec spec = parse_kernel(kernel);
  const Vector ones = Vector::Ones(training.X.rows());
  const Vector balance = balanced_weights(training.label, 2, {});
  Truth truth;
  truth.targets.resize(ones.size(), 1);
  for (Index i = 0; i < ones.size(); ++i) truth.targets(i, 0) = training.label[std::size_t(i)] == 1 ? 1.0 : -1.0;
  truth.label = training.label;
  truth.classes = 2;
  std::vector<WcciResult> best(ways.size());
  for (WcciResult& b : best) b.criterion = HUGE_VAL;
  for (const double parameter : parameter_grid(spec, training.X)) {
    if (!go_on(observer, {})) return best;
    const RidgePath path = path_of(spec, parameter, training, test, weighted ? balance : ones, truth.targets.col(0));
    Vector lambda(37);
    for (Index k = 0; k < lambda.size(); ++k) lambda[k] = path.scale() * std::pow(10.0, -6.0 + 0.25 * double(k));
    const Matrix loo = path.held_out(lambda);
    for (std::size_t w = 0; w < ways.size(); ++w) {
      truth.weights = ways[w].weighted_selection ? balance : ones;
      for (Index k = 0; k < lambda.size(); ++k) {
        const double value = criterion_score(parse_criterion(ways[w].criterion), loo.col(k), truth, false).value;
        if (!(value < best[w].criterion)) continue;
        WcciResult& b = best[w] = {parameter, lambda[k], value};
        const double cut = choose_threshold({.kind = ThresholdRule::Kind::ber}, loo.col(k), training.label, ones, 0.0);
        const Vector z = path.test_outputs(lambda[k]);
        b.loo_at_zero = balanced(loo.col(k), training.label, 0.0);
        b.loo_at_cut = balanced(loo.col(k), training.label, cut);
        b.loo_at_best = least_balanced(loo.col(k), training.label);
        b.test_at_zero = balanced(z, test.label, 0.0);
        b.test_at_cut = balanced(z, test.label, cut);
        b.test_at_best = least_balanced(z, test.label);
        b.score = challenge_score(z, test.label, cut, b.loo_at_cut);
      }
    }
  }
  return best;
}

std::string to_line(const std::vector<WcciResult>& results) {
  nlohmann::json out = nlohmann::json::array();
  for (const WcciResult& r : results)
    out.push_back({r.parameter, r.lambda, r.criterion, r.loo_at_zero, r.loo_at_cut, r.loo_at_best, r.test_at_zero,
                   r.test_at_cut, r.test_at_best, r.score});
  return out.dump();
}

std::vector<WcciResult> from_line(const std::string& line, std::size_t ways) {
  std::vector<WcciResult> out;
  for (const std::vector<double>& v : rows_of_numbers(line, ways, 10))
    out.push_back({v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]});
  return out;
}

}  // namespace

Study wcci_study(const StudyOptions& options, Journal& journal) {
  require_folder("wcci", options.data, "a CSV file for each data set (ada_train.csv, ...), target last");
  const bool all = options.protocol == "all";
  if (!options.protocol.empty() && !all && options.protocol != "unweighted")
    fail_usage(fmt::format("experiment wcci: protocol {}; it is unweighted or all", options.protocol));
  const std::vector<std::string> kernels = all ? std::vector<std::string>{"linear", "poly2", "poly3", "boolean", "rbf"}
                                               : std::vector<std::string>{"linear", "poly2", "rbf"};
  const std::vector<std::string> criteria = all ? std::vector<std::string>{"press", "hinge", "hinge2", "wmw", "error"}
                                                : std::vector<std::string>{"press", "hinge2", "wmw", "error"};
  std::vector<WcciSet> sets;
  for (const auto& entry : std::filesystem::directory_iterator(options.data))
    if (entry.path().extension() == ".csv" &&
        (options.sets.empty() ||
         std::count(options.sets.begin(), options.sets.end(), entry.path().stem().string()) > 0))
      sets.push_back(read_wcci_set(entry.path()));
  if (sets.empty())
    fail_data(options.sets.empty()
                  ? fmt::format("experiment wcci: {} has no CSV file", options.data)
                  : fmt::format("experiment wcci: {} has no {}.csv", options.data, join(options.sets)));
  for (const WcciSet& set : sets)
    for (const int label : {0, 1})
      if (const auto rows = std::count(set.label.begin(), set.label.end(), label); rows < folds)
        fail_data(fmt::format("experiment wcci: {} has {} row{} of a class; each of the {} test parts needs one",
                              set.name, rows, rows == 1 ? "" : "s", folds));
  std::sort(sets.begin(), sets.end(), [](const WcciSet& a, const WcciSet& b) { return a.name < b.name; });

  // Rounds of ten folds: random 90/10 splits that test every row equally often. What is left to chance is a third of
  // what it is with independent splits, of which twenty can all be off by 0.01.
  SplitPlan plan{.kind = SplitPlan::Kind::folds, .folds = folds, .repeats = (options.splits + folds - 1) / folds};
  plan.seed = options.seed;
  std::vector<KeyedTask> tasks;
  std::vector<WcciCell> cells;
  std::vector<std::size_t> first_cell, ways_of;  // of each task
  std::vector<std::vector<TrainTest>> splits;
  for (const WcciSet& set : sets) {
    splits.push_back(make_splits(plan, options.splits, set.X.rows(), set.label, {}));
    splits.back().resize(std::size_t(options.splits));
  }
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (const std::string& kernel : kernels)
      for (const bool weighted : all ? std::vector<bool>{false, true} : std::vector<bool>{false}) {
        std::vector<Way> ways;
        for (const std::string& c : criteria) ways.push_back({c, false});
        for (const std::string& c : criteria)
          if (weighted && c != "wmw") ways.push_back({c, true});
        for (std::size_t k = 0; k < splits[s].size(); ++k) {
          first_cell.push_back(cells.size());
          ways_of.push_back(ways.size());
          tasks.push_back({fmt::format("{} {} {} {} {} folds, smoothed cut {} {}", sets[s].name, sets[s].print, kernel,
                                       weighted, all, plan.seed, k + 1),
                           [&set = sets[s], &split = splits[s][k], kernel, weighted, ways](const Observer& o) {
                             return to_line(run_split(set, split, kernel, weighted, ways, o));
                           }});
        }
        for (const Way& w : ways)
          cells.push_back({sets[s].name, w.criterion, kernel, weighted, w.weighted_selection, {}});
      }
  Index largest = 0;
  for (const auto& of : splits) largest = std::max(largest, Index(of.front().train.size()));
  const int lanes = std::clamp(int(available_bytes() / dual_bytes(largest, true)), 1, thread_count());
  const TaskResults done = work_off(tasks, journal, {lanes, "splits", options.observer});
  if (done.interrupted) return {.interrupted = true};
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const std::vector<WcciResult> results = from_line(done.results[t], ways_of[t]);
    for (std::size_t w = 0; w < results.size(); ++w) cells[first_cell[t] + w].splits.push_back(results[w]);
  }
  Study out{"wcci", "Model selection criteria for weighted LS-SVMs ([WLSSVM] tables III to VI)"};
  out.remarks = {fmt::format(
      "Balanced error over {} splits (the same for all): rounds of ten random folds, each the test part "
      "once. Everything is "
      "selected anew in each, on a grid. ber: at the cut chosen on leave-one-out outputs, which is "
      "what a user would get. At best: at the cut that is best for the test rows themselves; it is optimistic, "
      "and the published "
      "figures lie there (see the table). Continuous columns are standardised by the training part.",
      options.splits)};
  out.sheets = wcci_sheets(cells);
  return out;
}

}  // namespace lacuna
