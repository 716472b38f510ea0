#include "lacuna/curves/learning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lacuna/base/error.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/curves/counted.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/evaluate/judge.hpp"

namespace lacuna {
namespace {

constexpr int parts_of_rows = 8, eighths[] = {1, 2, 4, 6};

// What rows count where they are judged.
Vector judged_by(const Dataset& data) {
  const Vector weight = weights_or_ones(data.weights, data.size());
  return data.select_weights.size() > 0 ? Vector(weight.cwiseProduct(data.select_weights)) : weight;
}

TestTruth truth_of(const Dataset& test, const Dataset& trained, const Loss& loss) {
  TestTruth out{.classes = test.classes,
                .label = test.label,
                .targets = test.targets,
                .weights = judged_by(test),
                .offset = test.offset};
  if (!test.classes.empty()) return out;
  const Vector weight = judged_by(trained);
  out.training_mean = trained.targets.transpose() * weight / weight.sum();
  if (gives_rates(loss)) out.common_rate = common_rates(loss, trained.targets, trained.offset, weight);
  return out;
}

// The loss of the other rows; NaN where this part cannot be fitted (a class is missing, say).
double loss_of(const FitAgain& again, const std::vector<Index>& train_rows, const std::vector<Index>& test_rows,
               const std::string& score) {
  const Dataset some = take_rows(again.data, train_rows), rest = take_rows(again.data, test_rows);
  try {
    const Model model = train(some, again.options);
    const Predictions said = predict(model, rest.X, rest.offset);
    return value_of(judge_predictions(model, said, truth_of(rest, some, model.loss)).scores, score);
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::internal) throw;
    return std::nan("");
  }
}

bool has_all_classes(const Dataset& data, const std::vector<Index>& rows) {
  if (data.classes.empty()) return true;
  std::vector<int> count(data.classes.size(), 0);
  for (const Index i : rows) ++count[std::size_t(data.label[std::size_t(i)])];
  return std::ranges::all_of(count, [](int c) { return c >= 2; });
}

}  // namespace

LearningCurve learning_curve(const Model& model, const FitAgain& again, double all_error, std::uint64_t seed,
                             const Observer& observer) {
  LearningCurve out{.score = main_score(model), .missing = again.missing};
  const Index n = again.data.size();
  if (out.missing.empty() && n > most_rows_for_learning)
    out.missing = fmt::format("fits of parts of more than {} rows would take long", most_rows_for_learning);
  if (out.missing.empty() && n < 40) out.missing = "parts of fewer than 40 rows say nothing";
  const std::set<int> groups(again.data.group.begin(), again.data.group.end());
  if (out.missing.empty() && !groups.empty() && groups.size() < parts_of_rows)
    out.missing = fmt::format("there are fewer than {} groups to deal out", parts_of_rows);
  if (!out.missing.empty()) return out;
  FitAgain parts = again;
  parts.options.held_out.keep = false;
  parts.options.run.observer = observer;
  parts.options.select.cv = {};
  parts.data.group.clear();  // of parts no held-out score is looked at
  const int repeats = n <= 400 ? 8 : n <= 1000 ? 4 : 2;
  for (const int k : eighths) {
    std::vector<double> losses;
    Index rows = 0;
    for (int r = 0; r < repeats; ++r) {
      if (!go_on(observer, {"learning curve", r, repeats})) throw Stopped{};
      const std::uint64_t draw = seed + std::uint64_t(r);
      const Folds folds = again.data.group.empty()
                              ? k_folds(n, parts_of_rows, again.data.label, draw)
                              : grouped_folds(again.data.group, parts_of_rows, draw, again.data.weights);
      std::vector<Index> train_rows, test_rows;
      for (std::size_t f = 0; f < folds.size(); ++f) {
        auto& to = int(f) < k ? train_rows : test_rows;
        to.insert(to.end(), folds[f].begin(), folds[f].end());
      }
      std::ranges::sort(train_rows);
      std::ranges::sort(test_rows);
      if (!has_all_classes(again.data, train_rows)) continue;
      rows = Index(train_rows.size());
      if (const double loss = loss_of(parts, train_rows, test_rows, out.score); std::isfinite(loss))
        losses.push_back(loss);
    }
    if (losses.size() < 2) continue;
    const auto count = double(losses.size());
    double mean = 0.0, squares = 0.0;
    for (const double l : losses) mean += l / count;
    for (const double l : losses) squares += (l - mean) * (l - mean) / (count - 1.0);
    out.sizes.push_back({rows, mean, std::sqrt(squares / count), int(count)});
  }
  const double all = value_of(model.report.held_out, out.score);
  if (std::isfinite(all)) out.sizes.push_back({n, all, all_error, 0});
  if (out.sizes.size() < 3) out.missing = "parts of the rows are too small to be fitted";
  return out;
}

}  // namespace lacuna
