#include "lacuna/report/page/evaluation_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lacuna/evaluate/summary.hpp"
#include "lacuna/report/evaluation.hpp"
#include "lacuna/report/options.hpp"
#include "lacuna/report/page/confusion_blocks.hpp"
#include "lacuna/report/page/dots.hpp"
#include "lacuna/report/page/score_words.hpp"
#include "lacuna/report/page/test_row_blocks.hpp"

namespace lacuna {
namespace {

using namespace page;

constexpr std::size_t most_models = 40, most_splits = 200;

// Names that are shown differ, whatever the contenders are called and however much room there is.
constexpr std::size_t room_in_tables = 48, room_in_charts = 28;
std::vector<std::string> names_of(const NestedValidation& e, std::size_t room = room_in_tables) {
  std::vector<std::string> names;
  for (const auto& of : e.contenders)
    if (names.size() < most_models) names.push_back(of.name);
  return briefly(names, room);
}

// " Drawn are the first 40 of 120 pairs."; nothing where all are.
std::string drawn_of(std::size_t drawn, std::size_t all, const char* what) {
  return drawn < all ? fmt::format(" Drawn are the first {} of {} {}.", drawn, all, what) : "";
}

bool all_comparable(const NestedValidation& e, const std::string& score) {
  return std::ranges::all_of(
      e.contenders, [&](const auto& of) { return e.contenders.size() < 2 || comparable(e.contenders[0], of, score); });
}

// The first of these that all contenders have, and that compares them.
std::string main_score_of(const NestedValidation& e) {
  const bool likelihoods_differ = !all_comparable(e, "deviance");
  for (const char* name : {"xent", "error", "nll", "rmse", "deviance"}) {
    if (name == std::string_view("nll") && !likelihoods_differ) continue;
    const auto has = [&](const auto& of) {
      const std::vector<std::string> scores = score_names(of);
      return std::ranges::find(scores, name) != scores.end();
    };
    if (std::ranges::all_of(e.contenders, has)) return name;
  }
  return "";
}

std::vector<std::string> all_scores(const NestedValidation& e) {
  std::vector<std::string> out;
  for (const auto& of : e.contenders)
    for (const std::string& s : score_names(of))
      if (std::ranges::find(out, s) == out.end()) out.push_back(s);
  return out;
}

// Where nothing can lie: a standard error that reaches below is drawn to there.
double least_of(const std::string& score) {
  for (const char* name : {"error", "ber", "auc", "calibration", "rmse", "press"})
    if (score == name) return 0.0;
  return -std::numeric_limits<double>::infinity();
}

Json score_chart(const NestedValidation& e, const std::string& score) {
  const std::vector<std::string> names = names_of(e, room_in_charts);
  Dots dots(least_of(score));
  Index splits = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto& of = e.contenders[k];
    const Estimate m = PooledScores(of.splits).estimate(score, e.tested_to_trained);
    if (!std::isfinite(m.value)) continue;
    dots.add(names[k], m.value, m.se);
    const std::vector<double> values = values_of(of.splits, score);
    splits = std::max(splits, Index(values.size()));
    for (const Index i : thinned(Index(values.size()), Index(most_splits)))
      if (std::isfinite(values[std::size_t(i)])) dots.add_tick(names[k], values[std::size_t(i)]);
  }
  if (dots.empty()) return nullptr;
  return dots.chart({.title = score_title(score),
                     .text = "All test rows, with one standard error; ticks are " +
                             (splits > Index(most_splits) ? fmt::format("{} of the {} splits.", most_splits, splits)
                                                          : std::string("single splits.")),
                     .axis = score,
                     .name = "model",
                     .value = score,
                     .bar = "s.e."});
}

Json score_table(const NestedValidation& e, const std::vector<std::string>& names,
                 const std::vector<std::string>& scores) {
  std::vector<page::Column> columns{{"", "model", false}};
  for (const std::string& s : scores) {
    columns.push_back({"", s, true, ".4~g"});
    columns.push_back({"", "s.e.", true, ".2~g"});
  }
  columns.push_back({"", "seconds a fit", true, ".3~g"});
  Json rows = Json::array();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto& of = e.contenders[k];
    const PooledScores test(of.splits);
    Json row{names[k]};
    for (const std::string& s : scores) {
      const Estimate m = test.estimate(s, e.tested_to_trained);
      row.push_back(number(m.value));
      row.push_back(number(m.se));
    }
    std::vector<double> seconds;
    for (const SplitResult& r : of.splits)
      if (r.failure.empty()) seconds.push_back(r.seconds);
    row.push_back(seconds.empty() ? Json(nullptr) : number(mean_of(seconds).mean));
    rows.push_back(std::move(row));
  }
  return table(
      {.title = "All scores", .caption = "Scores of all test rows, and their standard errors", .sortable = true},
      columns, std::move(rows));
}

std::vector<Json> difference_blocks(const NestedValidation& e, const std::vector<std::string>& names,
                                    const std::string& main) {
  if (names.size() < 2) return {};
  constexpr std::size_t most_pairs = 40, most_rows = 1000;
  Dots dots;
  Json rows = Json::array();
  std::size_t pairs = 0, all = 0;
  const std::vector<std::string> scores = all_scores(e), drawn = names_of(e, room_in_charts);
  const bool left_out = std::ranges::any_of(scores, [&](const std::string& s) { return !all_comparable(e, s); });
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = a + 1; b < names.size(); ++b)
      for (const auto& [score, d] : paired_differences(e.contenders[a], e.contenders[b], e.tested_to_trained)) {
        const std::string pair = fmt::format("{} less {}", names[a], names[b]);
        const bool real = d.p < 0.05;
        if (++all <= most_rows)
          rows.push_back({pair, score, real ? Json{number(d.difference.mean), "mark"} : number(d.difference.mean),
                          number(d.se), number(d.t), number(d.p)});
        if (score != main || !std::isfinite(d.difference.mean) || ++pairs > most_pairs) continue;
        dots.add(fmt::format("{}\nless {}", drawn[a], drawn[b]), d.difference.mean, 2.0 * d.se, real);
      }
  std::vector<Json> out;
  if (!dots.empty())
    out.push_back(dots.chart(
        {.title = fmt::format("Paired differences: {}", score_title(main)),
         .text = "On the same splits, with two standard errors; orange ones are beyond chance (p < 0.05). Left of 0 "
                 "the first of the two has the smaller loss." +
                 drawn_of(dots.size(), pairs, "pairs"),
         .axis = fmt::format("difference of {}", main),
         .name = "pair",
         .value = "difference",
         .bar = "2 s.e.",
         .zero = true,
         .two_lines = true}));
  if (left_out)
    out.push_back(
        note("Differences of deviance and d2 are left out where two models are of different likelihoods, which chose "
             "what a deviance of 0 is: nll, minus the log-probability of a count, compares them."));
  const bool many = rows.size() > 12;
  out.push_back(
      table({.title = "Every difference",
             .text = "Splits share rows: standard errors, t and p are corrected for that (Nadeau and Bengio). A dot "
                     "marks p below 0.05; among many comparisons some are by chance." +
                     (all > most_rows ? fmt::format(" The first {} of {}; evaluate --json has all.", most_rows, all)
                                      : std::string()),
             .caption = "First less second, on the same splits",
             .sortable = true,
             .searchable = many},
            {{"", "pair", false},
             {"", "score", false},
             {"", "difference", true, ".4~g"},
             {"", "s.e.", true, ".2~g"},
             {"", "t", true, ".2f"},
             {"", "p", true, ".2~g"}},
            std::move(rows)));
  return out;
}

Json calibration_chart(const NestedValidation& e) {
  constexpr std::size_t most_lines = 8;
  const std::vector<std::string> names = names_of(e, room_in_charts);
  std::size_t stating = 0;
  Json bins = columns_of({"model", "stated", "was", "rows"});
  if (e.weighted) bins["of_all"] = Json::array();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::vector<CalibrationBin> its = pooled_tally(e.contenders[k].splits).calibration;
    double all = 0.0;
    for (const CalibrationBin& b : its) all += b.weight;
    if (!(all > 0.0) || ++stating > most_lines) continue;
    for (const CalibrationBin& b : its) {
      if (!(b.weight > 0.0)) continue;
      bins["model"].push_back(names[k]);
      bins["stated"].push_back(number(b.claimed / b.weight));
      bins["was"].push_back(number(b.hits / b.weight));
      bins["rows"].push_back(number(b.weight));
      if (e.weighted) bins["of_all"].push_back(number(b.weight / all));
    }
  }
  if (bins["model"].empty()) return nullptr;
  return chart(
      "calibrations", "Stated probability, and how often it was right",
      "Test rows of all splits in ten bins. On the dashed line statements come true as often as they say." +
          (stating < names.size() ? fmt::format(" {} of the {} models state probabilities.", stating, names.size())
                                  : std::string()) +
          drawn_of(std::min(stating, most_lines), stating, "models"),
      {{"bins", std::move(bins)}, {"diagonal", {{"x", {0, 1}}, {"y", {0, 1}}}}}, "bins",
      {{"model", "model", false},
       e.weighted ? page::Column{"of_all", of_all_by_weight, true, ".1%"} : page::Column{"rows", "rows", true, ",.6~g"},
       {"stated", "stated", true, ".3f"},
       {"was", "came true", true, ".3f"}});
}

Json parameter_table(const NestedValidation& e, const std::vector<std::string>& names) {
  constexpr std::size_t most_rows = 200;
  Json rows = Json::array();
  std::size_t all = 0;
  for (std::size_t k = 0; k < names.size(); ++k)
    for (const auto& [name, values] : chosen_parameters(e.contenders[k].splits)) {
      std::vector<double> known;
      for (const double v : values)
        if (std::isfinite(v)) known.push_back(v);
      if (known.empty() || ++all > most_rows) continue;
      std::ranges::sort(known);
      const auto at = [&](double q) { return known[std::size_t(std::llround(q * double(known.size() - 1)))]; };
      rows.push_back({names[k], brief(name, 40), number(at(0.0)), number(at(0.25)), number(at(0.5)), number(at(0.75)),
                      number(at(1.0))});
    }
  if (rows.empty()) return nullptr;
  return table(
      {.title = "What was chosen in the splits",
       .text = "The nearer the quartiles, the less the choice depends on which rows it saw." +
               (all > most_rows ? fmt::format(" The first {} of {} parameters.", most_rows, all) : std::string()),
       .caption = "Hyper-parameters over splits"},
      {{"", "model", false},
       {"", "parameter", false},
       {"", "least", true, ".3~g"},
       {"", "quarter", true, ".3~g"},
       {"", "half", true, ".3~g"},
       {"", "three quarters", true, ".3~g"},
       {"", "most", true, ".3~g"}},
      std::move(rows));
}

}  // namespace

nlohmann::ordered_json evaluation_page_json(const NestedValidation& e, const PageOptions& options) {
  const std::vector<std::string> names = names_of(e), scores = all_scores(e);
  const std::string main = main_score_of(e);
  std::vector<Json> good, sure;
  std::string lead = fmt::format(
      "In each of {} splits everything was chosen anew on the training part and judged on the test part: these figures "
      "are honest. {} of {} rows were tested.",
      e.splits, e.tested, e.rows);
  if (e.weighted) lead += " Rows count by their weights.";
  if (!e.group.empty()) lead += fmt::format(" Rows of one {} are never on both sides of a split.", brief(e.group, 40));
  good.push_back(words(lead));
  if (names.size() < e.contenders.size())
    good.push_back(note(fmt::format("The first {} of {} models are shown.", names.size(), e.contenders.size())));
  if (names.size() == 1) {
    std::vector<FigureItem> items;
    for (const std::string& s : scores) {
      const Estimate m = PooledScores(e.contenders[0].splits).estimate(s, e.tested_to_trained);
      const ScoreWords words_of = score_words(s);
      const bool share = words_of.share;
      items.push_back({.name = s,
                       .label = words_of.label,
                       .value = share ? percent(m.value) : digits(m.value),
                       .spread = std::isfinite(m.se) ? "± " + (share ? percent(m.se) : digits(m.se, 2)) : "",
                       .note = words_of.words,
                       .number = m.value});
    }
    good.push_back(figures(items));
  }
  std::vector<Json> charts;
  for (const std::string& s : scores)
    if (Json c = score_chart(e, s); !c.is_null()) charts.push_back(std::move(c));
  if (!charts.empty()) good.push_back(grid(std::move(charts)));
  good.push_back(score_table(e, names, scores));
  const std::vector<std::string> notes = with_flags(e.notes);
  for (std::size_t k = 0; k < std::min<std::size_t>(12, notes.size()); ++k)
    good.push_back(warning(brief(notes[k], 500)));
  Json sections = Json::array();
  const auto add = [&](const char* id, const char* title, std::vector<Json> blocks) {
    if (!blocks.empty()) sections.push_back(section(id, title, std::move(blocks)));
  };
  add("how-good", names.size() == 1 ? "How good is it?" : "Which is best?", std::move(good));
  add("differences", "Are the differences real?", difference_blocks(e, names, main));
  if (Json c = calibration_chart(e); !c.is_null()) sure.push_back(std::move(c));
  if (names.size() == 1)
    for (Json& b : confusion_blocks(pooled_tally(e.contenders[0].splits).confusion, e.classes,
                                    "Test rows of all splits", e.weighted))
      sure.push_back(std::move(b));
  add("trust", "Can I trust the probabilities?", std::move(sure));
  add("intervals", "Do intervals hold what they promise?", coverage_blocks(e, names));
  add("levels", "For which rows is it good?", level_blocks(e, names, main));
  std::vector<Json> chosen;
  if (Json t = parameter_table(e, names); !t.is_null()) chosen.push_back(std::move(t));
  add("chosen", "What was chosen?", std::move(chosen));
  std::vector<Json> again;
  if (!options.command.empty()) {
    again.push_back(words("The command:"));
    again.push_back(code("Command", brief(options.command, 4000)));
  }
  std::vector<std::pair<std::string, std::string>> items{
      {"Lacuna", LACUNA_VERSION},
      {"splits", fmt::format("{}, seed {}", split_plan_text(e.plan), e.plan.seed)},
      {"rows", std::to_string(e.rows)}};
  if (!e.group.empty()) items.emplace_back("groups", brief(e.group));
  again.push_back(facts(items));
  add("reproduce", "How to reproduce it", std::move(again));
  const std::string of = options.data.empty() ? "" : " of " + brief(options.data, 80);
  return {{"title",
           names.size() == 1 ? "How good is " + names[0] + "?" : fmt::format("{} models side by side", names.size())},
          {"subtitle", fmt::format("Nested validation on {} rows{}, {} splits.", e.rows, of, e.splits)},
          {"footer", "Written by Lacuna " LACUNA_VERSION ". This file needs no network and sends nothing anywhere."},
          {"sections", std::move(sections)},
          {"evaluation", within_a_page(evaluation_json(e), "evaluate --json")}};
}

}  // namespace lacuna
