#include "lacuna/report/page/without_search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lacuna/kernel/specification.hpp"
#include "lacuna/model/machine.hpp"
#include "lacuna/report/shell_word.hpp"

namespace lacuna::page {
namespace {

// The machine with the parameters of its loss, and of a Gaussian process its likelihood and mean.
std::string machine_words(const Model& model) {
  std::vector<std::string> parts;
  for_each_parameter(model.loss,
                     [&](std::string_view name, double value) { parts.push_back(fmt::format("{}={}", name, value)); });
  if (model.inference) {
    parts.clear();
    const bool other = model.loss.index() != parse_machine(model.report.model).loss.index();
    if (other) parts.emplace_back(name_of(model.loss));
    if (model.b[0] != 0.0) parts.push_back(fmt::format("mean={}", model.b[0]));
  }
  std::string out = model.report.model;
  for (std::size_t k = 0; k < parts.size(); ++k) out += (k == 0 ? ":" : ",") + parts[k];
  return out;
}

std::string named(const std::string& option, const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  return names.empty() ? "" : fmt::format(" {} {}", option, shell_word(all));
}

std::string weighting_words(const char* option, Weighting weighting, const std::string& column) {
  if (weighting == Weighting::balanced) return fmt::format(" {} balanced", option);
  return weighting == Weighting::column && !column.empty() ? fmt::format(" {} {}", option, shell_word(column)) : "";
}

// What a model knows of the roles of columns and of decisions, where nobody knows what was typed.
std::string as_the_model_knows(const Model& model) {
  const FitReport& report = model.report;
  const Encoding& code = model.encoding;
  std::string out = "lacuna fit DATA";
  for (const std::string& t : model.target_names) out += " --target " + shell_word(t);
  if (model.task == Task::counts) out += " --task counts";
  if (!model.classes.empty()) out += " --task classification";
  if (model.task == Task::binary) {
    std::vector<std::string> natural = model.classes;
    sort_labels(natural);
    if (natural != model.classes) out += " --positive " + shell_word(model.classes[1]);
  }
  std::vector<std::string> columns, categories;
  for (const ColumnCode& c : code.columns) {
    columns.push_back(c.name);
    if (c.categorical) categories.push_back(c.name);
  }
  const auto roles = std::size_t(code.table_columns) - std::min(std::size_t(code.table_columns), columns.size());
  std::size_t known = model.target_names.size();
  for (const std::string* column :
       {&code.offset_column, &code.weight_column, &code.train_weight_column, &code.select_weight_column, &report.group})
    known += column->empty() ? 0 : 1;
  if (roles > known) out += named("--features", columns);
  out += named("--categorical", categories);
  if (!code.offset_column.empty())
    out += (code.offset_is_exposure ? " --exposure " : " --offset ") + shell_word(code.offset_column);
  if (!code.weight_column.empty()) out += " --weights " + shell_word(code.weight_column);
  if (report.repeat) {
    out += weighting_words("--train-weights", report.repeat->train_weights, code.train_weight_column);
    out += weighting_words("--select-weights", report.repeat->select_weights, code.select_weight_column);
  }
  if (!report.group.empty()) out += " --group " + shell_word(report.group);
  if (code.missing == Missing::mean) out += " --missing mean";
  if (code.missing == Missing::drop) out += " --missing drop";
  if (code.missing == Missing::indicator) out += " --missing indicator";
  const auto plain = [](const FeatureCode& f) { return f.centre == 0.0 && f.scale == 1.0; };
  if (std::ranges::all_of(code.features, plain)) out += " --no-standardise";
  if (report.cv != "loo") out += " --cv " + shell_word(report.cv);
  if (report.repeat && report.repeat->seed != 0) out += fmt::format(" --seed {}", report.repeat->seed);
  if (report.refitted > 0) out += " --refit-flagged";
  if (model.costs) out += " --cost " + shell_word(costs_text(*model.costs));
  const bool of_costs = model.costs && !by_row(*model.costs) && model.task == Task::binary;
  if (model.threshold_rule &&
      !(of_costs && threshold_text(*model.threshold_rule) == threshold_text(rule_of(*model.costs))))
    out += " --threshold " + shell_word(threshold_text(*model.threshold_rule));
  return out;
}

}  // namespace

std::vector<std::string> options_not_known(const Model& model) {
  const Encoding& code = model.encoding;
  const auto& repeat = model.report.repeat;
  std::vector<std::string> out;
  if (code.weight_column.empty() && model.held_out.weight.size() > 0) out.emplace_back("--weights COL");
  const auto nameless = [](Weighting weighting, const std::string& column) {
    return weighting == Weighting::column && column.empty();
  };
  if (repeat && nameless(repeat->train_weights, code.train_weight_column)) out.emplace_back("--train-weights COL");
  if (repeat && nameless(repeat->select_weights, code.select_weight_column)) out.emplace_back("--select-weights COL");
  if (model.report.group.empty() && !model.held_out.group.empty()) out.emplace_back("--group COL");
  return out;
}

std::string command_without_search(const Model& model, const PageOptions& options) {
  const FitReport& report = model.report;
  const bool custom = std::holds_alternative<kernels::Custom>(model.kernel.form) ||
                      uses_geometry(model.kernel, kernels::Geometry::given);
  const bool found_basis = report.basis && report.search.method != "none";
  if (!model.members.empty() || custom || !model.representation.empty() || found_basis ||
      kernel_parameters(model.kernel).size() > 60)
    return "";
  if (options.command_without_choices.empty() && (report.basis || model.encoding.columns.empty())) return "";
  std::string out =
      options.command_without_choices.empty() ? as_the_model_knows(model) : options.command_without_choices;
  // Several classes by default: least squares, whose outputs become probabilities inside the selection. Named, the
  // machine would be the one of the papers, which has none.
  const bool by_default = model.task == Task::multiclass && is_quadratic(model.loss) && report.criterion == "xent";
  if (!by_default) out += " --model " + shell_word(machine_words(model));
  out += fmt::format(" --kernel {} --{} {} --search none", shell_word(kernel_text(model.kernel)), report.regulariser(),
                     model.lambda);
  if (!model.classes.empty() && !model.inference && !by_default)
    out += model.calibration.fitted ? " --recalibrate" : " --no-recalibrate";
  return out;
}

}  // namespace lacuna::page
