#include "lacuna/report/page/score_words.hpp"

#include <fmt/format.h>

namespace lacuna::page {
namespace {

struct Entry {
  const char *name, *label, *words;
  bool share = false;
};
constexpr Entry all_scores[] = {
    {"error", "Error", "of the rows get a wrong class", true},
    {"ber", "Balanced error", "wrong, every class counting the same", true},
    {"auc", "Area under the ROC curve", "chance that a positive row is ranked above a negative one"},
    {"xent", "Cross-entropy", "mean of minus the log-probability of the right class"},
    {"bits", "Information", "bits about the class"},
    {"calibration", "Calibration", "mean distance between stated probability and share of hits"},
    {"cost", "Cost", "of the decisions, a row"},
    {"rmse", "Root mean squared residual", "in the unit of the target"},
    {"r2", "R squared", "share of the target's variance explained"},
    {"deviance", "Deviance", "mean over rows, 0 is perfect"},
    {"d2", "D squared", "share of the deviance of one common rate explained"},
    {"nll", "Negative log-likelihood", "mean of minus the log-probability of a count"},
    {"press", "Mean squared residual", "over all outputs"},
};

}  // namespace

ScoreWords score_words(const std::string& name) {
  for (const Entry& e : all_scores)
    if (name == e.name) return {e.label, e.words, e.share};
  return {name, "", false};
}

std::string score_title(const std::string& name) {
  const std::string label = score_words(name).label;
  return label == name || name == "calibration" ? label : fmt::format("{} ({})", label, name);
}

}  // namespace lacuna::page
