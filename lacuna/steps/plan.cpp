#include "lacuna/steps/plan.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

#include "lacuna/base/error.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/data/centre.hpp"
#include "lacuna/machine/parts.hpp"
#include "lacuna/model/detail/centring.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/detail/remarks.hpp"
#include "lacuna/model/detail/stages.hpp"
#include "lacuna/model/detail/targets_of_part.hpp"

namespace lacuna {
namespace {

void check_possible(const TrainOptions& options) {
  const auto refuse = [](const char* what, const char* instead) {
    fail_usage(std::string("steps: ") + what + " needs all rows in one place; " + instead);
  };
  const CrossValidation& cv = options.select.cv;
  if (options.held_out.costs && by_row(*options.held_out.costs))
    refuse("a price for each row", "take one price for all rows: `cost=1,5`");
  if (options.basis && options.basis->none) refuse("a machine of all rows", "take a basis: `basis=500`");
  if (options.train_weights == Weighting::column || options.select.weights == Weighting::column)
    refuse("a second column of weights", "there is one, of rows");
  if (cv.kind == CrossValidation::Kind::folds || cv.kind == CrossValidation::Kind::groups || cv.by_refit)
    refuse("what is held out together, or refitted,", "rows are held out one at a time: `cv=loo`");
  if (options.held_out.refit_flagged || options.held_out.verify > 0) refuse("refitting rows", "leave it out");
  if (options.held_out.interval_method == IntervalMethod::jackknife_plus)
    refuse("an interval by jackknife+", "constant intervals do not");
}

// Where the passes begin: least squares at the mean, since a constant in the targets only moves the bias; other losses
// where the machine of the sample is.
std::vector<StepWalk> beginnings(const Plan& plan, const detail::Stage& stage, const Vector& mean_target) {
  const auto features = detail::features_of(plan);
  std::vector<StepWalk> walks;
  const Supervision& learn = stage.problem.learn;
  if (is_quadratic(learn.loss)) {
    const bool known = mean_target.size() == learn.columns();
    walks.push_back(walk_from(constant_machine(*features, known ? mean_target : Vector::Zero(learn.columns()))));
    return walks;
  }
  const PartsResult sample = for_each_part(features, stage.problem.X, learn, plan.lambda, compute::Want::solve, nullptr,
                                           [&](PrimalFit& fit, Index) {
                                             walks.push_back(walk_from(fit.p));
                                             return true;
                                           });
  if (!sample.usable()) detail::fail_not_usable(stage.problem, plan.model.kernel, false, stage.far);
  return walks;
}

struct Known {
  std::string kernel;
  RowMatrix basis;
  Index rows;
  const Backend* backend;
  std::shared_ptr<const compute::Features> features;
};

}  // namespace

bool Plan::done() const {
  return std::ranges::all_of(walks, [](const StepWalk& walk) { return walk.done(); });
}

std::shared_ptr<const compute::Features> detail::features_of(const Plan& plan) {
  constexpr std::size_t most = 4;
  static std::mutex one_at_a_time;
  static std::deque<Known> known;
  const Backend& backend = backend_of(plan.options);
  const std::string kernel = kernel_text(plan.model.kernel);
  const std::lock_guard lock(one_at_a_time);
  for (const Known& one : known)
    if (one.kernel == kernel && one.rows == plan.rows && one.backend == &backend && one.basis == plan.basis.dense())
      return one.features;
  auto made = backend.features(plan.model.kernel, plan.basis, plan.rows);
  if (known.size() == most) known.pop_front();
  known.push_back({kernel, plan.basis.dense(), plan.rows, &backend, made});
  return made;
}

detail::PartRows detail::rows_of_part(const Table& part, const Plan& plan, std::int64_t first_row) {
  PartRows out{encode_part(part, plan.code, first_row), {}};
  Dataset& data = out.data;
  const Index l = data.size();
  if (plan.centre.size() > 0 && l > 0) data.X = about(RowsView(data.X), plan.centre);
  const Vector common = data.weights.size() > 0 ? data.weights : Vector(Vector::Ones(l));
  out.learn = {.loss = plan.machine.loss,
               .zeta = plan.options.train_weights == Weighting::balanced
                           ? balanced_weights(data.label, plan.of_class, common)
                           : common,
               .offset = data.offset,
               .penalty = plan.machine.penalty};
  out.learn.t = machine_targets(plan.machine, data, out.learn.zeta);
  check_each_target(plan.machine, data);
  return out;
}

Plan make_plan(const Table& sample, const DataOptions& columns, TrainOptions options, const Description* all) {
  check_possible(options);
  if (!options.basis) options.basis = BasisRequest{};
  options.select.cv.kind = CrossValidation::Kind::loo;
  Plan plan;
  Encoded encoded;
  DescribedTable described;
  if (all != nullptr) {
    described = learn_code(*all, columns);
    encoded.data = encode_part(sample, described.code);
    encoded.data.notes = described.notes;
    plan.on_some = described.rows > encoded.data.size();
  }
  if (!plan.on_some) {
    std::vector<Index> counted;
    for (const std::int64_t row : encoded.data.source_row) counted.push_back(Index(row - 1));
    const Table rows = all != nullptr ? take_rows(sample, counted) : sample;
    encoded = encode(rows, columns);
    described = learn_code(rows, encoded, columns);
  }
  const Dataset& data = encoded.data;
  plan.code = described.code;
  plan.rows = described.rows;
  plan.of_class = described.of_class;
  const Machine machine = options.model.value_or(detail::automatic_machine(data, options));
  options.select.cv.one_step = !is_quadratic(machine.loss);
  options.select.rows = std::max(options.select.rows, data.size());
  plan.unit = detail::regulariser_unit(data, options);
  const StopScope stopping(options.run.observer);
  plan.centre = detail::centre_for(data, data.X, options);
  Model model;
  detail::train_around(
      model, data, data.X, data.X.cols(), options,
      [&](Model& so_far, const Dataset& rows, const RowSource& X, Index features, const TrainOptions& how) {
        const ThreadScope threads(how.run.threads);
        detail::Stage stage;
        detail::choose_stage(stage, so_far, rows, X, features, how);
        plan.model = so_far;
        plan.model.report.rows = plan.rows;
        plan.options = stage.options;
        plan.options.run.observer = {};
        plan.options.run.announce = {};
        plan.machine = stage.machine;
        plan.lambda = stage.chosen.lambda;
        plan.basis = stage.problem.basis;
        plan.searched = stage.searched;
        plan.parameters_chosen = stage.parameters_chosen;
        plan.far = stage.far;
        plan.walks = beginnings(plan, stage, described.mean_target);
      });
  return plan;
}

}  // namespace lacuna
