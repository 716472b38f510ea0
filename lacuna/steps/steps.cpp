#include "lacuna/steps/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/loo/primal_held_out.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/detail/stages.hpp"

namespace lacuna {
namespace {

template <class Scalar, int Rows, int Cols, int Options>
void append(Eigen::Matrix<Scalar, Rows, Cols, Options>& to, const Eigen::Matrix<Scalar, Rows, Cols, Options>& more) {
  if (more.rows() == 0) return;
  const Index before = to.rows();
  to.conservativeResize(before + more.rows(), more.cols());
  to.bottomRows(more.rows()) = more;
}
template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

HeldOutPart joined(const std::vector<HeldOutPart>& parts) {
  HeldOutPart all;
  for (const HeldOutPart& part : parts) {
    if (all.data.source_row.empty()) {
      all.data = part.data;
    } else {
      append(all.data.label, part.data.label);
      append(all.data.targets, part.data.targets);
      append(all.data.weights, part.data.weights);
      append(all.data.offset, part.data.offset);
      append(all.data.source_row, part.data.source_row);
    }
    append(all.output, part.output);
    append(all.fitted, part.fitted);
    append(all.leverage, part.leverage);
  }
  return all;
}

RowSource elsewhere(Index rows) {
  return {rows, [](Index, Index) -> Rows {
            throw Error(Error::Kind::internal, "steps: rows of other places were asked for");
          }};
}

detail::FinalFit fit_of(const Plan& plan, HeldOutPart& rows) {
  const auto features = detail::features_of(plan);
  const Index n = features->size() - 1, m = rows.output.cols();
  detail::FinalFit fit;
  fit.alpha.resize(n, m);
  fit.b.resize(m);
  Index first = 0;
  for (const StepWalk& walk : plan.walks) {
    const Matrix a = features->coefficients(walk.p);
    fit.alpha.middleCols(first, a.cols()) = a.topRows(n);
    fit.b.segment(first, a.cols()) = a.bottomRows(1).transpose();
    first += a.cols();
  }
  fit.expansion = features->basis();
  fit.fitted = std::move(rows.fitted);
  fit.z = {std::move(rows.output)};
  fit.leverage = std::move(rows.leverage);
  fit.pair_auc = {Vector::Constant(m, std::nan(""))};
  fit.latent_mean.resize(1);
  fit.latent_variance.resize(1);
  return fit;
}

// Rows have numbers in the data, which a part alone does not know.
void require_once(std::vector<std::int64_t> row) {
  std::ranges::sort(row);
  if (const auto twice = std::ranges::adjacent_find(row); twice != row.end())
    fail_usage(
        fmt::format("steps: two held-out rows are row {} of the data; `first_row` is the number of a part's first row, "
                    "the sum of the rows that were read in the parts before it",
                    *twice));
}

}  // namespace

Statistics& Statistics::operator+=(const Statistics& others) {
  if (others.parts.empty()) return *this;
  if (parts.empty()) return *this = others;
  if (pass != others.pass || parts.size() != others.parts.size())
    fail_usage("steps: statistics of different passes cannot be added");
  if (kept != others.kept)
    fail_usage(
        "steps: statistics of different plans, or of processors that see the basis in another order, cannot be added");
  rows += others.rows;
  for (std::size_t k = 0; k < parts.size(); ++k) parts[k] += others.parts[k];
  return *this;
}

Statistics statistics(const Table& part, const Plan& plan) {
  if (plan.done()) fail_usage("steps: the plan is solved; there is nothing to sum");
  const ThreadScope threads(plan.options.run.threads);
  const detail::PartRows rows = detail::rows_of_part(part, plan, 0);
  const auto features = detail::features_of(plan);
  Statistics out{.pass = plan.passes,
                 .rows = rows.data.size(),
                 .kept = features->kept(),
                 .parts = std::vector<StepSums>(plan.walks.size())};
  for (std::size_t c = 0; c < plan.walks.size(); ++c)
    if (!plan.walks[c].done())
      out.parts[c] = step_sums(*features, rows.data.X, rows.learn, Index(c), plan.walks[c].next);
  return out;
}

Plan solve(Plan plan, const Statistics& all) {
  if (plan.done()) fail_usage("steps: the plan is solved already");
  if (all.pass != plan.passes || all.parts.size() != plan.walks.size())
    fail_usage(
        fmt::format("steps: statistics of pass {} where those of pass {} are due", all.pass + 1, plan.passes + 1));
  if (all.rows != plan.rows)
    fail_usage(fmt::format("steps: statistics of {} rows of {}; every part is summed once", all.rows, plan.rows));
  const ThreadScope threads(plan.options.run.threads);
  const auto features = detail::features_of(plan);
  for (std::size_t c = 0; c < plan.walks.size(); ++c) {
    StepWalk& walk = plan.walks[c];
    if (walk.done()) continue;
    advance(walk, *features, plan.machine.loss, plan.lambda, all.parts[c], to_the_last_digit);
    if (walk.done() && walk.stop != Stop::converged)
      fail_numerical(fmt::format("steps: there is no machine at lambda = {:.3g} ({}); a larger lambda may have one",
                                 plan.lambda * plan.unit, name_of(walk.stop)));
  }
  ++plan.passes;
  return plan;
}

HeldOutPart hold_out(const Table& part, const Plan& plan, std::int64_t first_row) {
  if (!plan.done()) fail_usage("steps: rows are held out once the plan is solved");
  const ThreadScope threads(plan.options.run.threads);
  const detail::PartRows rows = detail::rows_of_part(part, plan, first_row);
  const auto features = detail::features_of(plan);
  const Index l = rows.data.size(), m = rows.learn.columns();
  HeldOutPart out{rows.data, Matrix(l, m), Matrix(l, m), Vector::Zero(l)};
  out.data.X = {};
  if (l == 0) return out;
  Index first = 0;
  for (const StepWalk& walk : plan.walks) {
    const PrimalFit fit = fit_of_rows(features, walk, rows.data.X, rows.learn, first, plan.lambda);
    const Index count = walk.p.cols();
    out.output.middleCols(first, count) = leave_one_out(fit);
    out.fitted.middleCols(first, count) = fit.z;
    out.leverage += leverage(fit) * (double(count) / double(m));
    first += count;
  }
  return out;
}

Model finish(const Plan& plan, const std::vector<HeldOutPart>& parts) {
  if (!plan.done()) fail_usage("steps: a model is finished once the plan is solved");
  HeldOutPart rows = joined(parts);
  const Index l = rows.output.rows();
  if (l != plan.rows)
    fail_usage(fmt::format("steps: {} held-out rows of {}; every part is held out once", l, plan.rows));
  require_once(rows.data.source_row);
  const ThreadScope threads(plan.options.run.threads);
  Dataset& data = rows.data;
  data.X = {};
  data.notes = {};
  Model model = plan.model;
  detail::Stage stage;
  stage.began = std::chrono::steady_clock::now();
  stage.options = plan.options;
  stage.machine = plan.machine;
  stage.chosen.kernel = plan.model.kernel;
  stage.chosen.lambda = plan.lambda;
  stage.chosen.method = plan.searched ? SearchMethod::automatic : SearchMethod::none;
  stage.problem = detail::make_problem(data, elsewhere(l), plan.machine, plan.options);
  stage.problem.basis = plan.basis;
  stage.on_some = plan.on_some;
  stage.searched = plan.searched;
  stage.parameters_chosen = plan.parameters_chosen;
  stage.far = plan.far;
  detail::FinalFit fit = fit_of(plan, rows);
  fit.criterion =
      criterion_score(stage.problem.criterion, fit.z[0], stage.problem.truth, false, stage.problem.criterion_options)
          .value;
  detail::report_stage(model, data, stage, fit);
  detail::tell_in_unit(model, plan.unit);
  model.centre = plan.centre;
  model.encoding = plan.code.encoding;
  return model;
}

}  // namespace lacuna
