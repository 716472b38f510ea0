#include "lacuna/model/threshold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "lacuna/base/error.hpp"

namespace lacuna {

ThresholdRule parse_threshold(std::string_view given) {
  using Kind = ThresholdRule::Kind;
  if (given == "error") return {Kind::error};
  if (given == "ber") return {Kind::ber};
  constexpr std::string_view cost = "cost:";
  if (given.starts_with(cost)) {
    ThresholdRule rule{Kind::cost};
    const char* at = given.data() + cost.size();
    const char* const end = given.data() + given.size();
    const auto first = std::from_chars(at, end, rule.false_positive);
    if (first.ec == std::errc() && first.ptr != end && *first.ptr == ',') {
      const auto second = std::from_chars(first.ptr + 1, end, rule.false_negative);
      const auto good = [](double c) { return c > 0.0 && std::isfinite(c); };
      if (second.ec == std::errc() && second.ptr == end && good(rule.false_positive) && good(rule.false_negative))
        return rule;
    }
  }
  fail_usage(
      fmt::format("threshold: \"{}\" is not understood; it is error, ber or cost:FP,FN with two costs > 0, that of "
                  "a false positive and that of a false negative",
                  given));
}

std::string text(const ThresholdRule& rule) {
  switch (rule.kind) {
    case ThresholdRule::Kind::error:
      return "error";
    case ThresholdRule::Kind::ber:
      return "ber";
    case ThresholdRule::Kind::cost:
      break;
  }
  return fmt::format("cost:{},{}", rule.false_positive, rule.false_negative);
}

double choose_threshold(const ThresholdRule& rule, const Vector& z, const std::vector<int>& label,
                        const Vector& weights, double natural) {
  double of_class[2] = {0.0, 0.0};
  for (Index i = 0; i < z.size(); ++i) of_class[label[std::size_t(i)]] += weights[i];
  double price[2] = {rule.false_positive, rule.false_negative};  // of a wrong row of class 0, of class 1
  if (rule.kind == ThresholdRule::Kind::ber)
    for (const int k : {0, 1}) price[k] = 1.0 / std::max(of_class[k], 1e-300);

  std::vector<Index> order(static_cast<std::size_t>(z.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return z[a] < z[b]; });
  // From below every row is positive; each row that the cut passes becomes negative.
  double cost = price[0] * of_class[0];
  const double slack = 1e-12 * (price[0] * of_class[0] + price[1] * of_class[1]);
  double best = cost, cut = std::min(natural, z[order.front()] - 1.0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Index i = order[k];
    cost += weights[i] * (label[std::size_t(i)] == 1 ? price[1] : -price[0]);
    const bool last = k + 1 == order.size();
    if (!last && z[order[k + 1]] == z[i]) continue;
    // Anywhere in (z_i, next] cuts the same: as near to the natural cut as half the gap allows.
    const double next = last ? std::max(natural, z[i] + 1.0) : z[order[k + 1]];
    const double here = natural > z[i] && natural <= next ? natural : 0.5 * (z[i] + next);
    const bool nearer = std::abs(here - natural) < std::abs(cut - natural);
    if (cost < best - slack || (cost <= best + slack && nearer)) {
      best = std::min(best, cost);
      cut = here;
    }
  }
  return cut;
}

}  // namespace lacuna
