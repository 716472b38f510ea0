#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/names.hpp"
#include "lacuna/base/shown.hpp"
#include "lacuna/model/machine.hpp"
#include "lacuna/model/tally.hpp"
#include "lacuna/report/choice.hpp"
#include "lacuna/report/column_weights.hpp"
#include "lacuna/report/confusion.hpp"
#include "lacuna/report/counts.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_shown = 30;  // of features, in a text for people

std::string plural(Index n, std::string_view word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

// Two columns: what, and what it is.
std::string line(std::string_view label, std::string_view value) { return fmt::format("  {:<11} {}\n", label, value); }

std::string form_text(const Kernel& kernel) {
  return std::visit(
      [](const auto& k) -> std::string {
        using K = std::remove_cvref_t<decltype(k)>;
        if constexpr (HasParts<K>) {
          std::vector<std::string> parts;
          for (const Kernel& part : k.parts) parts.push_back(form_text(part));
          return fmt::format("{}({})", K::id, join(parts));
        } else if constexpr (HasWhole<K>) {
          return fmt::format("{} of {} {}", K::id, K::whole().name, k.*(K::whole().member));
        } else if constexpr (std::is_same_v<K, Custom>) {
          return shown(k.label);
        } else {
          return std::string(K::id);
        }
      },
      kernel.form);
}

std::string kernel_lines(const Model& model) {
  const std::vector<double> values = parameters(model.kernel);
  const std::vector<std::string> names = parameter_names(model.kernel);
  std::string out = form_text(model.kernel);
  if (values.size() <= 3) {
    for (std::size_t p = 0; p < values.size(); ++p)
      out += fmt::format("{} {} = {:.4g}", p ? "," : "", shown(names[p]), values[p]);
    return line("kernel", out);
  }
  // Many: the largest first, with the features they belong to where each has one.
  const bool by_feature =
      std::holds_alternative<Ard>(model.kernel.form) && model.encoding.features.size() == values.size();
  std::vector<std::size_t> order(values.size());
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  if (by_feature) std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] > values[b]; });
  out = line("kernel", by_feature ? out + ", a theta for each feature, largest first" : out);
  for (std::size_t k = 0; k < std::min(most_shown, order.size()); ++k) {
    const std::size_t p = order[k];
    out += fmt::format("    {:<10.4g} {}\n", values[p], shown(by_feature ? model.encoding.features[p].name : names[p]));
  }
  if (order.size() > most_shown)
    out += fmt::format("    and {} more (--json has them all)\n", order.size() - most_shown);
  return out;
}

std::string task_line(const Model& model) {
  const FitReport& report = model.report;
  std::string out = fmt::format("{}: {}, {}, {}", shown(report.model), name(model.task), plural(report.rows, "row"),
                                plural(report.features, "feature"));
  if (model.task == Task::binary)
    out += fmt::format(", classes {} (negative) and {} (positive)", shown(model.classes[0]), shown(model.classes[1]));
  else if (!model.classes.empty() && model.classes.size() <= 10)
    out += ", classes " + shown(join(model.classes));
  else if (!model.classes.empty())
    out += fmt::format(", {} classes", model.classes.size());
  else if (!model.target_names.empty())
    out += fmt::format(", target{} {}", model.target_names.size() == 1 ? "" : "s", shown(join(model.target_names)));
  return out + '\n';
}

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

// What the number is, where its name alone does not say: of several columns, and of a model's own loss.
std::string criterion_words(const Model& model) {
  const std::string& criterion = model.report.criterion;
  std::string out;
  if (criterion == "xent" && !has_probabilities(model))
    out = gives_rates(model.loss) ? ", the mean deviance" : ", the mean of the model's own loss";
  if (criterion == "xent" && model.task == Task::binary && model.calibration.fitted)
    out = ", recalibrated, with a prior worth one row";
  const bool joint = criterion == "xent" && model.task == Task::multiclass && model.calibration.fitted;
  if (joint) out = ", of the recalibrated probabilities, with a prior worth one row";
  const bool of_labels = criterion == "error" || criterion == "ber" || joint, evidence = criterion == "evidence";
  if (evidence)
    out = fmt::format(", minus the log marginal likelihood of the {}", model.classes.empty() ? "values" : "labels");
  if (model.task == Task::multiclass && !of_labels)
    out += fmt::format(", {} over {} machines, one for each class", evidence ? "sum" : "mean", model.classes.size());
  else if (model.target_names.size() > 1)
    out += fmt::format(", {} over {} targets", evidence ? "sum" : "mean", model.target_names.size());
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
  if (score == "rmse") words = "root mean squared residual";
  if (score == "r2") words = "share of the target's variance explained";
  if (score == "cost") words = fmt::format("of the decisions, a row; s.e. {:.2g}", model.report.cost_error);
  words += baseline_words(score, model);
  return line(
      shown(score),
      fmt::format("{:<10} {}", percent ? fmt::format("{:.4g} %", 100.0 * value) : fmt::format("{:.4g}", value), words));
}

// What is known of new values: less where the parameters were chosen on the very rows.
std::string interval_line(const Model& model) {
  const Intervals& i = model.intervals;
  if (i.half_width.size() == 0) return "";
  std::vector<std::string> widths;
  for (const double width : i.half_width) widths.push_back(fmt::format("{:.4g}", width));
  std::string words = fmt::format("about {:.4g} % of new values are this near, by held-out residuals", 100.0 * i.level);
  if (i.folds > 0)
    words += fmt::format("; parameters were chosen again without each of {} folds", i.folds);
  else if (i.selected)
    words += ", at parameters chosen on the same rows: a little optimistic";
  if (i.jackknife) words += "; the ends are those of jackknife+";
  const char* where = i.noise ? " on average, more where the noise is larger" : "";
  return line("interval", fmt::format("+-{}{}: {}", join(widths), where, words));
}

// What the outputs mean and where they are cut, when that is not the usual.
std::string decision_lines(const Model& model) {
  std::string out;
  if (const auto* huber = std::get_if<PseudoHuber>(&model.loss))
    out += line("delta", fmt::format("{:.4g}: residuals count squared below, straight above", huber->delta));
  if (std::holds_alternative<NegativeBinomial>(model.loss)) out += line("variance", variance_words(model));
  out += interval_line(model);
  if (const Calibration& c = model.calibration; c.fitted) {
    std::string u = fmt::format("{:.4g} z", c.scale);
    if (model.task == Task::binary) u += fmt::format(" {} {:.4g}", c.shift < 0.0 ? '-' : '+', std::abs(c.shift));
    out += line("calibrated", fmt::format("probabilities are those of {} for an output z", u));
  }
  if (model.threshold_rule) {
    std::string where = model.inference ? "" : fmt::format("output {:.4g}", model.threshold);
    if (has_probabilities(model)) {
      const Matrix cut = Matrix::Constant(1, 1, model.threshold);
      const std::string p =
          fmt::format("probability {:.3g}", probabilities(model.loss, model.calibration, cut, 2)(0, 1));
      where += model.inference ? p : fmt::format(" ({})", p);
    }
    const bool given = model.threshold_rule->kind == ThresholdRule::Kind::probability;
    out += line("threshold",
                given ? where + ", as given"
                      : fmt::format("{}, chosen on the held-out rows for {}", where, text(*model.threshold_rule)));
  }
  if (model.costs && model.classes.size() > 2)
    out +=
        line("decision", has_probabilities(model) ? "the class of the least expected cost"
                                                  : "the largest output: without probabilities prices cannot decide");
  return out;
}

std::string basis_lines(const FitReport& report) {
  if (!report.basis) return "";
  const FitReport::Basis& b = *report.basis;
  std::string out = b.method == "given" ? fmt::format("{} given", plural(b.size, "row"))
                                        : fmt::format("{}, {}", plural(b.size, "row"), shown(b.method));
  if (b.kept < b.size) out += fmt::format(", {} of them independent", b.kept);
  if (b.complete && b.size < b.asked) out += ": complete, all other rows are combinations of these";
  if (b.rounds > 1 && !b.automatic) out += fmt::format("; the best of {} choices", b.rounds);
  out = line("basis", out);
  if (b.by_size)
    out += line("", fmt::format("chosen by size: a machine of all {} rows takes more than some minutes", report.rows));
  if (b.automatic) {
    std::vector<std::string> tried;
    for (const auto& [size, criterion] : b.sizes) tried.push_back(fmt::format("{} ({:.4g})", size, criterion));
    out += line("", fmt::format("sizes tried, and the criterion: {}", join(tried)));
  }
  if (b.selected_on < report.rows)
    out += line("", fmt::format("rows and parameters were selected on {} of {} rows, the fit is of all", b.selected_on,
                                report.rows));
  return out;
}

std::string search_text(const FitReport::Search& search) {
  if (search.method == "none") return line("search", "none: every parameter was given");
  std::string out =
      fmt::format("{}, {}: {}, {}, {:.2g} s", shown(search.method), name(search.stop),
                  plural(search.evaluations, "evaluation"), plural(search.gradients, "gradient"), search.seconds);
  if (search.optima.size() > 1)
    out += fmt::format("; {} optima, the next higher by {:.2g}", search.optima.size(),
                       search.optima[1].criterion - search.optima[0].criterion);
  out = line("search", out);
  if (search.scouted > 0) out += line("", fmt::format("from the optimum for a sample of {} rows", search.scouted));
  return out;
}

// Columns that the kernel sees another way.
std::string seen_line(const Model& model) {
  std::vector<std::string> codes, scores;
  std::int32_t before = -1;
  for (const SeenFeature& f : model.representation.features) {
    if (f.at.empty() || f.column == before) continue;
    before = f.column;
    const auto& features = model.encoding.features;
    const auto k = std::size_t(f.column);
    (f.at.size() <= 3 ? codes : scores).push_back(k < features.size() ? features[k].name : std::to_string(k + 1));
  }
  const auto listed = [](std::vector<std::string> names) {
    if (names.size() <= most_shown) return join(names);
    const std::size_t more = names.size() - most_shown;
    names.resize(most_shown);
    return fmt::format("{} and {} more", join(names), more);
  };
  std::string out;
  if (!codes.empty()) out += line("codes", fmt::format("{}: a feature for each value", shown(listed(codes))));
  if (!scores.empty()) out += line("scores", fmt::format("{}: normal scores of their ranks", shown(listed(scores))));
  return out;
}

std::string stack_lines(const Model& model) {
  std::string out = line("stack", "outputs are added up, each times its weight");
  for (const Member& m : model.members)
    out += fmt::format("    {:<6.3f} {:<24} {}, {} = {:.4g}\n", m.weight, shown(m.name), form_text(m.machine.kernel),
                       shown(m.machine.report.regulariser()), m.machine.lambda);
  return out;
}

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
  for (const auto& [label, words] : count_lines(report)) out += line(label, words);
  out += confusion_text(report.confusion, model.classes,
                        report.weighted ? "held-out rows by weight, in its unit" : "held-out rows");
  return out;
}

}  // namespace

std::string fit_text(const Model& model) {
  const FitReport& report = model.report;
  std::string out = task_line(model);
  if (!model.members.empty()) {
    out += stack_lines(model) + decision_lines(model) + choice_text(report) + held_out_lines(model);
    return shown_lines(out);
  }
  out += kernel_lines(model) + relevance_lines(model) +
         line(shown(report.regulariser()), fmt::format("{:.4g}", model.lambda)) + seen_line(model) +
         basis_lines(report);
  if (model.inference)
    out += line("prior", fmt::format("mean {:.4g}, variance {:.4g} times the kernel; {} likelihood", model.b[0],
                                     1.0 / model.lambda, name(model.loss)));
  out += line("criterion",
              fmt::format("{} = {:.4g}{}{}", shown(report.criterion), report.criterion_value, criterion_words(model),
                          report.optimistic ? " (optimistic: the parameters were chosen to make it small)" : ""));
  out += search_text(report.search) + decision_lines(model) + choice_text(report) + held_out_lines(model);
  return shown_lines(out);
}

std::string cost_text(const Model& model) {
  const double cost = value_of(model.report.held_out, "cost");
  return std::isnan(cost) ? "" : shown_lines("held-out rows:\n" + score_line("cost", cost, model));
}

std::string inspect_text(const Model& model) {
  const Encoding& encoding = model.encoding;
  std::string out = fit_text(model);
  Index rows = model.alpha.rows();
  for (const Member& m : model.members) rows += m.machine.alpha.rows();
  out += fmt::format("the model: {} in the expansion, held-out outputs of {}\n", plural(rows, "row"),
                     plural(model.held_out.size() / std::max<Index>(1, model.held_out.repeats()), "row"));
  out += relevance_command(model);
  if (encoding.features.empty()) return out;
  out += fmt::format("features{}:\n", encoding.sparse ? " (sparse)" : "");
  std::size_t width = 4;
  const std::size_t listed = std::min(most_shown, encoding.features.size());
  for (std::size_t f = 0; f < listed; ++f) width = std::max(width, shown(encoding.features[f].name).size());
  for (std::size_t f = 0; f < listed; ++f) {
    const FeatureCode& feature = encoding.features[f];
    const bool as_it_is = feature.centre == 0.0 && feature.scale == 1.0;
    out += fmt::format("  {:<{}}  {}\n", shown(feature.name), width,
                       as_it_is ? "as it is" : fmt::format("(x - {:.4g}) / {:.4g}", feature.centre, feature.scale));
  }
  if (encoding.features.size() > listed)
    out += fmt::format("  and {} more (--json has them all)\n", encoding.features.size() - listed);
  return shown_lines(out);
}

}  // namespace lacuna
