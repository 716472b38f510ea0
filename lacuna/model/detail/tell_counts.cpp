#include "lacuna/model/detail/tell_counts.hpp"

#include "lacuna/model/detail/make_problem.hpp"

namespace lacuna::detail {
namespace {

// What each row counts where it is judged.
Vector counts_of_rows(const FitReport& report, const Dataset& data, const TrainOptions& options) {
  if (!report.weighted) return Vector::Ones(report.rows);
  return data.weight_unit.value_or(1.0) *
         weights_for(options.select.weights, data.select_weights, data, report.rows, "selection");
}

}  // namespace

void tell_counts(Model& model, const Dataset& data, const TrainOptions& options) {
  const Vector counts = counts_of_rows(model.report, data, options);
  HeldOutRows& h = model.held_out;
  if (h.weight.size() > 0) {
    const Vector& w = data.weights;
    const bool alike = w.size() == 0 || (w.array() == w[0]).all();
    h.weight = alike ? Vector() : Vector((data.weight_unit.value_or(1.0) * w).replicate(h.repeats(), 1));
  }
  if (h.judged.size() > 0) h.judged = counts.replicate(h.repeats(), 1);
  // Every row is decided to be of some class.
  if (Matrix& c = model.report.confusion; c.size() > 0) c *= counts.sum() / c.sum();
}

}  // namespace lacuna::detail
