#include "lacuna/choose/choose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lacuna/base/error.hpp"
#include "lacuna/base/paired.hpp"
#include "lacuna/choose/detail/blend.hpp"
#include "lacuna/choose/detail/comparison.hpp"
#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/model/detail/join_copies.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/overdispersion.hpp"
#include "lacuna/model/work.hpp"

namespace lacuna {
namespace {

using detail::Comparison;
using detail::mean_loss;
using detail::Tried;

// `chosen`: its loss, by row.
FitReport::Choice record(const Comparison& comparison, Effort effort, const Vector& chosen,
                         const std::vector<const Tried*>& among, const Vector& weights) {
  const Yardstick& judged = comparison.compared().judged;
  FitReport::Choice out{.effort = std::string(name_of(effort)),
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
  const std::vector<const Tried*> among = comparison.finished();
  const detail::Blend blend = detail::blend(compared, among, effort);
  const Vector& weights = blend.weights;
  Matrix chosen = Matrix::Zero(among[0]->z.rows(), among[0]->z.cols());
  std::vector<Matrix> in_folds, with_all_rows;
  for (std::size_t k = 0; k < among.size(); ++k) {
    chosen += weights[Index(k)] * among[k]->z;
    in_folds.push_back(among[k]->z);
    with_all_rows.push_back(blend.uses(k)
                                ? detail::as_with_all_rows(*among[k], compared.data, compared.folds, compared.options)
                                : Matrix{});
  }
  const Matrix honest = detail::held_out(blend, compared.folds, with_all_rows);
  Index most = 0;
  weights.maxCoeff(&most);
  const bool several = (weights.array() > 0.0).count() > 1;
  Model out = several ? detail::stack(compared, among, weights, honest)
                      : detail::single(compared, *among[std::size_t(most)], honest);
  out.report.choice = record(comparison, effort, row_losses(compared.judged, chosen), among, weights);
  drop_words_on_one_machine(out.report.warnings, several);
  if (several) {
    const Vector& w = compared.judged.weights;
    out.report.criterion_value =
        w.dot(row_losses(compared.judged, detail::held_out(blend, compared.folds, in_folds))) / w.sum();
    out.report.optimistic = false;
  }
  if (comparison.stop() != Stop::none)
    out.report.warnings.push_back(
        {Warning::Code::choice_cut_short,
         fmt::format("{} before all candidates were tried: this is the best of {}",
                     comparison.stop() == Stop::interrupted ? "interrupted" : "the time limit ran out",
                     comparison.finished().size())});
  return out;
}

// On rows that count, in units of their own, each of them once.
Model chosen(const Dataset& data, TrainOptions options, const ChooseOptions& how) {
  const bool open = options.model && leaves_open(options.model->loss);
  if (open) options.model = detail::resolve_machine(data, options);  // one loss for all candidates
  Comparison comparison(data, options, how);
  comparison.try_all();
  Model out = assembled(comparison, how.effort);
  out.report.repeat = {options.select.search_options.seed, options.train_weights, options.select.weights};
  out.report.seconds = comparison.seconds();
  // Of the honest outputs, one for each row.
  const bool known = open && out.report.counts && out.held_out.size() == data.size();
  if (const auto* loss = std::get_if<losses::NegativeBinomial>(&out.loss); known && loss != nullptr)
    out.report.counts->overdispersion_error =
        overdispersion_error(loss->overdispersion, comparison.compared().truth, out.held_out.output);
  return out;
}

// Regularisers go from one fit to the next without a unit: divided by it and multiplied again they would be other ones.
Model chosen_in_unit(Dataset& data, const TrainOptions& options, const ChooseOptions& how) {
  const double unit = detail::regulariser_unit(data, options);
  data.weight_unit = data.train_weight_unit = 1.0;
  Model out = chosen(data, options, how);
  detail::tell_in_unit(out, unit);
  for (Member& member : out.members) detail::tell_in_unit(member.machine, unit);
  if (out.report.choice)
    for (auto& c : out.report.choice->candidates) c.lambda *= unit;
  return out;
}

}  // namespace

Model train(const Dataset& data, const TrainOptions& given, const ChooseOptions& how) {
  check_choice(given, how);
  if (how.effort == Effort::quick) return train(data, given);
  Dataset counted = rows_that_count(data);
  TrainOptions options = given;
  options.run.announce = {};  // it knows of one machine, and here are many
  if (basis_by_size(counted.size(), counted.X.cols(), 1, automatic_machine(counted.task), options))
    options.basis = BasisRequest{.none = true};  // candidates are machines of all rows
  detail::check_data(counted, counted.X, counted.X.cols(), options);
  take_units_out(counted);
  options.select.cv = resolve_cross_validation(options.select.cv, counted);
  // Before anything is learned about columns, rows or candidates: all of it sees copies as one row of their weight.
  detail::JoinedCopies joined = detail::join_copies(counted, options);
  if (joined.place.empty()) return chosen_in_unit(counted, options, how);
  Model out = chosen_in_unit(joined.data, options, how);
  detail::part_copies(out, joined, counted, options);
  return out;
}

}  // namespace lacuna
