#include "lacuna/choose/choose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lacuna/base/error.hpp"
#include "lacuna/base/paired.hpp"
#include "lacuna/choose/detail/comparison.hpp"
#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/overdispersion.hpp"
#include "lacuna/model/work.hpp"

namespace lacuna {
namespace {

using detail::Comparison;
using detail::mean_loss;
using detail::Tried;

// The least honest loss, of those that are better than the plain machine beyond chance.
const Tried& preferred(const Comparison& comparison) {
  const Yardstick& judged = comparison.compared().judged;
  const Vector& w = judged.weights;
  const Tried& plain = comparison.tried().front();
  const Tried* best = &plain;
  for (const Tried* t : comparison.finished()) {
    const Paired gain = paired(plain.loss - t->loss, w, judged.group, t->rows);
    if (gain.mean > gain.standard_error && mean_loss(*t, w) < mean_loss(*best, w)) best = t;
  }
  return *best;
}

// `chosen`: its loss, by row.
FitReport::Choice record(const Comparison& comparison, Effort effort, const Vector& chosen,
                         const std::vector<const Tried*>& among, const Vector& weights) {
  const Yardstick& judged = comparison.compared().judged;
  FitReport::Choice out{.effort = std::string(name(effort)),
                        .folds = int(comparison.compared().folds.size()),
                        .loss = judged.weights.dot(chosen) / judged.weights.sum(),
                        .stop = comparison.stop()};
  for (const Tried& t : comparison.tried()) {
    FitReport::Choice::Candidate c{.name = t.candidate.name, .seconds = t.seconds, .left = t.left};
    if (t.model.report.search.stop != Stop::interrupted && t.model.alpha.size() > 0)
      c.kernel = kernel_text(t.model.kernel), c.lambda = t.model.lambda;
    if (t.complete()) {
      c.loss = mean_loss(t, judged.weights);
      const Paired d = paired(t.loss - chosen, judged.weights, judged.group, t.rows);
      c.difference = d.mean, c.standard_error = d.standard_error;
    }
    for (std::size_t k = 0; k < among.size(); ++k)
      if (among[k] == &t) c.weight = weights[Index(k)];
    out.candidates.push_back(std::move(c));
  }
  return out;
}

// The plain machine as it is, where it could not be compared with anything.
Model alone(const Comparison& comparison) {
  const detail::Compared& compared = comparison.compared();
  const Tried& plain = comparison.tried().front();
  Model out = plain.model;
  if (out.report.search.stop == Stop::interrupted) return out;
  out.report.warnings.push_back({Warning::Code::nothing_compared,
                                 fmt::format("the plain machine was taken: {}",
                                             plain.left == "stopped" ? "there was no time to compare it with others"
                                                                     : "no comparison: " + plain.left)});
  const HeldOutOptions& kept = compared.options.held_out;
  const Index l = compared.data.size();
  if (kept.intervals && compared.data.label.empty() && !gives_rates(out.loss))
    out.intervals = detail::honest_intervals(compared, out.held_out.output.topRows(l), 0);
  if (!kept.keep || l > kept.most) out.held_out = {};
  return out;
}

// Advice to take a plainer kernel is none where that was a candidate; and what a search said about one machine is not
// about a stack of several.
void drop_words_on_one_machine(Warnings& warnings, bool several) {
  using enum Warning::Code;
  constexpr Warning::Code of_search[] = {search_time,         search_evaluations,    at_bound,
                                         irrelevant_features, one_step_contradicted, held_out_approximate};
  std::erase_if(warnings, [&](const Warning& w) {
    return w.code == plainer_kernel || (several && std::ranges::find(of_search, w.code) != std::end(of_search));
  });
}

Model assembled(const Comparison& comparison, Effort effort) {
  if (!comparison.tried().front().complete()) return alone(comparison);
  const detail::Compared& compared = comparison.compared();
  std::vector<const Tried*> among{&preferred(comparison)};
  Vector weights = Vector::Ones(1);
  if (effort == Effort::best) {
    among = comparison.finished();
    std::vector<Matrix> z;
    for (const Tried* t : among) z.push_back(t->z);
    weights = stack_weights(compared.judged, z);
  }
  Index most = 0;
  weights.maxCoeff(&most);
  const Tried& one = *among[std::size_t(most)];
  const bool several = (weights.array() > 0.0).count() > 1;
  Matrix z = Matrix::Zero(one.z.rows(), one.z.cols()), with_all_rows = z;
  for (std::size_t k = 0; k < among.size(); ++k)
    if (const double w = weights[Index(k)]; w > 0.0) {
      z += w * among[k]->z;
      with_all_rows += w * detail::as_with_all_rows(*among[k], compared.data, compared.folds, compared.options);
    }
  Model out =
      several ? detail::stack(compared, among, weights, with_all_rows) : detail::single(compared, one, with_all_rows);
  out.report.choice = record(comparison, effort, row_losses(compared.judged, z), among, weights);
  drop_words_on_one_machine(out.report.warnings, several);
  if (several) out.report.criterion_value = out.report.choice->loss, out.report.optimistic = false;
  if (comparison.stop() != Stop::none)
    out.report.warnings.push_back(
        {Warning::Code::choice_cut_short,
         fmt::format("{} before all candidates were tried: this is the best of {}",
                     comparison.stop() == Stop::interrupted ? "interrupted" : "the time limit ran out",
                     comparison.finished().size())});
  return out;
}

}  // namespace

Model train(const Dataset& data, const TrainOptions& given, const ChooseOptions& how) {
  check_choice(given, how);
  if (how.effort == Effort::quick) return train(data, given);
  Dataset used = rows_that_count(data);
  TrainOptions options = given;
  options.run.announce = {};  // it knows of one machine, and here are many
  if (basis_by_size(used.size(), used.X.cols(), 1, automatic_machine(used.task), options))
    options.basis = BasisRequest{.none = true};  // candidates are machines of all rows
  detail::check_data(used, used.X, used.X.cols(), options);
  take_units_out(used);
  options.select.cv = resolve(options.select.cv, used);
  const bool open = options.model && leaves_open(options.model->loss);
  if (open) options.model = detail::resolve_machine(used, options);  // one loss for all candidates
  detail::Comparison comparison(used, options, how);
  comparison.try_all();
  Model out = assembled(comparison, how.effort);
  out.report.seconds = comparison.seconds();
  // Of the honest outputs, one for each row.
  const bool known = open && out.report.counts && out.held_out.size() == used.size();
  if (const auto* loss = std::get_if<NegativeBinomial>(&out.loss); known && loss != nullptr)
    out.report.counts->overdispersion_error =
        overdispersion_error(loss->overdispersion, comparison.compared().truth, out.held_out.output);
  return out;
}

}  // namespace lacuna
