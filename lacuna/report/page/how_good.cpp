// report/page/how_good.cpp (of subject.hpp) -- scores of held-out rows, how sure each is, and what an answer that is
// the same for all rows would have scored.
#include <fmt/format.h>

#include <cmath>

#include "lacuna/curves/standard_errors.hpp"
#include "lacuna/report/options.hpp"
#include "lacuna/report/page/score_words.hpp"
#include "lacuna/report/page/subject.hpp"

namespace lacuna::page {
namespace {

FigureItem figure_of(const Subject& about, const std::string& name, double value) {
  const FitReport& report = about.model.report;
  FigureItem out{.name = name, .label = name, .number = value};
  const ScoreWords words_of = score_words(name);
  out.label = words_of.label;
  out.note = words_of.words;
  if (about.model.target_names.size() > 1 && name == "rmse") out.note = "over all targets, whatever their units";
  if (about.model.target_names.size() > 1 && name == "r2") out.note += ", mean over the targets";
  const bool share = words_of.share;
  if (name == "auc" && about.model.task == Task::multiclass)
    out.note = "mean over one class against the rest, by outputs";
  if (name == "auc" && report.auc_pairs == "left-out") out.note += "; every pair of rows left out together";
  if (name == "auc" && report.auc_pairs == "same-fold") out.note += "; pairs of one fold";
  if (name == "auc" && report.auc_pairs == "pooled") out.note += "; outputs of different fits pooled";
  out.value = share ? percent(value) : digits(value);
  const double se = name == "cost" ? report.cost_error : value_of(about.errors, name);
  if (std::isfinite(se)) out.spread = "± " + (share ? percent(se) : digits(se, 2));
  if (const double constant = value_of(report.baseline, name); std::isfinite(constant))
    out.note += fmt::format("; a constant answer: {}", share ? percent(constant) : digits(constant));
  return out;
}

// Of several: each in its own unit.
Json table_of_targets(const Subject& about) {
  Json rows = Json::array();
  for (const TargetScores& t : held_out_by_target(about.model))
    rows.push_back(
        {brief(t.name), number(t.rmse), number(t.rmse_error), number(t.of_mean), number(t.r2), number(t.r2_error)});
  if (rows.empty()) return nullptr;
  return table({.title = "Each target", .caption = "Scores of each target, in its own unit", .sortable = true},
               {{"", "target", false},
                {"", "root mean squared residual", true, ".4~g"},
                {"", "s.e.", true, ".2~g"},
                {"", "of the mean", true, ".4~g"},
                {"", "R²", true, ".4~g"},
                {"", "s.e.", true, ".2~g"}},
               std::move(rows));
}

}  // namespace

std::string held_out_words(const Model& model) {
  const FitReport& report = model.report;
  std::string out = report.cv.find("loo") != std::string::npos
                        ? "Every row is judged by a machine that has not seen it."
                        : fmt::format("Rows are judged by machines that have not seen them (cv {}).", brief(report.cv));
  if (report.choice)
    out +=
        fmt::format(" Everything that was chosen was chosen again without each of {} folds: these figures are honest.",
                    report.choice->folds);
  else if (report.optimistic)
    out +=
        " The figures are optimistic: the hyper-parameters were chosen by the same rows. lacuna evaluate chooses anew "
        "in "
        "every split and gives an honest figure.";
  if (report.approximate)
    out += model.inference ? " Outputs come from the approximate posterior." : " Each is one Newton step from the fit.";
  if (report.weighted) out += " Rows count by their weights.";
  return out;
}

std::vector<Json> how_good(const Subject& about) {
  const FitReport& report = about.model.report;
  std::vector<Json> out;
  std::string lead = held_out_words(about.model);
  if (!about.errors.empty())
    lead += fmt::format(" After ± is one standard error, over {}.", about.counted.group.empty() ? "rows" : "groups");
  out.push_back(words(lead));
  std::vector<FigureItem> items;
  for (const auto& [name, value] : report.held_out) items.push_back(figure_of(about, name, value));
  if (!items.empty()) out.push_back(figures(items));
  if (Json targets = table_of_targets(about); !targets.is_null()) out.push_back(std::move(targets));
  const std::vector<std::string> texts = with_flags(report.warnings);
  constexpr std::size_t most = 12;
  for (std::size_t k = 0; k < std::min(most, texts.size()); ++k) out.push_back(warning(brief(texts[k], 500)));
  if (texts.size() > most)
    out.push_back(note(fmt::format("And {} more warnings; lacuna inspect prints them all.", texts.size() - most)));
  return out;
}

}  // namespace lacuna::page
