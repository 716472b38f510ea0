#include "lacuna/report/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>

#include "lacuna/base/names.hpp"
#include "lacuna/base/shown.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/report/column_weights.hpp"
#include "lacuna/report/csv_line.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_lines = 30;  // lines of a list, in a text for people

// 0.22 and not 0.2213457, but 17.5 where the numbers are large.
std::string figure(double value) { return fmt::format("{:.3g}", std::abs(value) < 1e-14 ? 0.0 : value); }

// A value of a column: numbers with a few digits, levels as they are.
std::string value_shown(const std::string& value) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_number = error == std::errc() && end == value.data() + value.size();
  return is_number ? fmt::format("{:.4g}", number) : shown(value);
}

std::string more(std::size_t all) {
  return all > most_lines ? fmt::format("  and {} more (--json has them all)\n", all - most_lines) : "";
}

std::string of_what(const Model& model, const Explanation& e) {
  if (model.classes.size() == 2) return fmt::format("{} of {}", e.predicts, shown(e.outputs[0]));
  if (e.outputs.size() == 1) return shown(e.outputs[0]);
  return e.predicts;
}

// A rate is compared by its ratio, everything else by its difference.
std::string change_text(const Model& model, const Effect& effect, std::size_t c) {
  const double from = effect.at_low.mean[c], to = effect.at_high.mean[c];
  if (gives_rates(model.loss) && from > 0.0) return fmt::format("(x{})", figure(to / from));
  return fmt::format("({}{})", effect.change[c] < 0.0 ? "" : "+", figure(effect.change[c]));
}

std::string counted_text(const Explanation& e) {
  if (!e.counted_by.empty()) return " counted by " + shown(e.counted_by);
  return e.weighted ? " by weight" : "";
}

std::string effects_text(const Model& model, const Explanation& e) {
  if (!e.missing.empty()) return fmt::format("no effects: {}; give data: lacuna explain MODEL DATA\n", e.missing);
  std::string out = fmt::format("effects on {}: mean over {}{} {}{}, the column changed and all else as it is\n",
                                of_what(model, e), e.rows == e.of_rows ? "" : fmt::format("a sample of {} of ", e.rows),
                                e.of_rows, e.trained_on ? "training rows" : "rows", counted_text(e));
  if (e.trained_on && !knows_weights(model))
    out +=
        "  (rows count alike here and in importance: an older program, which did not keep weights, wrote the model)\n";
  const std::size_t listed = std::min(most_lines, e.effects.size());
  std::size_t width = 4, ends = 4;
  for (std::size_t k = 0; k < listed; ++k) {
    width = std::max(width, shown(e.effects[k].column).size());
    ends = std::max(ends, value_shown(e.effects[k].from).size() + value_shown(e.effects[k].to).size() + 4);
  }
  for (std::size_t k = 0; k < listed; ++k) {
    const Effect& one = e.effects[k];
    const std::string span = fmt::format("{} -> {}", value_shown(one.from), value_shown(one.to));
    for (std::size_t c = 0; c < one.change.size(); ++c) {
      out += fmt::format("  {:<{}}  {:<{}}  ", c == 0 ? shown(one.column) : "", width, c == 0 ? span : "", ends);
      if (one.change.size() > 1) out += shown(e.outputs[c]) + ": ";
      out += fmt::format("{} -> {} {}", figure(one.at_low.mean[c]), figure(one.at_high.mean[c]),
                         change_text(model, one, c));
      if (one.standard_error[c] > 0.0) out += fmt::format(" s.e. {}", fmt::format("{:.2g}", one.standard_error[c]));
      out += '\n';
    }
  }
  return out + more(e.effects.size());
}

std::string pairs_text(const Model& model, const Explanation& e) {
  if (e.pairs.empty()) return "";
  std::string out =
      fmt::format("pairs, {}: both low, second high, first high, both high; interaction is what single effects leave\n",
                  of_what(model, e));
  for (std::size_t k = 0; k < std::min(most_lines, e.pairs.size()); ++k) {
    const PairEffect& p = e.pairs[k];
    out += fmt::format("  {} {} -> {}, {} {} -> {}\n", shown(p.first), value_shown(p.first_from),
                       value_shown(p.first_to), shown(p.second), value_shown(p.second_from), value_shown(p.second_to));
    for (std::size_t c = 0; c < p.corners.size(); ++c) {
      std::vector<std::string> corners;
      for (const double mean : p.corners[c]) corners.push_back(figure(mean));
      out += fmt::format("    {}{}  interaction {}{}\n", p.corners.size() > 1 ? shown(e.outputs[c]) + ": " : "",
                         join(corners), p.interaction[c] < 0.0 ? "" : "+", figure(p.interaction[c]));
    }
  }
  return out + more(e.pairs.size());
}

std::string importance_text(const Model& model, const ImportanceReport& i) {
  if (i.how.empty() && i.missing.empty()) return "";
  if (i.how.empty())
    return fmt::format("no importance: {}; rows with a target that the model was not trained on can be given as DATA\n",
                       i.missing);
  const bool classes = !model.classes.empty();
  std::string out =
      fmt::format("importance: how much the {} of {} {} ({} as they are) grows when a column is permuted, {} times\n",
                  i.loss == "xent" ? "cross-entropy" : i.loss, i.rows,
                  i.how == "held-out" ? "held-out rows" : "new rows", figure(i.without), i.permutations);
  if (i.how == "held-out")
    out += fmt::format("  (each row is judged by the machine without its fold, one of {}{}, in closed form{})\n",
                       i.folds, i.grouped ? " that keep groups together" : "",
                       is_quadratic(model.loss) && !model.inference ? "" : ": approximate");
  const std::size_t listed = std::min(most_lines, i.columns.size());
  std::size_t width = 4;
  for (std::size_t k = 0; k < listed; ++k) width = std::max(width, shown(i.columns[k].column).size());
  for (std::size_t k = 0; k < listed; ++k) {
    const Importance& one = i.columns[k];
    out += fmt::format("  {:<{}}  {}{} s.e. {:.2g}", shown(one.column), width, one.increase < 0.0 ? "" : "+",
                       figure(one.increase), one.standard_error);
    if (classes && i.loss != "error")
      out += fmt::format("   error {}{:.3g} %", one.error_increase < 0.0 ? "" : "+", 100.0 * one.error_increase);
    out += '\n';
  }
  return out + more(i.columns.size());
}

std::string coefficients_text(const Model& model, const Explanation& e) {
  const Coefficients& of = e.coefficients;
  if (of.columns.empty()) return "";
  const auto numbers = [](const std::vector<double>& values) {
    std::vector<std::string> out;
    for (const double v : values) out.push_back(fmt::format("{:.5g}", v));
    return join(out);
  };
  std::string out = "coefficients: change of the output for one unit of the column, in the units of the data\n";
  if (of.intercept.size() > 1)
    out += fmt::format("  (outputs: {})\n", shown(join(model.classes.empty() ? model.target_names : model.classes)));
  std::size_t width = 9;
  const auto label = [](const Coefficient& c) {
    return shown(c.level.empty() ? c.column : fmt::format("{}={}", c.column, c.level));
  };
  const std::size_t listed = std::min(most_lines, of.columns.size());
  for (std::size_t k = 0; k < listed; ++k) width = std::max(width, label(of.columns[k]).size());
  out += fmt::format("  {:<{}}  {}\n", "intercept", width, numbers(of.intercept));
  for (std::size_t k = 0; k < listed; ++k)
    out += fmt::format("  {:<{}}  {}\n", label(of.columns[k]), width, numbers(of.columns[k].of_output));
  return out + more(of.columns.size());
}

std::string neighbours_text(const Model& model, const Explanation& e) {
  if (!e.neighbourhood) return "";
  const Neighbourhood& n = *e.neighbourhood;
  if (!n.missing.empty()) return fmt::format("row {}: no neighbours: {}\n", n.row, n.missing);
  std::string out = fmt::format(
      "row {}: output {}{}, of which {} is no row's\n", n.row, figure(n.value),
      model.alpha.cols() > 1 ? fmt::format(" ({})", shown(e.outputs[std::size_t(n.output)])) : "", figure(n.rest));
  const auto list = [&](const char* title, const std::vector<Neighbour>& rows) {
    out += fmt::format("  {}\n    {:>8}  {:>9}  {:>10}  target\n", title, "row", "distance", "pull");
    for (const Neighbour& one : rows)
      out += fmt::format("    {:>8}  {:>9.3g}  {:>+10.3g}  {}\n", one.row ? std::to_string(*one.row) : "-",
                         one.distance, one.pull, shown(one.target));
  };
  list("nearest training rows, as the kernel sees them:", n.nearest);
  list("training rows that pull most:", n.strongest);
  return out;
}

}  // namespace

std::string explanation_text(const Model& model, const Explanation& e) {
  std::string out = effects_text(model, e) + pairs_text(model, e) + importance_text(model, e.importance) +
                    coefficients_text(model, e) + relevance_lines(model) + neighbours_text(model, e);
  return shown_lines(out);
}

void write_curves_csv(const Explanation& e, std::ostream& out) {
  CsvLine(out) << "column"
               << "value"
               << "output"
               << "mean"
               << "lower"
               << "upper";
  for (const CurvePoint& p : e.curves)
    CsvLine(out) << csv_cell(p.column) << csv_cell(p.value) << csv_cell(e.outputs[std::size_t(p.output)]) << p.mean
                 << p.lower << p.upper;
}

}  // namespace lacuna
