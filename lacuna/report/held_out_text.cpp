#include "lacuna/report/held_out_text.hpp"

#include <cmath>

#include "lacuna/base/names.hpp"
#include "lacuna/base/shown.hpp"
#include "lacuna/curves/standard_errors.hpp"
#include "lacuna/model/tally.hpp"
#include "lacuna/report/column_weights.hpp"
#include "lacuna/report/confusion.hpp"
#include "lacuna/report/counts.hpp"
#include "lacuna/report/lines.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna {
namespace {

std::string cv_words(const FitReport& report) {
  std::string_view cv = report.cv;
  constexpr std::string_view refit = "explicit:", group = "group:", one_step = ":one-step";
  std::string how = "in closed form";
  if (cv.substr(0, refit.size()) == refit) {
    cv.remove_prefix(refit.size());
    how = "by refitting";
  }
  if (cv.ends_with(one_step)) cv.remove_suffix(one_step.size());
  if (cv == "loo") return "one at a time, " + how;
  if (cv.substr(0, group.size()) == group) return fmt::format("by {}, {}", cv.substr(group.size()), how);
  const std::size_t x = cv.find('x');
  std::string folds = fmt::format("in {} folds", cv.substr(0, x));
  if (!report.group.empty()) folds += fmt::format(" that keep {} together", report.group);
  if (x != std::string_view::npos) folds += fmt::format(", {} times", cv.substr(x + 1));
  return fmt::format("{}, {}", folds, how);
}

std::string approximation_words(const Model& model) {
  const FitReport& report = model.report;
  const bool exact = is_quadratic(model.loss) || report.cv.starts_with("explicit:");
  if (!report.approximate) return exact ? "" : ", each followed to its optimum";
  std::string out = model.inference ? ", from the approximate posterior" : ", one Newton step each";
  if (report.refitted > 0) out += fmt::format(", {} refitted", plural(report.refitted, "doubtful row"));
  return out;
}

// What an answer that is the same for all rows would have scored; nothing where every such answer scores the same.
std::string baseline_words(const std::string& score, const Model& model) {
  const double value = value_of(model.report.baseline, score);
  if (std::isnan(value)) return "";
  if (score == "error") return fmt::format("; the commonest class: {:.4g} %", 100.0 * value);
  if (score == "xent" || score == "bits") return fmt::format("; class shares: {:.4g}", value + 0.0);
  if (score == "rmse") return fmt::format("; the mean: {:.4g}", value);
  if (score == "deviance" || score == "nll") return fmt::format("; one rate: {:.4g}", value);
  if (score == "cost" && model.report.cheapest >= 0)
    return fmt::format("; always {}: {:.4g}", shown(model.classes[std::size_t(model.report.cheapest)]), value);
  return "";
}

std::string score_line(const std::string& score, double value, const Model& model) {
  const bool several = model.target_names.size() > 1 || model.task == Task::multiclass;
  const bool percent = score == "error" || score == "ber";
  std::string words;
  if (score == "error")
    words = fmt::format("of the {} a wrong class", model.report.weighted ? "rows' weight gets" : "rows get");
  if (score == "ber") words = "wrong, every class counting the same";
  if (score == "auc")
    words = model.task == Task::binary ? fmt::format("chance that a row of {} is ranked above one of {}",
                                                     shown(model.classes[1]), shown(model.classes[0]))
                                       : "area under the curve, mean over one class against the rest";
  if (score == "auc" && model.report.auc_pairs == "same-fold") words += "; pairs of one fold";
  if (score == "auc" && model.report.auc_pairs == "pooled") words += "; outputs of different fits pooled";
  if (score == "press") words = several ? "mean squared residual over all outputs" : "mean squared residual";
  if (score == "xent") words = "cross-entropy: mean of minus the log-probability of the right class";
  if (score == "bits")
    words = fmt::format("information about the class, of {:.4g} there are", std::log2(double(model.classes.size())));
  if (score == "calibration") words = "mean distance between stated probability and share of hits";
  if (score == "deviance") words = "mean deviance, 0 is perfect";
  if (score == "d2") words = "share of the deviance of one common rate explained";
  if (score == "nll") words = "mean of minus the log-probability of a count; compares poisson with negbin";
  if (score == "rmse") words = several ? "root mean squared residual over all targets" : "root mean squared residual";
  if (score == "r2")
    words = several ? "share of a target's variance explained, mean over targets"
                    : "share of the target's variance explained";
  if (score == "cost") words = fmt::format("of the decisions, a row; s.e. {:.2g}", model.report.cost_error);
  words += baseline_words(score, model);
  return labelled_line(
      shown(score),
      fmt::format("{:<10} {}", percent ? fmt::format("{:.4g} %", 100.0 * value) : fmt::format("{:.4g}", value), words));
}

}  // namespace

std::string held_out_lines(const Model& model) {
  const FitReport& report = model.report;
  std::string how = shown(cv_words(report)) + approximation_words(model);
  if (report.choice)
    how = fmt::format(
        "honest: everything was selected again without each of {} folds{}, and what the other rows of a "
        "fold are worth was added",
        report.choice->folds, report.group.empty() ? "" : fmt::format(" that keep {} together", shown(report.group)));
  std::string out = fmt::format("held-out rows, {}{}:\n", how, report.weighted ? ", each counted by its weight" : "");
  if (!report.choice) out += relevance_caution(report);
  for (const auto& [score, value] : report.held_out) out += score_line(score, value, model);
  for (const TargetScores& t : held_out_by_target(model))
    out += labelled_line(shown(t.name), fmt::format("rmse {:.4g} (s.e. {:.2g}; the mean: {:.4g}), r2 {:.4g}", t.rmse,
                                                    t.rmse_error, t.of_mean, t.r2));
  for (const auto& [label, words] : count_lines(report)) out += labelled_line(label, words);
  out += confusion_text(report.confusion, model.classes, "held-out rows", report.weighted);
  return out;
}

std::string cost_text(const Model& model) {
  const double cost = value_of(model.report.held_out, "cost");
  return std::isnan(cost) ? "" : shown_lines("held-out rows:\n" + score_line("cost", cost, model));
}

}  // namespace lacuna
