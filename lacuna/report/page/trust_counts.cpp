// report/page/trust_counts.cpp (of subject.hpp) -- counts: how often each number occurs and should, quantile residuals,
// and whether counts scatter more than the model says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/curves/quantile_residuals.hpp"
#include "lacuna/report/counts.hpp"
#include "lacuna/report/page/subject.hpp"

namespace lacuna::page {
namespace {

// Bars hang from what is expected: where they end above or below 0, the model expects too many or too few.
// Sums of weights have a unit that nobody states: drawn are rows whose mean weight is 1.
Json rootogram(const Model& model) {
  const FitReport::Counts& c = *model.report.counts;
  double unit = 1.0;
  if (model.report.weighted)
    unit = std::accumulate(c.observed.begin(), c.observed.end(), 0.0) /
           double(model.report.rows * std::max<Index>(1, Index(model.target_names.size())));
  Json counts = columns_of({"count", "observed", "expected", "top", "bottom"});
  for (std::size_t k = 0; k < c.observed.size(); ++k) {
    const double observed = c.observed[k] / unit, expected = c.expected[k] / unit, top = std::sqrt(expected);
    counts["count"].push_back(k + 1 == c.observed.size() ? fmt::format("{}+", k) : std::to_string(k));
    counts["observed"].push_back(number(observed));
    counts["expected"].push_back(number(expected));
    counts["top"].push_back(number(top));
    counts["bottom"].push_back(number(top - std::sqrt(observed)));
  }
  return chart("rootogram", "How often each count occurs",
               "The line is what the model expects of held-out rows; bars hang from it and are as long as what was "
               "observed. A bar that does not reach 0 is a count that occurs less often than expected." +
                   std::string(model.report.weighted ? " Rows count by their weights, whose mean is taken as 1." : ""),
               {{"counts", std::move(counts)}}, "counts",
               {{"count", "count", false},
                {"observed", "rows observed", true, ",.6~g"},
                {"expected", "expected", true, ",.4~g"}});
}

}  // namespace

std::vector<Json> trust_counts(const Subject& about) {
  const Model& model = about.model;
  const FitReport& report = model.report;
  std::vector<Json> out;
  if (report.counts) {
    const FitReport::Counts& c = *report.counts;
    std::vector<FigureItem> items;
    items.push_back({.name = "dispersion",
                     .label = "Dispersion",
                     .value = digits(c.dispersion),
                     .note = "of held-out rows: their variance over the model's, 1 where the model is right",
                     .number = c.dispersion});
    if (std::isfinite(c.fitted_dispersion))
      items.push_back({.name = "fitted_dispersion",
                       .label = "Dispersion of fitted rows",
                       .value = digits(c.fitted_dispersion),
                       .note = fmt::format("the fit has {} degrees of freedom", digits(c.degrees)),
                       .number = c.fitted_dispersion});
    if (std::isfinite(c.excess))
      items.push_back({.name = "excess",
                       .label = "Score test",
                       .value = fmt::format("z = {:.2f}", c.excess),
                       .note = "of Poisson against more variance; above 2.3 Poisson is contradicted",
                       .number = c.excess});
    if (std::isfinite(c.zeros))
      items.push_back({.name = "zeros",
                       .label = "Zeros",
                       .value = percent(c.zeros),
                       .note = fmt::format("of the rows; the model expects {}", percent(c.zeros_expected)),
                       .number = c.zeros});
    out.push_back(figures(items));
  }
  std::vector<Json> charts;
  if (report.counts && !report.counts->observed.empty()) charts.push_back(rootogram(model));
  if (about.judged) {
    const QuantileResiduals q = quantile_residuals(model);
    if (!q.residual.empty()) {
      std::vector<double> normal, residual, lower, upper;
      for (const Index k : thinned(Index(q.residual.size()), 800)) {
        normal.push_back(q.normal[std::size_t(k)]);
        residual.push_back(q.residual[std::size_t(k)]);
        lower.push_back(q.lower[std::size_t(k)]);
        upper.push_back(q.upper[std::size_t(k)]);
      }
      charts.push_back(chart("quantiles", "Quantile residuals",
                             "Held-out counts turned into numbers that are standard normal where the model is right: "
                             "then they lie on the dashed line, within the band in 95 of 100 cases at each point.",
                             {{"points",
                               {{"normal", numbers(normal)},
                                {"residual", numbers(residual)},
                                {"lower", numbers(lower)},
                                {"upper", numbers(upper)}}}},
                             "points", {{"normal", "expected", true, ".3f"}, {"residual", "residual", true, ".3f"}}));
    }
    std::vector<double> said, was;
    std::vector<Index> drawn;
    for (const Index k : thinned(about.counted.size(), most_points)) {
      const Index i = about.counted.place[std::size_t(k)];
      if (!std::isfinite(about.said.value(i, 0))) continue;
      drawn.push_back(k);
      said.push_back(about.said.value(i, 0));
      was.push_back(model.held_out.target(i, 0));
    }
    if (!said.empty()) {
      const double high = *std::ranges::max_element(said), low = *std::ranges::min_element(said);
      Json rows{{"said", numbers(said)}, {"was", numbers(was)}};
      if (Json size = dot_sizes(about.counted.weight, drawn); !size.is_null()) rows["size"] = std::move(size);
      charts.push_back(chart("observed", "Observed against expected", "On the dashed line both agree.",
                             {{"rows", std::move(rows)},
                              {"diagonal", {{"x", {number(low), number(high)}}, {"y", {number(low), number(high)}}}}},
                             "rows", {{"said", "expected", true, ".5~g"}, {"was", "observed", true, ".5~g"}}));
    }
  }
  if (!charts.empty()) out.push_back(grid(std::move(charts)));
  return out;
}

}  // namespace lacuna::page
