#include "lacuna/curves/again.hpp"

#include "lacuna/model/machine.hpp"

namespace lacuna {
namespace {

std::string why_not(const Model& model, const ExplainRows& rows) {
  if (!model.members.empty()) return "a stack is several machines, each with hyper-parameters of its own";
  if (!rows.missing.empty()) return rows.missing;
  if (model.report.basis) return "the model keeps the rows of its basis, not all of its training rows";
  if (!rows.trained_on) return "the model does not keep its training rows";
  if (model.report.weighted || rows.weight.size() > 0) return "the rows have weights, which it would not count by";
  if (!model.report.group.empty()) return "rows were held out in groups, which it would part";
  if (rows.label.empty() && rows.target.size() == 0) return "the model does not keep its targets";
  if (uses(model.kernel, Geometry::given) || std::holds_alternative<Custom>(model.kernel.form))
    return "the kernel is a matrix or a function of the caller's";
  return "";
}

}  // namespace

FitAgain fit_again(const Model& model, const ExplainRows& rows) {
  FitAgain out{.missing = why_not(model, rows)};
  if (!out.missing.empty()) return out;
  Dataset& data = out.data;
  data.X = rows.X;
  data.task = model.task;
  data.classes = model.classes;
  data.label = rows.label;
  if (model.classes.empty()) data.targets = rows.target;
  data.target_names = model.target_names;
  data.offset = rows.offset;
  data.source_row = rows.row;
  Machine machine = parse_machine(model.report.model);
  machine.loss = model.loss;
  machine.inference = model.inference;
  if (model.inference) machine.mean = model.b[0];
  TrainOptions& options = out.options;
  // Several classes by default: least squares, whose outputs become probabilities inside the selection. Named, the
  // machine would be the one of the papers, which has none.
  const bool by_default =
      model.task == Task::multiclass && is_quadratic(model.loss) && model.report.criterion == "xent";
  if (!by_default) options.model = machine;
  options.kernel = parse_kernel(kernel_text(model.kernel));
  options.lambda = model.lambda;
  options.basis = BasisRequest{.none = true};
  options.select.search = SearchMethod::none;
  options.select.criterion = parse_criterion(model.report.criterion);
  options.select.cv = parse_cross_validation(model.report.cv);
  options.held_out.recalibrate = model.calibration.fitted;
  options.held_out.intervals = false;
  return out;
}

std::string main_score(const Model& model) {
  if (!model.classes.empty()) return has_probabilities(model) ? "xent" : "error";
  return gives_rates(model.loss) ? "deviance" : "rmse";
}

}  // namespace lacuna
