#include "lacuna/model/detail/refits_instead.hpp"

#include <fmt/format.h>

#include "lacuna/base/stopping.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/select/select_checked.hpp"

namespace lacuna::detail {
namespace {

// The same rows held out, by refits; one row at a time is a fit for each, which is dear where there are many. Of few
// rows one partition into ten folds says little: other partitions say something else.
CrossValidation by_refits(CrossValidation cv, Index rows) {
  constexpr int folds = 10;
  constexpr Index few = 100;
  if (cv.kind == CrossValidation::Kind::loo && rows > few) {
    cv.kind = CrossValidation::Kind::folds;
    cv.folds = folds;
    cv.repeats = 1;
  }
  cv.by_refit = true;
  cv.one_step = false;
  return cv;
}

}  // namespace

void take_refits_instead(Stage& stage, Model& model, const Dataset& data, const RowSource& X, FinalFit& fit) {
  if (!stage.problem.inference || stage.problem.by_refit || !fit.usable()) return;
  const Observer& observer = stage.options.run.observer;
  const Prior prior{stage.chosen.lambda, stage.chosen.mean};
  const BothWays both = both_ways(stage.problem, Criterion::xent, model.kernel, prior, observer);
  if (!both.disagree(stage.problem)) return;

  const auto warn = [&](std::string_view then) {
    model.report.warnings.push_back(
        {Warning::Code::posterior_contradicted,
         fmt::format("the posterior of all rows promises xent = {:.4g} for held-out folds, refits give {:.4g}: {}",
                     both.seen, both.by_refit, then)});
  };
  TrainOptions options = stage.options;
  options.select.cv = by_refits(options.select.cv, data.size());
  options.held_out.verify = 0;
  options.held_out.refit_flagged = false;
  Problem problem = make_problem(data, X, stage.machine, options);
  FinalFit refitted = final_fit(problem, model.kernel, prior, {}, stage.wanted, observer);
  if (refitted.stop == Stop::interrupted) throw Stopped{};
  if (!refitted.usable()) return warn("and not every fold can be refitted. Held-out figures are optimistic here");
  warn("held-out figures are those of refits");
  stage.options = std::move(options);
  stage.problem = std::move(problem);
  fit = std::move(refitted);
  model.report.cv = cross_validation_text(stage.options.select.cv);
  model.report.approximate = false;
}

}  // namespace lacuna::detail
