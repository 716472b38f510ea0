// report/page/trust_values.cpp (of subject.hpp) -- values: held-out predictions against what was observed, residuals,
// intervals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/curves/coverage.hpp"
#include "lacuna/curves/wilson.hpp"
#include "lacuna/report/page/subject.hpp"

namespace lacuna::page {
namespace {

struct Drawn {
  std::vector<double> said, was, residual;
  Json size;  // null: all alike

  Json with_size(Json rows) const {
    if (!size.is_null()) rows["size"] = size;
    return rows;
  }
};

Drawn drawn_targets(const Subject& about, Index target) {
  Drawn out;
  std::vector<Index> drawn;
  for (const Index k : thinned(about.counted.size(), most_points)) {
    const Index i = about.counted.place[std::size_t(k)];
    const double said = about.said.value(i, target), was = about.model.held_out.target(i, target);
    if (!std::isfinite(said) || !std::isfinite(was)) continue;
    out.said.push_back(said);
    out.was.push_back(was);
    out.residual.push_back(was - said);
    drawn.push_back(k);
  }
  out.size = dot_sizes(about.counted.weight, drawn);
  return out;
}

std::string thinned_words(const Subject& about) {
  std::string out;
  if (about.counted.size() > most_points)
    out += fmt::format(" Drawn are {} of {} rows, evenly.", most_points, about.counted.size());
  if (!about.counted.alike()) out += " Areas of dots are weights.";
  return out;
}

std::string name_of(const Model& model, Index c) {
  return model.target_names.size() > std::size_t(c) ? brief(model.target_names[std::size_t(c)]) : "the target";
}

// Of how many held-out values the interval of each level holds, whose widths come from other rows' residuals.
Json coverage_chart(const std::vector<CoverageLevel>& coverage, const std::string& name) {
  Json levels = columns_of({"level", "inside", "lower", "upper", "width"});
  for (const CoverageLevel& c : coverage) {
    levels["level"].push_back(c.level);
    levels["inside"].push_back(number(c.inside));
    levels["lower"].push_back(number(c.lower));
    levels["upper"].push_back(number(c.upper));
    levels["width"].push_back(number(c.width));
  }
  return chart(
      "coverage", name + "Intervals: how many held-out values they hold",
      "On the dashed line an interval holds as many values as its level says; grey is chance at this number of "
      "rows. Above it intervals are wider than these rows need: where hyper-parameters were chosen again in "
      "folds, they pay for that choice.",
      {{"levels", std::move(levels)}}, "levels",
      {{"level", "level", true, ".0%"}, {"inside", "inside", true, ".1%"}, {"width", "half width", true, ".4~g"}});
}

// Where widths vary: whether intervals hold as many where the noise is small as where it is large.
std::vector<Json> coverage_by_size(const Model& model, Index target, const std::string& of) {
  const auto& thirds = model.intervals.thirds;
  if (std::size_t(3 * target + 2) >= thirds.size()) return {};
  const char* names[] = {"least noise", "middle", "most noise"};
  Json levels = columns_of({"level", "inside", "of"}), chance = columns_of({"level", "lower", "upper"});
  double fewest = thirds[std::size_t(3 * target)].rows;
  for (Index k = 0; k < 3; ++k) {
    const Intervals::SizeThird& third = thirds[std::size_t(3 * target + k)];
    fewest = std::min(fewest, third.rows);
    const std::string name = fmt::format("{}: ±{}", names[k], digits(third.width));
    for (std::size_t j = 0; j < third.inside.size(); ++j) {
      levels["level"].push_back(number(double(j + 1) / 20.0));
      levels["inside"].push_back(number(third.inside[j]));
      levels["of"].push_back(name);
    }
  }
  for (int j = 1; j < 20; ++j) {
    const double level = double(j) / 20.0;
    const auto [lower, upper] = wilson(level * fewest, fewest);
    chance["level"].push_back(number(level));
    chance["lower"].push_back(number(lower));
    chance["upper"].push_back(number(upper));
  }
  return {chart("coverage-thirds", of + "Intervals: how many held-out values they hold, by their width",
                "Intervals are wide where the noise is. Over all rows they hold what their level says by their making; "
                "here each row held out is counted against the interval that the residuals of the others give it, in "
                "thirds by the size of the noise. On the dashed line a third holds as many as the level says; grey is "
                "chance at its number of rows.",
                {{"levels", std::move(levels)}, {"chance", std::move(chance)}}, "levels",
                {{"of", fmt::format("third: mean half width at {}", percent(model.intervals.level)), false},
                 {"level", "level", true, ".0%"},
                 {"inside", "inside", true, ".1%"}})};
}

}  // namespace

std::vector<Json> trust_values(const Subject& about) {
  const Model& model = about.model;
  if (!about.judged)
    return {missing("Predictions against observations are", "the model keeps no held-out outputs",
                    "lacuna fit DATA --report FILE writes the page of a model that does.")};
  std::vector<Json> out;
  constexpr Index most_targets = 6;
  const Index targets = std::min<Index>(about.said.value.cols(), most_targets);
  if (targets < about.said.value.cols())
    out.push_back(note(fmt::format("The first {} of {} targets are drawn.", targets, about.said.value.cols())));
  for (Index c = 0; c < targets; ++c) {
    const Drawn rows = drawn_targets(about, c);
    if (rows.said.empty()) continue;
    const auto [low_said, high_said] = std::ranges::minmax(rows.said);
    const auto [low_was, high_was] = std::ranges::minmax(rows.was);
    const double low = std::max(low_said, low_was), high = std::min(high_said, high_was);
    const std::string name = name_of(model, c);
    const bool even = model.intervals.half_width.size() > c && !model.intervals.noise && !model.intervals.jackknife;
    Json ends = columns_of({"x", "lower", "upper"});
    std::string band;
    if (even) {
      const double w = model.intervals.half_width[c];
      ends = {{"x", {number(low_said), number(high_said)}},
              {"lower", {number(-w), number(-w)}},
              {"upper", {number(w), number(w)}}};
      band = fmt::format(" The band is the interval for {} of new values, ±{}.", percent(model.intervals.level),
                         digits(w));
    }
    const std::vector<Column> columns{{"said", "predicted", true, ".5~g"}, {"was", "observed", true, ".5~g"}};
    std::vector<Json> charts;
    charts.push_back(chart("observed", fmt::format("{}: observed against predicted", name),
                           "Each row is predicted by a machine that has not seen it. On the dashed line both agree." +
                               thinned_words(about),
                           {{"rows", rows.with_size({{"said", numbers(rows.said)}, {"was", numbers(rows.was)}})},
                            {"diagonal", {{"x", {number(low), number(high)}}, {"y", {number(low), number(high)}}}}},
                           "rows", columns));
    charts.push_back(
        chart("residuals", fmt::format("{}: held-out residuals", name),
              "A trend or a funnel says that something is left to explain." + band + thinned_words(about),
              {{"rows", rows.with_size({{"said", numbers(rows.said)}, {"residual", numbers(rows.residual)}})},
               {"ends", std::move(ends)},
               {"zero", {{"y", {0}}}}},
              "rows", {{"said", "predicted", true, ".5~g"}, {"residual", "residual", true, ".4~g"}}));
    if (const auto coverage = held_out_coverage(model, c); !coverage.empty())
      charts.push_back(coverage_chart(coverage, targets > 1 ? name + ": " : ""));
    for (Json& by_size : coverage_by_size(model, c, targets > 1 ? name + ": " : ""))
      charts.push_back(std::move(by_size));
    out.push_back(grid(std::move(charts)));
  }
  const Intervals& i = model.intervals;
  if (i.half_width.size() == 0)
    out.push_back(
        note("There are no intervals: they take ten held-out rows or more, and a machine that predicts values."));
  else if (i.noise)
    out.push_back(
        words(std::string("The noise varies with the row, and so do the intervals: lacuna predict gives each row its "
                          "own.") +
              (i.thirds.empty() ? " How many held-out values they hold is not known: the model is of an older program."
                                : "")));
  return out;
}

}  // namespace lacuna::page
