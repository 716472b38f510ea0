#include "lacuna/explain/importance.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>

#include "lacuna/base/paired.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/explain/held_out_machines.hpp"
#include "lacuna/model/predictor.hpp"
#include "lacuna/model/tally.hpp"

namespace lacuna {
namespace {

constexpr int folds_held_out = 10, folds_of_process = 5;  // a Gaussian process factors a matrix for each fold
constexpr Index fewest_rows = 20;

// A source for each of the rows, in order: every row as often as its weight's share of all of them, but for a fraction
// that `offset` (0 to 1) settles. Equal weights make each row its own.
std::vector<Index> sources_by_weight(const Vector& weight, double offset) {
  const Index n = weight.size();
  const double step = weight.sum() / double(n);
  std::vector<Index> out;
  Index source = 0;
  double reached = weight[0];
  for (Index k = 0; k < n; ++k) {
    while (source + 1 < n && reached <= (double(k) + offset) * step) reached += weight[++source];
    out.push_back(source);
  }
  return out;
}

// Folds of rows, those of one group together where there are groups.
Folds folds_of(const ExplainRows& rows, int k, std::uint64_t seed) {
  const std::set<int> groups(rows.group.begin(), rows.group.end());
  if (groups.size() < 2) return k_folds(rows.size(), k, rows.label, seed);
  return grouped_folds(rows.group, std::min(k, int(groups.size())), seed, rows.weight);
}

// Whether each row has a target to compare with.
std::vector<bool> known_rows(const Model& model, const ExplainRows& rows) {
  std::vector<bool> out(std::size_t(rows.size()), false);
  const auto classes = int(model.classes.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    if (classes > 0)
      out[i] = !rows.label.empty() && rows.label[i] >= 0 && rows.label[i] < classes;
    else
      out[i] = rows.target.size() > 0 && rows.target.row(Index(i)).allFinite();
  return out;
}

// Squared residuals of several targets are summed in units of their variances: targets need not have one unit.
Vector units_of(const Matrix& target, const Vector& weight, const Loss& loss) {
  Vector out = Vector::Ones(target.cols());
  if (gives_rates(loss) || target.cols() < 2) return out;
  for (Index c = 0; c < target.cols(); ++c) {
    const double mean = target.col(c).dot(weight) / weight.sum();
    const double variance = (target.col(c).array() - mean).square().matrix().dot(weight) / weight.sum();
    if (variance > 0.0) out[c] = variance;
  }
  return out;
}

// The rows that are judged, and who judges each.
class Judge {
 public:
  Judge(const Model& model, const ExplainRows& rows, std::vector<Index> which)
      : model_(model), which_(std::move(which)) {
    X_ = take_rows(rows.X, which_);
    if (rows.offset.size() > 0) offset_ = rows.offset(which_);
    for (const Index i : which_)
      if (!rows.label.empty()) label_.push_back(rows.label[std::size_t(i)]);
    weight_ = rows.weight.size() > 0 ? Vector(rows.weight(which_)) : Vector(Vector::Ones(size()));
    if (model.classes.empty()) {
      target_ = rows.target(which_, Eigen::all);
      unit_ = units_of(target_, weight_, model.loss);
    }
    for (const Index i : which_)
      if (!rows.group.empty()) group_.push_back(rows.group[std::size_t(i)]);
    if (std::ranges::adjacent_find(group_, std::ranges::not_equal_to{}) == group_.end()) group_.clear();  // all are one
    rows_.resize(which_.size());
    std::iota(rows_.begin(), rows_.end(), Index(0));
  }
  const Rows& X() const { return X_; }
  const Vector& weight() const { return weight_; }
  bool grouped() const { return !group_.empty(); }
  /// The mean of a number for each row, and how well it is known.
  Paired mean_of(const Vector& values) const { return paired(values, weight_, group_, rows_); }
  Index size() const { return Index(which_.size()); }

  /// All rows by this machine.
  void by(const Model& machine, const Backend& backend) { parts_.push_back({rows_, Predictor(machine, backend)}); }
  /// Rows of this fold by this machine.
  void by(const Model& machine, const std::vector<Index>& fold, const Backend& backend) {
    std::vector<Index> own;
    for (Index k = 0; k < size(); ++k)
      if (std::ranges::binary_search(fold, which_[std::size_t(k)])) own.push_back(k);
    if (!own.empty()) parts_.push_back({own, Predictor(machine, backend)});
  }

  struct Losses {
    Vector loss, wrong;
  };
  /// Of these rows in place of X().
  Losses losses(const RowsView& rows) {
    Losses out{Vector::Zero(size()), Vector::Zero(size())};
    for (auto& [own, predictor] : parts_) {
      const Rows part = take_rows(rows, own);
      const Predictions said = predictor.predict(part, offset_.size() > 0 ? Vector(offset_(own)) : Vector());
      for (Index k = 0; k < Index(own.size()); ++k) judge(said, k, own[std::size_t(k)], out);
    }
    return out;
  }

 private:
  void judge(const Predictions& said, Index k, Index i, Losses& out) const {
    if (model_.classes.empty()) {
      const auto m = double(target_.cols());
      for (Index c = 0; c < target_.cols(); ++c) {
        const double t = target_(i, c), value = said.value(k, c);
        out.loss[i] +=
            (gives_rates(model_.loss) ? cost(model_.loss, std::log(value), t).value : (t - value) * (t - value)) /
            (m * unit_[c]);
      }
      return;
    }
    const int label = label_[std::size_t(i)];
    out.wrong[i] = said.label[std::size_t(k)] == label ? 0.0 : 1.0;
    out.loss[i] = said.probability.size() > 0 ? -std::log(std::max(said.probability(k, label), 1e-300)) : out.wrong[i];
  }

  const Model& model_;
  std::vector<Index> which_;
  Rows X_;
  Vector offset_;
  std::vector<int> label_;
  Matrix target_;
  Vector unit_;  // of the losses of each target
  Vector weight_;
  std::vector<int> group_;
  std::vector<Index> rows_;  // 0, 1, 2 ...
  std::vector<std::pair<std::vector<Index>, Predictor>> parts_;
};

}  // namespace

std::string importance_loss(const Model& model) {
  if (!model.classes.empty()) return has_probabilities(model) ? "xent" : "error";
  if (gives_rates(model.loss)) return "deviance";
  return model.target_names.size() > 1 ? "squared residual, as a share of each target's variance," : "squared residual";
}

std::vector<Index> sample_rows(const std::vector<bool>& use, Index most, std::uint64_t seed) {
  std::vector<Index> out;
  for (std::size_t i = 0; i < use.size(); ++i)
    if (use[i]) out.push_back(Index(i));
  if (Index(out.size()) <= most) return out;
  Random random(seed);
  random.shuffle(out);
  out.resize(std::size_t(most));
  std::sort(out.begin(), out.end());
  return out;
}

ImportanceReport importance_of(const Model& model, const ExplainRows& rows, const std::vector<InputColumn>& columns,
                               const ExplainOptions& options, const Backend& backend) {
  ImportanceReport out{.loss = importance_loss(model), .permutations = options.permutations};
  const auto none = [&](std::string why) {
    out.missing = std::move(why);
    return out;
  };
  if (!rows.missing.empty()) return none(rows.missing);
  const std::vector<bool> known = known_rows(model, rows);
  if (!rows.no_target.empty()) return none(rows.no_target);
  if (rows.label.empty() && rows.target.size() == 0) return none("the rows have no target to compare with");
  if (std::ranges::count(known, true) < fewest_rows) return none("fewer than twenty rows have a target");
  Judge judge(model, rows, sample_rows(known, options.rows, options.seed));
  std::vector<Model> machines;
  if (rows.trained_on) {
    if (std::string why = no_held_out_machines(model); !why.empty()) return none(std::move(why));
    const int k = model.inference ? folds_of_process : folds_held_out;
    const Folds folds = folds_of(rows, k, options.seed);
    machines = machines_without(model, folds, backend);
    for (std::size_t f = 0; f < folds.size(); ++f) judge.by(machines[f], folds[f], backend);
    out.folds = int(folds.size());
    out.grouped = judge.grouped();
  } else {
    judge.by(model, backend);
  }
  out.how = rows.trained_on ? "held-out" : "new";
  out.rows = judge.size();
  const auto as_it_is = judge.losses(judge.X());
  out.without = judge.mean_of(as_it_is.loss).mean;

  Random random(options.seed), offset(~options.seed);
  std::vector<std::vector<Index>> orders;
  for (int p = 0; p < options.permutations; ++p) {
    orders.push_back(sources_by_weight(judge.weight(), offset.uniform(0.01, 0.99)));
    random.shuffle(orders.back());
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    Vector loss = Vector::Zero(judge.size()), wrong = loss;
    for (const std::vector<Index>& order : orders) {
      if (!go_on(options.observer, {"permuting", Index(j), Index(columns.size())})) throw Stopped{};
      const auto permuted = judge.losses(with_column_of(judge.X(), columns[j], order));
      loss += (permuted.loss - as_it_is.loss) / double(orders.size());
      wrong += (permuted.wrong - as_it_is.wrong) / double(orders.size());
    }
    const Paired increase = judge.mean_of(loss);
    out.columns.push_back({columns[j].name, increase.mean, increase.standard_error, judge.mean_of(wrong).mean});
  }
  std::ranges::stable_sort(out.columns, std::ranges::greater{}, &Importance::increase);
  return out;
}

}  // namespace lacuna
