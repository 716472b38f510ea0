#include "lacuna/curves/learning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lacuna/base/error.hpp"
#include "lacuna/base/paired.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/curves/counted.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/model/tally.hpp"

namespace lacuna {
namespace {

constexpr int parts_of_rows = 8, eighths[] = {1, 2, 4, 6};

// What rows count where they are judged.
Vector judged_by(const Dataset& data) {
  const Vector weight = weights_or_ones(data.weights, data.size());
  return data.select_weights.size() > 0 ? Vector(weight.cwiseProduct(data.select_weights)) : weight;
}

// The loss of each held-out row, over its repeats: what the score is the mean of, or of rmse the root of the mean.
Vector row_losses(const Model& model, const std::string& score) {
  const HeldOutRows& h = model.held_out;
  Vector all(h.size());
  if (score == "error" || score == "rmse") {
    const Predictions said = held_out_predictions(model);
    for (Index i = 0; i < h.size(); ++i)
      all[i] = score == "error" ? double(said.label[std::size_t(i)] != h.label[std::size_t(i)])
                                : (h.target.row(i) - said.value.row(i)).squaredNorm() / double(h.target.cols());
  } else {
    all = held_out_loss(model);
  }
  Vector out = Vector::Zero(h.rows());
  for (Index i = 0; i < all.size(); ++i) out[i % h.rows()] += all[i] / double(h.repeats());
  return out;
}

// Losses of the other rows; empty where this part cannot be fitted (a class is missing, say).
Vector losses_of(const FitAgain& again, const std::vector<Index>& train_rows, const std::vector<Index>& test_rows,
                 const std::string& score) {
  const Dataset some = take_rows(again.data, train_rows), rest = take_rows(again.data, test_rows);
  try {
    Model model = train(some, again.options);
    const Predictions said = predict(model, rest.X, rest.offset);
    HeldOutRows& h = model.held_out = {.row = rest.source_row, .output = said.output, .variance = said.variance};
    h.offset = rest.offset;
    h.label = rest.label;
    h.target = rest.targets;
    if (score == "xent" && !has_probabilities(model)) return {};
    Vector out = row_losses(model, score);
    return out.allFinite() ? out : Vector();
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::internal) throw;
    return {};
  }
}

// Of the machines of one number of rows: what each row lost where it was judged, by fit and in the mean.
struct Judged {
  std::vector<Vector> by_fit{};  // NaN: the row was seen
  Vector mean{};                 // NaN: it was seen by every fit

  explicit Judged(std::vector<Vector> fits) : by_fit(std::move(fits)) {
    mean = Vector::Constant(by_fit.front().size(), std::nan(""));
    for (Index i = 0; i < mean.size(); ++i) {
      double sum = 0.0, count = 0.0;
      for (const Vector& of : by_fit)
        if (std::isfinite(of[i])) sum += of[i], count += 1.0;
      if (count > 0.0) mean[i] = sum / count;
    }
  }
};

class Scores {
 public:
  Scores(const Dataset& data, bool root) : weights_(judged_by(data)), group_(data.group), root_(root) {}

  double score(const Judged& of) const {
    double mean = 0.0;
    for (const Vector& fit : of.by_fit) mean += rooted(mean_of(fit)) / double(of.by_fit.size());
    return mean;
  }
  /// Of the rows that were judged, and of the draw of those that were seen.
  double error(const Judged& of) const {
    const double slope = slope_at(of.mean);
    return std::hypot(slope * over_rows(of.mean), over_fits(of.by_fit, slope));
  }
  /// How much less rows lose by `b` than by `a`, and how sure that is, row by row.
  LearningCurve::Gain gain(const Judged& a, const Judged& b) const {
    Vector first = a.mean, second = b.mean;
    for (Index i = 0; i < first.size(); ++i)  // on the same rows
      if (!std::isfinite(first[i] + second[i])) first[i] = second[i] = std::nan("");
    const double at_a = slope_at(first), at_b = slope_at(second);
    std::vector<Vector> of_a, of_b;
    for (const Vector& fit : a.by_fit) of_a.push_back(at_a * fit - at_b * b.mean);
    for (const Vector& fit : b.by_fit) of_b.push_back(at_b * fit - at_a * a.mean);
    const double variance = std::pow(over_rows(at_a * first - at_b * second), 2.0) +
                            std::pow(over_fits(of_a, 1.0), 2.0) + std::pow(over_fits(of_b, 1.0), 2.0);
    return {.value = rooted(mean_of(first)) - rooted(mean_of(second)), .standard_error = std::sqrt(variance)};
  }

 private:
  double mean_of(const Vector& loss) const {
    double sum = 0.0, weight = 0.0;
    for (Index i = 0; i < loss.size(); ++i)
      if (std::isfinite(loss[i])) sum += weights_[i] * loss[i], weight += weights_[i];
    return sum / weight;
  }
  double rooted(double mean) const { return root_ ? std::sqrt(mean) : mean; }
  double slope_at(const Vector& loss) const { return root_ ? 0.5 / std::sqrt(mean_of(loss)) : 1.0; }
  double over_rows(const Vector& loss) const {
    std::vector<Index> rows;
    for (Index i = 0; i < loss.size(); ++i)
      if (std::isfinite(loss[i]) && weights_[i] > 0.0) rows.push_back(i);
    return paired(loss, weights_, group_, rows).standard_error;
  }
  double over_fits(const std::vector<Vector>& fits, double slope) const {
    const auto count = double(fits.size());
    if (count < 2.0) return 0.0;
    double mean = 0.0, squares = 0.0;
    for (const Vector& of : fits) mean += mean_of(of) / count;
    for (const Vector& of : fits) squares += std::pow(mean_of(of) - mean, 2.0) / (count - 1.0);
    return slope * std::sqrt(squares / count);
  }

  Vector weights_;
  std::vector<int> group_;
  bool root_;
};

// The model's own held-out rows in the order of the data; empty where that cannot be told.
Vector own_losses(const Model& model, Index n, const std::string& score) {
  if (model.held_out.size() == 0) return {};
  const std::vector<Index> first = rows_of_expansion(model.held_out, n);
  if (first.empty()) return {};
  return row_losses(model, score)(first);
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
  const Scores scores(again.data, out.score == "rmse");
  std::vector<Judged> judged;
  for (const int k : eighths) {
    std::vector<Vector> fits;
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
      const Vector losses = losses_of(parts, train_rows, test_rows, out.score);
      if (losses.size() == 0) continue;
      Vector& of_all = fits.emplace_back(Vector::Constant(n, std::nan("")));
      for (std::size_t i = 0; i < test_rows.size(); ++i) of_all[test_rows[i]] = losses[Index(i)];
    }
    if (fits.size() < 2) continue;
    const int count = int(fits.size());
    const Judged& of = judged.emplace_back(std::move(fits));
    out.sizes.push_back({rows, scores.score(of), scores.error(of), count});
  }
  const double all = value_of(model.report.held_out, out.score);
  out.chosen_again = model.report.choice.has_value();
  const std::size_t of_parts = out.sizes.size();
  if (std::isfinite(all)) out.sizes.push_back({n, all, all_error, 0});
  if (out.sizes.size() < 3) out.missing = "parts of the rows are too small to be fitted";
  if (!out.missing.empty()) return out;
  // Over the last doubling that is of one and the same procedure.
  if (const Vector own = own_losses(model, n, out.score); !out.chosen_again && own.size() == n && own.allFinite()) {
    judged.emplace_back(std::vector<Vector>{own});
  }
  const std::size_t last = judged.size() - 1;
  for (std::size_t k = 0; k < last && k < of_parts; ++k) {
    if (double(out.sizes[k].rows) > 0.55 * double(out.sizes[last].rows)) continue;
    out.gain = scores.gain(judged[k], judged[last]);
    out.gain->from = k;
    out.gain->to = last;
  }
  return out;
}

}  // namespace lacuna
