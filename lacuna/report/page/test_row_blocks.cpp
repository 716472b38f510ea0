#include "lacuna/report/page/test_row_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/report/page/dots.hpp"
#include "lacuna/report/page/score_words.hpp"
#include "lacuna/report/test_rows.hpp"

namespace lacuna::page {
namespace {

constexpr std::size_t most_drawn = 30, most_models_drawn = 8, most_listed = 500;

double mean_of(const Json& scores, const std::string& name, const char* what = "mean") {
  const auto at = scores.find(name);
  return at == scores.end() || !(*at)[what].is_number() ? std::nan("") : (*at)[what].get<double>();
}

std::vector<std::string> level_names(const Json& levels) {
  std::vector<std::string> out;
  for (const Json& level : levels) out.push_back(level["level"].get<std::string>());
  return briefly(out, 40);
}

Json level_chart(const Json& levels, const std::string& title, const std::string& main) {
  const std::vector<std::string> name = level_names(levels);
  Dots dots;
  for (std::size_t k = 0; k < levels.size() && k < most_drawn; ++k)
    if (const double value = mean_of(levels[k]["scores"], main); std::isfinite(value))
      dots.add(name[k], value, mean_of(levels[k]["scores"], main, "se"));
  if (dots.empty()) return nullptr;
  const std::string few = levels.size() > most_drawn ? fmt::format(" The {} levels with most rows.", most_drawn) : "";
  return dots.chart({.title = title,
                     .text = "All test rows of each level, with one standard error; most rows first." + few,
                     .axis = main,
                     .name = "level",
                     .value = main,
                     .bar = "s.e."});
}

}  // namespace

std::vector<Json> level_blocks(const NestedValidation& e, const std::vector<std::string>& names,
                               const std::string& main) {
  std::vector<Json> out, charts;
  const bool several = names.size() > 1;
  const std::string by = brief(e.by, 40);
  std::vector<std::string> scores;
  std::vector<std::pair<std::string, Json>> found;
  for (std::size_t k = 0; k < names.size(); ++k) {
    Json levels = level_json(e, e.contenders[k]);
    if (levels.is_null()) continue;
    for (const Json& level : levels["levels"])
      for (const auto& [score, value] : level["scores"].items())
        if (std::ranges::find(scores, score) == scores.end()) scores.push_back(score);
    found.emplace_back(names[k], std::move(levels["levels"]));
  }
  if (found.empty()) return {};
  std::vector<Column> columns{{"", by, false}};
  if (several) columns.push_back({"", "model", false});
  columns.push_back(e.weighted ? Column{"", of_all_by_weight, true, ".1%"} : Column{"", "rows", true, ",.6~g"});
  for (const std::string& s : scores) {
    columns.push_back({"", s, true, ".4~g"});
    columns.push_back({"", "s.e.", true, ".2~g"});
  }
  Json rows = Json::array();
  std::size_t all = 0;
  for (const auto& [name, levels] : found) {
    if (!main.empty() && charts.size() < most_models_drawn)
      if (Json c = level_chart(levels, several ? name : fmt::format("{} by {}", score_title(main), by), main);
          !c.is_null())
        charts.push_back(std::move(c));
    const std::vector<std::string> level_name = level_names(levels);
    double all_rows = 0.0;
    for (const Json& level : levels) all_rows += level["rows"].get<double>();
    for (std::size_t k = 0; k < levels.size(); ++k) {
      if (++all > most_listed) continue;
      Json row{level_name[k]};
      if (several) row.push_back(name);
      const double its = levels[k]["rows"].get<double>();
      row.push_back(number(e.weighted ? its / all_rows : its));
      for (const std::string& s : scores) {
        row.push_back(number(mean_of(levels[k]["scores"], s)));
        row.push_back(number(mean_of(levels[k]["scores"], s, "se")));
      }
      rows.push_back(std::move(row));
    }
  }
  std::string text = fmt::format("The scores of the test rows of each level of {}.", by);
  if (all > most_listed) text += fmt::format(" The first {} of {}; evaluate --json has them all.", most_listed, all);
  if (charts.size() < found.size() && !charts.empty())
    out.push_back(note(fmt::format("Drawn are the first {} of {} models.", charts.size(), found.size())));
  if (!charts.empty()) out.push_back(grid(std::move(charts)));
  const bool many = rows.size() > 12;
  out.push_back(table({.title = "Scores by " + by,
                       .text = text,
                       .caption = "Test rows of all splits",
                       .sortable = true,
                       .searchable = many},
                      columns, std::move(rows)));
  return out;
}

std::vector<Json> coverage_blocks(const NestedValidation& e, const std::vector<std::string>& names) {
  if (!e.classes.empty()) return {};
  Json rows = Json::array();
  std::vector<FigureItem> items;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Json c = coverage_json(e, e.contenders[k]);
    if (c.is_null()) continue;
    const double inside = c["inside"].get<double>(), width = c["width"].get<double>();
    rows.push_back({names[k], number(inside), number(width)});
    items.push_back({.name = "coverage",
                     .label = names.size() > 1 ? names[k] : "Coverage",
                     .value = percent(inside),
                     .note = fmt::format("of the test values lie in their {} intervals, which are {} wide on average",
                                         percent(e.level), digits(width)),
                     .number = inside});
  }
  if (rows.empty())
    return e.task == Task::regression
               ? std::vector<Json>{missing("The coverage of intervals is", "nobody asked for intervals",
                                           "lacuna evaluate DATA --interval 0.9 counts how often they hold the value.")}
               : std::vector<Json>{};
  if (names.size() == 1) return {figures(items)};
  return {table({.text = fmt::format("How many of the test values lie in their {} intervals.", percent(e.level)),
                 .caption = "Intervals of all splits",
                 .sortable = true},
                {{"", "model", false}, {"", "inside", true, ".1%"}, {"", "mean width", true, ".4~g"}},
                std::move(rows))};
}

}  // namespace lacuna::page
