// report/text.cpp (of report.hpp) -- what `fit` and `inspect` print for people: what was chosen, and how.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lacuna/base/names.hpp"
#include "lacuna/base/shown.hpp"
#include "lacuna/model/machine.hpp"
#include "lacuna/report/choice.hpp"
#include "lacuna/report/column_weights.hpp"
#include "lacuna/report/counts.hpp"
#include "lacuna/report/held_out_text.hpp"
#include "lacuna/report/lines.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_features = 30;  // of features, in a text for people

std::string form_text(const Kernel& kernel) {
  return std::visit(
      [](const auto& k) -> std::string {
        using K = std::remove_cvref_t<decltype(k)>;
        if constexpr (kernels::HasParts<K>) {
          std::vector<std::string> parts;
          for (const Kernel& part : k.parts) parts.push_back(form_text(part));
          return fmt::format("{}({})", K::id, join(parts));
        } else if constexpr (kernels::HasWhole<K>) {
          return fmt::format("{} of {} {}", K::id, K::whole().name, k.*(K::whole().member));
        } else if constexpr (std::is_same_v<K, kernels::Custom>) {
          return shown(k.label);
        } else {
          return std::string(K::id);
        }
      },
      kernel.form);
}

std::string kernel_lines(const Model& model) {
  const std::vector<double> values = kernel_parameters(model.kernel);
  const std::vector<std::string> names = parameter_names(model.kernel);
  std::string out = form_text(model.kernel);
  if (values.size() <= 3) {
    for (std::size_t p = 0; p < values.size(); ++p)
      out += fmt::format("{} {} = {:.4g}", p ? "," : "", shown(names[p]), values[p]);
    return labelled_line("kernel", out);
  }
  // Many: the largest first, with the features they belong to where each has one.
  const bool by_feature =
      std::holds_alternative<kernels::Ard>(model.kernel.form) && model.encoding.features.size() == values.size();
  std::vector<std::size_t> order(values.size());
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  if (by_feature) std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] > values[b]; });
  out = labelled_line("kernel", by_feature ? out + ", a theta for each feature, largest first" : out);
  for (std::size_t k = 0; k < std::min(most_features, order.size()); ++k) {
    const std::size_t p = order[k];
    out += fmt::format("    {:<10.4g} {}\n", values[p], shown(by_feature ? model.encoding.features[p].name : names[p]));
  }
  if (order.size() > most_features)
    out += fmt::format("    and {} more (--json has them all)\n", order.size() - most_features);
  return out;
}

std::string task_line(const Model& model) {
  const FitReport& report = model.report;
  std::string out = fmt::format("{}: {}, {}, {}", shown(report.model), name_of(model.task), plural(report.rows, "row"),
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

// Among so many held-out rows, or groups, none has the rank that the level asks for (model/detail/interval_widths.hpp).
std::string too_few_for_intervals(const Model& model) {
  if (!model.classes.empty() || gives_rates(model.loss) || model.held_out.size() == 0) return "";
  const std::set<int> groups(model.held_out.group.begin(), model.held_out.group.end());
  const double units = groups.size() > 1 ? double(groups.size()) : double(model.held_out.rows());
  const double most = units / (units + 1.0), level = model.intervals.level;
  if (most >= level) return "";
  return labelled_line("interval",
                       fmt::format("none of {:.4g} %: {:.0f} held-out {} allow {:.0f} % at most", 100.0 * level, units,
                                   groups.size() > 1 ? "groups" : "rows", std::floor(100.0 * most)));
}

// What is known of new values: less where the parameters were chosen on the very rows.
std::string interval_line(const Model& model) {
  const Intervals& i = model.intervals;
  if (i.half_width.size() == 0) return too_few_for_intervals(model);
  std::vector<std::string> widths;
  for (const double width : i.half_width) widths.push_back(fmt::format("{:.4g}", width));
  std::string words = fmt::format("about {:.4g} % of new values are this near, by held-out residuals", 100.0 * i.level);
  if (i.folds > 0)
    words += fmt::format("; parameters were chosen again without each of {} folds", i.folds);
  else if (i.selected)
    words += ", at parameters chosen on the same rows: a little optimistic";
  if (i.jackknife) words += "; the ends are those of jackknife+";
  const char* where = i.noise ? " on average, more where the noise is larger" : "";
  return labelled_line("interval", fmt::format("+-{}{}: {}", join(widths), where, words));
}

// What the outputs mean and where they are cut, when that is not the usual.
std::string decision_lines(const Model& model) {
  std::string out;
  if (const auto* huber = std::get_if<losses::PseudoHuber>(&model.loss))
    out += labelled_line("delta", fmt::format("{:.4g}: residuals count squared below, straight above", huber->delta));
  if (std::holds_alternative<losses::NegativeBinomial>(model.loss))
    out += labelled_line("variance", variance_words(model));
  out += interval_line(model);
  if (const Calibration& c = model.calibration; c.fitted) {
    std::string u = fmt::format("{:.4g} z", c.scale);
    if (model.task == Task::binary) u += fmt::format(" {} {:.4g}", c.shift < 0.0 ? '-' : '+', std::abs(c.shift));
    out += labelled_line("calibrated", fmt::format("probabilities are those of {} for an output z", u));
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
    out += labelled_line("threshold", given ? where + ", as given"
                                            : fmt::format("{}, chosen on the held-out rows for {}", where,
                                                          threshold_text(*model.threshold_rule)));
  }
  if (decides_by_row(model))
    out += labelled_line("decision", fmt::format("the class of the least expected cost, by the prices of each row: {}",
                                                 shown(costs_text(*model.costs))));
  else if (model.costs && model.classes.size() > 2)
    out += labelled_line("decision", has_probabilities(model)
                                         ? "the class of the least expected cost"
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
  out = labelled_line("basis", out);
  if (b.by_size)
    out += labelled_line(
        "", fmt::format("chosen by size: a machine of all {} rows takes more than some minutes", report.rows));
  if (b.automatic) {
    std::vector<std::string> tried;
    for (const auto& [size, criterion] : b.sizes) tried.push_back(fmt::format("{} ({:.4g})", size, criterion));
    out += labelled_line("", fmt::format("sizes tried, and the criterion: {}", join(tried)));
  }
  if (b.selected_on < report.rows)
    out += labelled_line("", fmt::format("rows and parameters were selected on {} of {} rows, the fit is of all",
                                         b.selected_on, report.rows));
  return out;
}

std::string search_text(const FitReport::Search& search) {
  if (search.method == "none") return labelled_line("search", "none: every parameter was given");
  std::string out =
      fmt::format("{}, {}: {}, {}, {:.2g} s", shown(search.method), name_of(search.stop),
                  plural(search.evaluations, "evaluation"), plural(search.gradients, "gradient"), search.seconds);
  if (search.optima.size() > 1)
    out += fmt::format("; {} optima, the next higher by {:.2g}", search.optima.size(),
                       search.optima[1].criterion - search.optima[0].criterion);
  out = labelled_line("search", out);
  if (search.scouted > 0)
    out += labelled_line("", fmt::format("from the optimum for a sample of {} rows", search.scouted));
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
    if (names.size() <= most_features) return join(names);
    const std::size_t more = names.size() - most_features;
    names.resize(most_features);
    return fmt::format("{} and {} more", join(names), more);
  };
  std::string out;
  if (!codes.empty()) out += labelled_line("codes", fmt::format("{}: a feature for each value", shown(listed(codes))));
  if (!scores.empty())
    out += labelled_line("scores", fmt::format("{}: normal scores of their ranks", shown(listed(scores))));
  return out;
}

std::string stack_lines(const Model& model) {
  std::string out = labelled_line("stack", "outputs are added up, each times its weight");
  for (const Member& m : model.members)
    out += fmt::format("    {:<6.3f} {:<24} {}, {} = {:.4g}\n", m.weight, shown(m.name), form_text(m.machine.kernel),
                       shown(m.machine.report.regulariser()), m.machine.lambda);
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
         labelled_line(shown(report.regulariser()), fmt::format("{:.4g}", model.lambda)) + seen_line(model) +
         basis_lines(report);
  if (model.inference)
    out += labelled_line("prior", fmt::format("mean {:.4g}, variance {:.4g} times the kernel; {} likelihood",
                                              model.b[0], 1.0 / model.lambda, name_of(model.loss)));
  out += labelled_line(
      "criterion",
      fmt::format("{} = {:.4g}{}{}", shown(report.criterion), report.criterion_value, criterion_words(model),
                  report.optimistic ? " (optimistic: the parameters were chosen to make it small)" : ""));
  out += search_text(report.search) + decision_lines(model) + choice_text(report) + held_out_lines(model);
  return shown_lines(out);
}

std::string inspect_text(const Model& model) {
  const Encoding& encoding = model.encoding;
  std::string out = fit_text(model);
  Index rows = model.alpha.rows();
  for (const Member& m : model.members) rows += m.machine.alpha.rows();
  out += fmt::format("the model: {} in the expansion, held-out outputs of {}\n", plural(rows, "row"),
                     plural(model.held_out.size() / std::max<Index>(1, model.held_out.repeats()), "row"));
  out += relevance_command(model);
  if (!encoding.weight_column.empty())
    out += fmt::format("rows count by {}, in data that have it\n", shown(encoding.weight_column));
  if (encoding.features.empty()) return out;
  out += fmt::format("features{}:\n", encoding.sparse ? " (sparse)" : "");
  std::size_t width = 4;
  const std::size_t listed = std::min(most_features, encoding.features.size());
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
