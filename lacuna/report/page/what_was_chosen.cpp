// report/page/what_was_chosen.cpp (of subject.hpp) -- hyper-parameters, the criterion around them, its path and optima,
// weights of columns, candidates and members of a choice.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/curves/contours.hpp"
#include "lacuna/curves/resolved.hpp"
#include "lacuna/curves/surface.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/report/column_weights.hpp"
#include "lacuna/report/page/dots.hpp"
#include "lacuna/report/page/subject.hpp"

namespace lacuna::page {
namespace {

struct Points {
  std::vector<double> x{}, y{};
  std::vector<int> line{};
};

// Which parameter of the search is the surface's second axis; 0: none.
std::size_t second_parameter(const FitReport::Search& search, const CriterionSurface& s) {
  for (std::size_t p = 1; p < search.parameters.size(); ++p)
    if (search.parameters[p] == s.y_name || search.parameters[p].find("theta") != std::string::npos) return p;
  return 0;
}

Points inside(const std::vector<FitReport::Search::Optimum>& all, std::size_t second, const CriterionSurface& s) {
  Points out;
  int line = 0;
  for (const auto& o : all) {
    if (o.values.size() <= second) continue;
    const double x = o.values[0], y = o.values[second] / s.y_scale;
    const bool in = x >= s.x[0] && x <= s.x[s.x.size() - 1] && y >= s.y[0] && y <= s.y[s.y.size() - 1];
    if (!in) {
      ++line;  // the path leaves the drawing: no line across it
      continue;
    }
    out.x.push_back(x);
    out.y.push_back(y);
    out.line.push_back(line);
  }
  return out;
}

Json points_json(const Points& p) {
  Json at = Json::array();
  for (std::size_t k = 0; k < p.x.size(); ++k) at.push_back(k);
  return {{"x", numbers(p.x)}, {"y", numbers(p.y)}, {"line", p.line}, {"at", std::move(at)}};
}

// Where the grid cannot tell one part of the plane from another, a level has no lines.
struct Contours {
  Json lines = columns_of({"x", "y", "line", "at", "level", "criterion"});
  double unresolved = 0.0;  ///< above the least, of the lowest levels; 0: all are drawn
};

Contours contour_lines(const CriterionSurface& s, double least, const Points& known) {
  // In logarithms, where the grid is even; levels above the least grow by a factor.
  constexpr int times = 5;
  const FineGrid fine = refined(s.x.array().log().matrix(), s.y.array().log().matrix(), s.value, times);
  std::vector<std::pair<double, double>> low;
  for (std::size_t k = 0; k < known.x.size(); ++k) low.emplace_back(std::log(known.x[k]), std::log(known.y[k]));
  double most = least;
  for (const double v : s.value.reshaped())
    if (std::isfinite(v)) most = std::max(most, v);
  Contours out;
  int line = 0;
  const double range = most - least;
  for (const double share : {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75}) {
    if (!is_resolved(fine, times, least + share * range, low)) {
      if (line == 0) out.unresolved = share * range;
      continue;
    }
    for (const ContourLine& c : contours(fine.x, fine.y, fine.z, least + share * range)) {
      const Index n = Index(c.x.size());
      for (const Index k : thinned(n, 80)) {
        out.lines["x"].push_back(number(std::exp(c.x[std::size_t(k)])));
        out.lines["y"].push_back(number(std::exp(c.y[std::size_t(k)])));
        out.lines["line"].push_back(line);
        out.lines["at"].push_back(k);
        out.lines["level"].push_back(number(share * range));
        out.lines["criterion"].push_back(number(least + share * range));
      }
      ++line;
    }
  }
  return out;
}

// Marks of the legend of levels: the lowest, the highest, and of those between them as many as stand apart. Its scale
// is logarithmic.
Json level_ticks(const Json& levels) {
  std::vector<double> all = levels.get<std::vector<double>>();
  std::ranges::sort(all);
  Json out = Json::array();
  if (all.empty()) return out;
  std::size_t letters = 0;
  for (const double level : all) letters = std::max(letters, digits(level, 2).size());
  const double apart = 0.06 + 0.045 * double(letters);  // of its length: those at the ends are inside it
  const double low = std::log(all.front()), length = std::max(std::log(all.back()) - low, 1e-9);
  double last = -1.0;
  for (const double level : all) {
    const double at = (std::log(level) - low) / length;
    if (at - last < apart || (at < 1.0 && 1.0 - at < apart)) continue;
    out.push_back(level);
    last = at;
  }
  return out;
}

// The least point of the grid.
struct Least {
  Index i = -1, j = -1;
  double value = std::numeric_limits<double>::infinity();
};
Least least_of(const CriterionSurface& s) {
  Least out;
  for (Index i = 0; i < s.value.rows(); ++i)
    for (Index j = 0; j < s.value.cols(); ++j)
      if (s.value(i, j) < out.value) out = {i, j, s.value(i, j)};
  return out;
}

// What of the grid's numbers speaks against the fit's: its own value is another one, or there is a better point.
constexpr double tolerance = 1e-3;  // of the criterion
std::vector<Json> remarks_on(const CriterionSurface& s, const FitReport& report, double at_choice) {
  std::vector<Json> out;
  const double slack = tolerance * std::abs(report.criterion_value) + 1e-9;
  if (std::isfinite(at_choice) && std::abs(at_choice - report.criterion_value) > slack)
    out.push_back(warning(fmt::format(
        "These points were computed anew, and at the choice itself they give {} = {}, where the fit had {}: {}.",
        report.criterion, digits(at_choice), digits(report.criterion_value),
        report.repeat ? "compare them with one another only"
                      : "the model is of an older program, which did not keep the seed of the folds")));
  const Least l = least_of(s);
  if (l.i < 0 || !(l.value < at_choice - slack)) return out;
  std::string where = fmt::format("{} = {}", s.x_name, digits(s.x[l.i]));
  if (!s.y_name.empty()) where += fmt::format(", {} = {}", s.y_name, digits(s.y[l.j]));
  const bool on_a_bound =
      std::ranges::any_of(report.warnings, [](const Warning& w) { return w.code == Warning::Code::at_bound; });
  const char* why = report.search.method == "none" ? "The parameters were given."
                    : on_a_bound
                        ? "The search ended on a bound, as a warning above says, and this point may lie beyond it."
                        : "The search ended before it, or in another optimum; a fit that is given these parameters "
                          "with --search none can be compared with this one by lacuna evaluate.";
  out.push_back(warning(fmt::format(
      "A point of this drawing is better than the choice: {} = {:.6g} at {}, where the choice has {:.6g}. {}",
      report.criterion, l.value, where, at_choice, why)));
  return out;
}

Json slice(const std::string& name, const std::string& criterion, const Vector& x, const Vector& y, double at,
           double value) {
  return chart(
      "slice", fmt::format("The criterion along {}", name), "All else as chosen; the dot is the choice.",
      {{"curve", {{"x", numbers(x)}, {"y", numbers(y)}}}, {"chosen", {{"x", {number(at)}}, {"y", {number(value)}}}}},
      "curve", {{"x", name, true, ".4~g"}, {"y", criterion, true, ".5~g"}},
      {{"xname", name}, {"yname", criterion}, {"xticks", log_ticks(x[0], x[x.size() - 1])}});
}

// Along one axis through the choice: the grid's own line nearest to it.
Index nearest(const Vector& grid, double at) {
  Index out = 0;
  (grid.array().log() - std::log(at)).abs().minCoeff(&out);
  return out;
}

std::vector<Json> surface_blocks(const Subject& about) {
  const Model& model = about.model;
  const FitReport& report = model.report;
  const CriterionSurface s = criterion_surface(model, about.again, about.options.observer);
  if (!s.missing.empty()) return {missing("The criterion around the choice is", s.missing)};
  double least = report.criterion_value;
  for (const double v : s.value.reshaped())
    if (std::isfinite(v) && !(v >= least)) least = v;
  if (!std::isfinite(least)) return {};
  const std::size_t second = second_parameter(report.search, s);
  const bool plane = !s.y_name.empty();
  double chosen_y = 1.0;
  if (plane) {
    const std::vector<double> values = kernel_parameters(model.kernel);
    const std::vector<std::string> names = parameter_names(model.kernel);
    for (std::size_t p = 0; p < names.size(); ++p)
      if (names[p] == s.y_name) chosen_y = values[p];
  }
  const Index at_x = nearest(s.x, model.lambda), at_y = plane ? nearest(s.y, chosen_y) : 0;
  const double at_choice = s.value(at_x, at_y);
  std::vector<Json> out = remarks_on(s, report, at_choice), slices;
  if (plane) {
    const bool one = s.y_scale == 1.0 && second > 0;
    const Points optima = one ? inside(report.search.optima, second, s) : Points{};
    const Points path = one ? inside(report.search.path, second, s) : Points{};
    std::string text = fmt::format(
        "Lines of equal {} (cv {}) over {} and {}; the dot is the choice, rings are all optima that were found{}. Wide "
        "spaces around the dot: the choice is not sharp, and need not be.",
        report.criterion, brief(report.cv), s.x_name, s.y_name,
        path.x.empty() ? "" : ", small dots the points that the search looked at");
    Points low = optima;
    const Least l = least_of(s);
    low.x.insert(low.x.end(), {model.lambda, l.i < 0 ? model.lambda : s.x[l.i]});
    low.y.insert(low.y.end(), {chosen_y, l.i < 0 ? chosen_y : s.y[l.j]});
    Contours lines = contour_lines(s, least, low);
    if (lines.unresolved > 0.0)
      text += fmt::format(
          " Lines {} above the least and nearer are left out: the valley is narrower there than the {} by {} fits "
          "that were made can show.",
          digits(lines.unresolved, 2), s.x.size(), s.y.size());
    if (path.x.empty() && report.search.method != "none")
      text += " The search's path is not kept in model files; fit --report draws it.";
    Json levels = level_ticks(lines.lines["level"]);
    out.push_back(chart(
        "surface", "How sharp the choice is", text,
        {{"lines", std::move(lines.lines)},
         {"path", points_json(path)},
         {"optima", points_json(optima)},
         {"chosen", {{"x", {number(model.lambda)}}, {"y", {number(chosen_y)}}}}},
        "lines",
        {{"criterion", report.criterion, true, ".5~g"}, {"x", s.x_name, true, ".4~g"}, {"y", s.y_name, true, ".4~g"}},
        {{"xname", s.x_name},
         {"yname", s.y_name},
         {"xticks", log_ticks(s.x[0], s.x[s.x.size() - 1])},
         {"yticks", log_ticks(s.y[0], s.y[s.y.size() - 1])},
         {"levels", std::move(levels)}}));
    slices.push_back(slice(s.x_name, report.criterion, s.x, s.value.col(at_y), model.lambda, report.criterion_value));
    slices.push_back(
        slice(s.y_name, report.criterion, s.y, s.value.row(at_x).transpose(), chosen_y, report.criterion_value));
  } else {
    slices.push_back(slice(s.x_name, report.criterion, s.x, s.value.col(0), model.lambda, report.criterion_value));
  }
  Json side = grid(std::move(slices), true);
  out.push_back(std::move(side));
  return out;
}

Json optima_table(const FitReport& report) {
  Json rows = Json::array();
  std::vector<Column> columns{{"", report.criterion, true, ".6~g"}};
  const std::size_t shown = std::min<std::size_t>(report.search.parameters.size(), 8);
  for (std::size_t p = 0; p < shown; ++p) columns.push_back({"", brief(report.search.parameters[p], 30), true, ".4~g"});
  // The criterion of the choice is that of its final fit, the others' that of the search's looser ones.
  std::vector<FitReport::Search::Optimum> optima = report.search.optima;
  std::ranges::stable_sort(optima, {}, &FitReport::Search::Optimum::criterion);
  for (const auto& o : optima) {
    const bool choice = o.values == report.search.optima.front().values;
    Json row = Json::array({choice ? Json{number(o.criterion), "mark"} : number(o.criterion)});
    for (std::size_t p = 0; p < shown; ++p) row.push_back(p < o.values.size() ? number(o.values[p]) : Json(nullptr));
    rows.push_back(std::move(row));
    if (rows.size() == 50) break;
  }
  return table({.title = "Optima that were found", .caption = "Best first; a dot marks the choice"}, columns,
               std::move(rows));
}

std::vector<Json> choice_blocks(const Model& model) {
  const auto& choice = model.report.choice;
  if (!choice) return {};
  Dots dots;
  Json rows = Json::array();
  for (const auto& c : choice->candidates) {
    const std::string name = brief(c.name, 40);
    rows.push_back({name, number(c.loss), number(c.difference), number(c.standard_error), number(c.weight),
                    brief(c.left.empty() ? c.kernel : c.left, 120)});
    if (std::isfinite(c.difference)) dots.add(name, c.difference, c.standard_error, c.weight > 0.0);
  }
  std::vector<Json> out;
  out.push_back(
      words(fmt::format("Effort {}: candidates were compared by rows that had no part in anything, in {} folds. "
                        "What was chosen has a loss of {}.",
                        brief(choice->effort), choice->folds, digits(choice->loss))));
  if (!dots.empty())
    out.push_back(
        dots.chart({.title = "Candidates: loss above what was chosen",
                    .text = "With one standard error of the paired difference; orange ones have a part in the model.",
                    .axis = "honest loss less that of the choice",
                    .name = "candidate",
                    .value = "difference",
                    .bar = "s.e.",
                    .zero = true}));
  out.push_back(table({.title = "Candidates", .caption = "Every way that was tried", .sortable = true},
                      {{"", "candidate", false},
                       {"", "honest loss", true, ".4~g"},
                       {"", "difference", true, ".3~g"},
                       {"", "s.e.", true, ".2~g"},
                       {"", "weight", true, ".3~f"},
                       {"", "kernel", false}},
                      std::move(rows)));
  return out;
}

// Shares of the weights of columns, of a kernel that weighs them; else the thetas of "ard".
Json column_bars(const Model& machine, const Encoding& encoding, const std::string& whose) {
  struct Bar {
    std::string name;
    double value;
  };
  std::vector<Bar> bars;
  std::string axis = "share of squared distances";
  for (const ColumnWeight& w : columns_by_weight(machine, encoding)) bars.push_back({w.name, w.share});
  if (bars.empty() && std::holds_alternative<kernels::Ard>(machine.kernel.form)) {
    const std::vector<double> theta = kernel_parameters(machine.kernel);
    axis = "theta";
    for (std::size_t f = 0; f < theta.size(); ++f)
      bars.push_back({f < encoding.features.size() ? encoding.features[f].name : fmt::format("x{}", f + 1), theta[f]});
    std::ranges::stable_sort(bars, std::ranges::greater{}, &Bar::value);
  }
  if (bars.empty()) return nullptr;
  constexpr std::size_t most = 25;
  const std::size_t all = bars.size();
  if (all > most) bars.resize(most);
  Json data = columns_of({"name", "value"});
  std::vector<std::string> names;
  for (const Bar& b : bars) {
    names.push_back(b.name);
    data["value"].push_back(number(b.value));
  }
  data["name"] = briefly(names, 30);
  return chart("bars", fmt::format("Relevance of the columns{}", whose),
               fmt::format("How much each column decides which rows are near each other{}.",
                           all > most ? fmt::format("; the largest {} of {}", most, all) : ""),
               {{"bars", std::move(data)}}, "bars", {{"name", "column", false}, {"value", axis, true, ".4~g"}},
               {{"xname", axis}});
}

std::string stop_words(Stop stop) {
  const bool early = stop == Stop::max_evaluations || stop == Stop::time_limit || stop == Stop::interrupted;
  return early ? fmt::format("stopped early ({})", name_of(stop)) : std::string(name_of(stop));
}

}  // namespace

std::vector<Json> what_was_chosen(const Subject& about) {
  const Model& model = about.model;
  const FitReport& report = model.report;
  std::vector<Json> out;
  std::vector<std::pair<std::string, std::string>> items{{"model", report.model}};
  if (model.members.empty()) {
    const std::vector<double> values = kernel_parameters(model.kernel);
    items.emplace_back("kernel", std::holds_alternative<kernels::Custom>(model.kernel.form) ? "custom"
                                 : values.size() > 6 ? fmt::format("{} parameters", values.size())
                                                     : brief(kernel_text(model.kernel), 200));
    items.emplace_back(report.regulariser(), digits(model.lambda));
  }
  items.emplace_back("criterion", fmt::format("{} = {}{}", report.criterion, digits(report.criterion_value),
                                              report.optimistic ? ", optimistic at its own optimum" : ""));
  items.emplace_back("cross-validation", brief(report.cv));
  if (report.basis)
    items.emplace_back("basis", fmt::format("{} rows, {}", report.basis->size, brief(report.basis->method)));
  if (report.search.method == "none")
    items.emplace_back("search", "none: every parameter was given");
  else
    items.emplace_back(
        "search", fmt::format("{}, {}: {} evaluations, {} {}", report.search.method, stop_words(report.search.stop),
                              report.search.evaluations, report.search.optima.size(),
                              report.search.optima.size() == 1 ? "optimum" : "optima"));
  out.push_back(facts(items));
  for (Json& b : choice_blocks(model)) out.push_back(std::move(b));
  for (const Member& m : model.members)
    if (Json bars = column_bars(m.machine, model.encoding, fmt::format(" in {}", brief(m.name, 40))); !bars.is_null())
      out.push_back(std::move(bars));
  if (model.members.empty()) {
    for (Json& b : surface_blocks(about)) out.push_back(std::move(b));
    if (Json bars = column_bars(model, model.encoding, ""); !bars.is_null()) out.push_back(std::move(bars));
    if (report.search.optima.size() > 1) out.push_back(optima_table(report));
  }
  return out;
}

}  // namespace lacuna::page
