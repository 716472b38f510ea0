#include "lacuna/model/threshold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "lacuna/base/error.hpp"
#include "lacuna/base/weights.hpp"

namespace lacuna {

namespace {

// Numbers between commas; empty: it is not that.
std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> out;
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    double value = 0.0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !std::isfinite(value)) return {};
    out.push_back(value);
    if (next == end) return out;
    if (*next != ',') return {};
    at = next + 1;
  }
}

}  // namespace

ThresholdRule parse_threshold(std::string_view given) {
  using Kind = ThresholdRule::Kind;
  if (given == "error") return {Kind::error};
  if (given == "ber") return {Kind::ber};
  constexpr std::string_view cost = "cost:";
  if (given.starts_with(cost)) {
    const std::vector<double> prices = numbers_in(given.substr(cost.size()));
    if (prices.size() == 2 && prices[0] > 0.0 && prices[1] > 0.0)
      return {.kind = Kind::cost, .false_positive = prices[0], .false_negative = prices[1]};
  }
  if (const std::vector<double> p = numbers_in(given); p.size() == 1 && p[0] > 0.0 && p[0] < 1.0)
    return {.kind = Kind::probability, .probability = p[0]};
  fail_usage(
      fmt::format("threshold: \"{}\" is not understood; it is error, ber, cost:FP,FN with two costs > 0, that of "
                  "a false positive and that of a false negative, or a probability between 0 and 1",
                  given));
}

std::string threshold_text(const ThresholdRule& rule) {
  switch (rule.kind) {
    case ThresholdRule::Kind::error:
      return "error";
    case ThresholdRule::Kind::ber:
      return "ber";
    case ThresholdRule::Kind::probability:
      return fmt::format("{}", rule.probability);
    case ThresholdRule::Kind::cost:
      break;
  }
  return fmt::format("cost:{},{}", rule.false_positive, rule.false_negative);
}

ThresholdRule rule_of(const Costs& costs) {
  const Matrix& price = costs.price;
  return {.kind = ThresholdRule::Kind::cost,
          .false_positive = price(0, 1) - price(0, 0),
          .false_negative = price(1, 0) - price(1, 1)};
}

namespace {

/// The held-out outputs of one class in order, and what they cost on one side of a cut.
class OfClass {
 public:
  OfClass(const Vector& z, const std::vector<int>& label, const Vector& weights, int which) {
    for (Index i = 0; i < z.size(); ++i)
      if (label[std::size_t(i)] == which && weights[i] > 0.0) rows_.push_back({z[i], weights[i]});
    std::sort(rows_.begin(), rows_.end());
    sums_ = squares_ = {0.0};
    for (const auto& [output, weight] : rows_) {
      sums_.push_back(sums_.back() + weight);
      squares_.push_back(squares_.back() + weight * weight);
    }
    width_ = bandwidth();
  }

  double total() const { return sums_.back(); }
  /// The weight of the outputs below the cut, and the squares of their weights.
  double below(double cut) const { return sums_[first_from(cut)]; }
  double squares_below(double cut) const { return squares_[first_from(cut)]; }
  /// The weight below the cut with Epanechnikov's kernel in place of each output.
  double smoothed_below(double cut) const {
    if (width_ == 0.0) return below(cut);
    const std::size_t from = first_from(cut - width_), to = first_from(cut + width_);
    double out = sums_[from];
    for (std::size_t k = from; k < to; ++k) {
      const double u = (cut - rows_[k].first) / width_;
      out += rows_[k].second * (0.5 + 0.25 * u * (3.0 - u * u));
    }
    return out;
  }

 private:
  std::size_t first_from(double cut) const {
    const auto lower = [](const std::pair<double, double>& row, double value) { return row.first < value; };
    return std::size_t(std::lower_bound(rows_.begin(), rows_.end(), cut, lower) - rows_.begin());
  }

  double quantile(double share) const {
    const auto at = std::upper_bound(sums_.begin() + 1, sums_.end() - 1, (share + weight_rounding) * total());
    return rows_[std::size_t(at - sums_.begin()) - 1].first;
  }

  // The rule of thumb for densities, 0.9 min(sd, IQR / 1.34) n^(-1/5) for a Gaussian kernel and 2.2 times that for
  // Epanechnikov's; less where outputs are equal, since between rows that cannot be told apart there is nothing to
  // smooth.
  double bandwidth() const {
    if (rows_.size() < 2) return 0.0;
    double mean = 0.0, variance = 0.0;
    for (const auto& [output, weight] : rows_) mean += weight * output / total();
    for (const auto& [output, weight] : rows_) variance += weight * (output - mean) * (output - mean) / total();
    const double deviation = std::sqrt(variance), quartiles = (quantile(0.75) - quantile(0.25)) / 1.34;
    const double spread = quartiles > 0.0 ? std::min(deviation, quartiles) : deviation;
    const double rows = total() * total() / squares_.back();
    return 2.2 * 0.9 * spread * std::pow(rows, -0.2) * different(rows);
  }

  // The share of outputs that differ from the one before, (m - 1)/(n - 1) for m different ones of n rows. By weight: a
  // row among rows of the same output is one of the different ones by the share that one row has there, and m/n is its
  // mean.
  double different(double rows) const {
    if (!(rows > 1.0)) return 0.0;
    double share = 0.0;
    for (std::size_t first = 0, last = 0; first < rows_.size(); first = last) {
      while (last < rows_.size() && rows_[last].first == rows_[first].first) ++last;
      share += (squares_[last] - squares_[first]) / (sums_[last] - sums_[first]) / total();
    }
    return std::clamp((rows * share - 1.0) / (rows - 1.0), 0.0, 1.0);
  }

  std::vector<std::pair<double, double>> rows_;  // output, weight
  std::vector<double> sums_, squares_;           // of the weights of the rows before
  double width_ = 0.0;
};

// Rows with equal inputs have equal outputs but for rounding, which must not part them.
Vector without_rounding(const Vector& z) {
  std::vector<Index> order(static_cast<std::size_t>(z.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::sort(order, {}, [&](Index i) { return z[i]; });
  const double rounding = 1e-10 * (z[order.back()] - z[order.front()]);
  Vector out = z;
  for (std::size_t k = 1; k < order.size(); ++k)
    if (z[order[k]] - out[order[k - 1]] <= rounding) out[order[k]] = out[order[k - 1]];
  return out;
}

/// What a cut costs: the rows on its wrong side, each at the price of its class.
class Cost {
 public:
  Cost(const ThresholdRule& rule, const Vector& z, const std::vector<int>& label, const Vector& weights)
      : negative_(z, label, weights, 0), positive_(z, label, weights, 1) {
    const bool ber = rule.kind == ThresholdRule::Kind::ber;
    false_positive_ = ber ? 1.0 / std::max(negative_.total(), 1e-300) : rule.false_positive;
    false_negative_ = ber ? 1.0 / std::max(positive_.total(), 1e-300) : rule.false_negative;
  }
  double of_all() const { return false_positive_ * negative_.total() + false_negative_ * positive_.total(); }
  double at(double cut) const {
    return false_positive_ * (negative_.total() - negative_.below(cut)) + false_negative_ * positive_.below(cut);
  }
  double smoothed_at(double cut) const {
    return false_positive_ * (negative_.total() - negative_.smoothed_below(cut)) +
           false_negative_ * positive_.smoothed_below(cut);
  }
  /// Of the difference between two cuts, which the rows between them make, each by chance on one side.
  double standard_error(double one, double other) const {
    return std::sqrt(
        false_positive_ * false_positive_ * std::abs(negative_.squares_below(one) - negative_.squares_below(other)) +
        false_negative_ * false_negative_ * std::abs(positive_.squares_below(one) - positive_.squares_below(other)));
  }

 private:
  OfClass negative_, positive_;
  double false_positive_, false_negative_;
};

}  // namespace

double choose_threshold(const ThresholdRule& rule, const Vector& output, const std::vector<int>& label,
                        const Vector& weights, double natural) {
  std::vector<Index> rows;  // those of weight 0 make no gaps either
  for (Index i = 0; i < output.size(); ++i)
    if (weights[i] > 0.0) rows.push_back(i);
  const Vector z = without_rounding(output(rows));
  std::vector<int> label_of;
  for (const Index i : rows) label_of.push_back(label[std::size_t(i)]);
  const Cost cost(rule, z, label_of, weights(rows));
  const double slack = 1e-12 * cost.of_all();
  std::vector<double> cuts(z.begin(), z.end());  // one in each gap between outputs
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  cuts.push_back(cuts.back() + 1.0);
  for (std::size_t k = cuts.size() - 2; k > 0; --k) cuts[k] = 0.5 * (cuts[k - 1] + cuts[k]);
  cuts.front() -= 1.0;

  const auto least = [&](std::size_t from, std::size_t to, std::size_t step, const auto& value) {
    std::size_t best = cuts.size();
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t k = from; k < to; k += step) {
      const double here = value(cuts[k]);
      const bool nearer = best < cuts.size() && std::abs(cuts[k] - natural) < std::abs(cuts[best] - natural);
      if (!(here < lowest - slack || (here <= lowest + slack && nearer))) continue;
      lowest = std::min(lowest, here);
      best = k;
    }
    return best;
  };
  const std::size_t fewest = least(0, cuts.size(), 1, [&](double cut) { return cost.at(cut); });
  const auto smoothed = [&](double cut) {
    const bool as_good = cost.at(cut) - cost.at(cuts[fewest]) <= cost.standard_error(cut, cuts[fewest]) + slack;
    return as_good ? cost.smoothed_at(cut) : std::numeric_limits<double>::infinity();
  };
  // A smooth curve need not be followed from gap to gap: some hundred of them, then the gaps about the best, and so on.
  constexpr std::size_t at_once = 512;
  std::size_t from = 0, to = cuts.size(), best = fewest;
  while (true) {
    const std::size_t step = (to - from + at_once - 1) / at_once;
    const std::size_t found = least(from, to, step, smoothed);
    if (found < cuts.size() && smoothed(cuts[found]) < smoothed(cuts[best]) - slack) best = found;
    if (step == 1) break;
    from = best > step ? best - step : 0;
    to = std::min(best + step + 1, cuts.size());
  }
  return cost.at(cuts[best]) < cost.at(natural) - slack ? cuts[best] : natural;
}

}  // namespace lacuna
