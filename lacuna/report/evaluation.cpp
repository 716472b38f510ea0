#include "lacuna/report/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/names.hpp"
#include "lacuna/base/shown.hpp"
#include "lacuna/report/confusion.hpp"
#include "lacuna/report/test_rows.hpp"

namespace lacuna {
namespace {

bool is_share(std::string_view score) { return score == "error" || score == "ber"; }

std::string figure(std::string_view score, double value) {
  if (std::isnan(value)) return "-";
  if (std::abs(value) < 1e-14) value = 0.0;  // what rounding leaves of a difference
  return is_share(score) ? fmt::format("{:.3g} %", 100.0 * value) : fmt::format("{:.4g}", value);
}
std::string error_figure(std::string_view score, double value) {
  if (std::isnan(value)) return "-";
  return is_share(score) ? fmt::format("{:.2g} %", 100.0 * value) : fmt::format("{:.2g}", value);
}

std::string signed_figure(double value) { return std::isnan(value) ? "-" : fmt::format("{:+.2f}", value); }

std::string plan_words(const NestedValidation& e) {
  const SplitPlan& plan = e.plan;
  switch (plan.kind) {
    case SplitPlan::Kind::random:
      return fmt::format("{} random split{}, {:.3g} % of the rows for testing, seed {}", e.splits,
                         e.splits == 1 ? "" : "s", 100.0 * plan.test_share, plan.seed);
    case SplitPlan::Kind::folds:
      return plan.repeats == 1 ? fmt::format("{} folds, seed {}", plan.folds, plan.seed)
                               : fmt::format("{} folds, {} times, seed {}", plan.folds, plan.repeats, plan.seed);
    case SplitPlan::Kind::groups:
      return fmt::format("{} groups, each held out once", e.splits);
    case SplitPlan::Kind::files:
      break;
  }
  return fmt::format("{} split{} of {}", e.splits, e.splits == 1 ? "" : "s", shown(plan.stem));
}

std::string chosen_text(const NestedValidation::Results& of) {
  std::string out;
  constexpr std::size_t most = 6;
  auto all = chosen_parameters(of.splits);
  std::size_t width = 11;
  for (std::size_t p = 0; p < all.size() && p < most; ++p) width = std::max(width, shown(all[p].first).size());
  for (std::size_t p = 0; p < all.size() && p < most; ++p) {
    auto& [name, values] = all[p];
    std::erase_if(values, [](double v) { return std::isnan(v); });
    if (values.empty()) continue;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    out += fmt::format("  {:<{}} {:<10.4g} ({:.3g} ... {:.3g})\n", shown(name), width, median_of(values), *low, *high);
  }
  if (all.size() > most) out += fmt::format("  ... and {} more (--json has them)\n", all.size() - most);
  return out.empty() ? out : "  median (least ... largest) of what was chosen:\n" + out;
}

std::string calibration_text(const std::vector<CalibrationBin>& bins, const NestedValidation& e) {
  if (bins.empty()) return "";
  const std::string of_what = e.classes.size() == 2
                                  ? fmt::format("of {}, and how often it was that", shown(e.classes[1]))
                                  : "of the predicted class, and how often it was right";
  std::string out = fmt::format("  stated probability {} ({}):\n", of_what, rows_of_splits(e));
  double all = 0.0;
  for (const CalibrationBin& b : bins) all += b.weight;
  for (std::size_t b = 0; b < bins.size(); ++b)
    if (bins[b].weight > 0.0)
      out += fmt::format("    {:.1f} ... {:.1f}  {}  stated {:.3f}  was {:.3f}\n", 0.1 * double(b), 0.1 * double(b + 1),
                         e.weighted ? fmt::format("{:>6.3g} %", 100.0 * bins[b].weight / all)
                                    : fmt::format("{:>8.6g} rows", bins[b].weight),
                         bins[b].claimed / bins[b].weight, bins[b].hits / bins[b].weight);
  return out;
}

// The criterion at its own optimum, and the same measure of rows that had no part in choosing where there is one.
std::string criterion_text(const NestedValidation::Results& of) {
  std::vector<double> values;
  bool optimistic = false;
  for (const SplitResult& r : of.splits) {
    if (!r.failure.empty()) continue;
    values.push_back(r.criterion_value);
    optimistic = optimistic || r.optimistic;
  }
  const auto first = std::find_if(of.splits.begin(), of.splits.end(), [](auto& r) { return r.failure.empty(); });
  if (first->criterion.empty()) return "";  // a constant answer
  return fmt::format("  criterion   {} = {:.4g} inside the fits{}\n", shown(first->criterion), mean_of(values).mean,
                     optimistic ? " (optimistic: the parameters were chosen to make it small)" : "");
}

std::string results_text(const NestedValidation& e, const NestedValidation::Results& of) {
  const std::vector<std::string> scores = score_names(of);
  if (scores.empty()) return fmt::format("{}\n  could not be fitted in any split\n", shown(of.name));
  bool optimistic = false;
  for (const SplitResult& r : of.splits) optimistic = optimistic || r.optimistic;
  std::string out =
      fmt::format("{}\n  {:<11} {:<10} {:<10} {:<10} {}\n", shown(of.name), "", "test", "s.e.", "baseline",
                  optimistic ? "held out inside the fit (optimistic)" : "held out inside the fit");
  const PooledScores test(of.splits);
  const Tally all = pooled_tally(of.splits);
  const NamedScores baseline = baseline_of(all);
  for (const std::string& score : scores) {
    const Estimate m = test.estimate(score, e.tested_to_trained);
    out += fmt::format("  {:<11} {:<10} {:<10} {:<10} {}\n", score, figure(score, m.value), error_figure(score, m.se),
                       figure(score, value_of(baseline, score)),
                       figure(score, mean_of(held_out_values(of.splits, score)).mean));
  }
  if (const int cheapest = cheapest_class(all); cheapest >= 0)
    out +=
        fmt::format("  cost is a row's; the cheapest constant answer is {}\n", shown(e.classes[std::size_t(cheapest)]));
  out += coverage_text(e, of) + criterion_text(of) + chosen_text(of) + level_text(e, of) +
         confusion_text(all.confusion, e.classes, "rows of all splits", e.weighted);
  if (e.contenders.size() == 1) out += calibration_text(all.calibration, e);  // many would hide the comparison
  return out;
}

std::string comparison_text(const NestedValidation& e) {
  std::string out;
  bool left_out = false;
  for (std::size_t a = 0; a < e.contenders.size(); ++a)
    for (std::size_t b = a + 1; b < e.contenders.size(); ++b) {
      for (const std::string& score : score_names(e.contenders[a]))
        left_out = left_out || !comparable(e.contenders[a], e.contenders[b], score);
      out += fmt::format("{} less {}\n", shown(e.contenders[a].name), shown(e.contenders[b].name));
      for (const auto& [score, d] : paired_differences(e.contenders[a], e.contenders[b], e.tested_to_trained))
        out += fmt::format("  {:<11} {:<10} {:<10} {:<11} {}\n", shown(score), figure(score, d.difference.mean),
                           error_figure(score, d.se), signed_figure(d.t),
                           std::isnan(d.p) ? "-" : fmt::format("{:.2g}", d.p));
    }
  if (out.empty()) return out;
  if (left_out) out += "deviances of different likelihoods do not compare; nll compares models of counts\n";
  return fmt::format("differences, on the same splits\n  {:<11} {:<10} {:<10} {:<11} {}\n", "", "mean", "s.e.",
                     "corrected t", "p") +
         out;
}

}  // namespace

std::string evaluation_text(const NestedValidation& e) {
  std::string out = fmt::format("nested validation: {}, {} row{}; {}{}; everything chosen anew in each\n",
                                name_of(e.task), e.rows, e.rows == 1 ? "" : "s", plan_words(e),
                                e.group.empty() ? "" : fmt::format(", each {} on one side", e.group));
  for (const auto& of : e.contenders) out += results_text(e, of);
  out += comparison_text(e);
  if (e.splits > 1)
    out +=
        "test: all test rows together; baseline: the best answer that is the same for all rows; s.e. is corrected for "
        "the rows that splits share (Nadeau and Bengio 2003), "
        "2 s.e. either way hold the truth in about 9 of 10 cases, in fewer with five splits or hardly any mistakes\n";
  return shown_lines(out);
}

}  // namespace lacuna
