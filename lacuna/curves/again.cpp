#include "lacuna/curves/again.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/curves/counted.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/model/machine.hpp"

namespace lacuna {
namespace {

std::string why_not(const Model& model, const ExplainRows& rows) {
  if (!model.members.empty()) return "a stack is several machines, each with hyper-parameters of its own";
  if (!rows.missing.empty()) return rows.missing;
  if (model.report.basis) return "the model keeps the rows of its basis, not all of its training rows";
  if (!rows.trained_on) return "the model does not keep its training rows";
  if (!knows_weights(model))
    return "the rows have weights, and the model's file is of a program that did not keep them";
  if (rows.label.empty() && rows.target.size() == 0) return "the model does not keep its targets";
  if (uses_geometry(model.kernel, kernels::Geometry::given) ||
      std::holds_alternative<kernels::Custom>(model.kernel.form))
    return "the kernel is a matrix or a function of the caller's";
  return "";
}

// What each row counted in the fit, over its weight: the precisions of the system that was solved are
// beta_i = zeta_i c''(z_i). Rows where the loss is all but straight do not tell, and are as the others are.
Vector counted_in_fit(const Model& model, const Machine& machine, const Dataset& data,
                      const std::vector<Index>& first) {
  const Matrix t = machine_targets(machine, data);
  const Index n = data.size();
  Vector bend(n);
  for (Index i = 0; i < n; ++i) {
    const double offset = data.offset.size() > 0 ? data.offset[i] : 0.0;
    bend[i] = at(model.loss, model.held_out.fitted(first[std::size_t(i)], 0) + offset, t(i, 0)).c2;
  }
  Vector out = model.sites.col(0).cwiseQuotient(bend.cwiseProduct(weights_or_ones(data.weights, n)));
  std::vector<double> known;
  const double least = 1e-4 * bend.maxCoeff();
  for (Index i = 0; i < n; ++i)
    if (bend[i] > least) known.push_back(out[i]);
  std::ranges::nth_element(known, known.begin() + std::ptrdiff_t(known.size() / 2));
  for (Index i = 0; i < n; ++i)
    if (!(bend[i] > least)) out[i] = known[known.size() / 2];
  return out;
}

// Weights of training (where they differ from the rows' own) and of judging, and the unit that lambda is told in.
void set_weights(FitAgain& to, const Model& model, const Machine& machine) {
  const HeldOutRows& h = model.held_out;
  Dataset& data = to.data;
  const std::vector<Index> place = places_in_expansion(h, data.size()), first = rows_of_expansion(h, data.size());
  if (h.judged.size() > 0 && !place.empty()) {
    Vector judged = Vector::Zero(data.size());
    for (std::size_t i = 0; i < place.size(); ++i) judged[place[i]] += h.judged[Index(i)];
    data.select_weights = judged.cwiseQuotient(weights_or_ones(data.weights, data.size()));
    to.options.select.weights = Weighting::column;
  }
  if (model.inference || model.sites.rows() != data.size() || h.fitted.size() == 0 || first.empty()) return;
  const Vector ratio = counted_in_fit(model, machine, data, first);
  const double middle = 0.5 * (ratio.minCoeff() + ratio.maxCoeff());
  constexpr double same = 1e-5;  // fits end within their tolerance
  if (ratio.maxCoeff() - ratio.minCoeff() <= same * middle) {
    if (std::abs(middle - 1.0) > same) data.weight_unit = middle;
  } else {
    data.train_weights = ratio;
    to.options.train_weights = Weighting::column;
  }
  if (!data.weight_unit) data.weight_unit = data.train_weight_unit = 1.0;  // there is none to take out
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
  data.weights = rows.weight;
  data.group = rows.group;
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
  if (model.report.repeat)
    options.select.search_options.seed = options.select.criterion_options.seed = model.report.repeat->seed;
  options.held_out.recalibrate = model.calibration.fitted;
  options.held_out.intervals = false;
  set_weights(out, model, machine);
  return out;
}

std::string main_score(const Model& model) {
  if (!model.classes.empty()) return has_probabilities(model) ? "xent" : "error";
  return gives_rates(model.loss) ? "deviance" : "rmse";
}

}  // namespace lacuna
