#include "lacuna/model/detail/loss_parameters.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lacuna/base/weights.hpp"
#include "lacuna/model/detail/make_problem.hpp"
#include "lacuna/model/overdispersion.hpp"

namespace lacuna::detail {
namespace {

// Fits `machine` for its held-out outputs. Options are those inside train(), whose regularisers go with weights without
// a unit; train() takes them in the data's.
Model fitted_for_outputs(const Machine& machine, const Dataset& data, TrainOptions options) {
  options.model = machine;
  options.select.criterion = {};
  options.held_out.refit_flagged = false;
  options.held_out.recalibrate = false;
  options.held_out.verify = 0;
  options.held_out.keep = true;
  options.held_out.most = std::max(options.held_out.most, data.size());
  options.held_out.intervals = false;
  options.select.cv.repeats = 1;
  const double unit = regulariser_unit(data, options);
  if (options.lambda) *options.lambda *= unit;
  for (auto* values : {&options.select.near, &options.select.penalty_centre})
    if (!values->empty()) values->front() *= unit;
  return train(data, options);
}

// The size of held-out residuals: robust, as a standard deviation of normal ones, and the root of their mean square.
// The robust one is of the middle tenth, not of the one in the middle: with that, a row of next to no weight that moves
// the middle by next to nothing would move the size by the distance of two residuals.
struct Residuals {
  double robust = 0.0, rms = 0.0;
};
Residuals residuals_of(const Machine& machine, const Dataset& data, TrainOptions options) {
  options.select.near = {};  // of another loss
  const Model first = fitted_for_outputs(machine, data, options);
  const Matrix& z = first.held_out.output;
  if (z.size() == 0) return {};  // interrupted
  const Vector weights = weights_for(options.select.weights, data.select_weights, data, z.rows(), "selection");
  std::vector<std::pair<double, double>> r;
  double squares = 0.0;
  for (Index c = 0; c < z.cols(); ++c)
    for (Index i = 0; i < z.rows(); ++i) {
      r.emplace_back(std::abs(first.held_out.target(i, c) - z(i, c)), weights[i]);
      squares += weights[i] * r.back().first * r.back().first;
    }
  const double total = weights.sum() * double(z.cols());
  constexpr double of_normal = 0.675188;  // the same mean of |x|, x normal with deviation 1
  return {mean_between(r, 0.45, 0.55) / of_normal, std::sqrt(squares / total)};
}

// The scale at which residuals begin to look large. Least squares tell it, unless a few rows have bent them: then what
// remains of the signal is taken for noise, and a machine with that scale has to look again.
double scale_of_residuals(const Dataset& data, const TrainOptions& options) {
  constexpr double share = 1.345, bent = 3.0, settled = 0.8;
  constexpr int most_rounds = 4;
  const Residuals squares = residuals_of(ls_svm(), data, options);
  double delta = share * squares.robust;
  if (!(squares.rms > bent * squares.robust)) return delta;
  for (int round = 0; round < most_rounds && delta > 0.0; ++round) {
    const double next = share * residuals_of(huber_regression(delta), data, options).robust;
    if (!(next > 0.0) || next >= delta) break;
    const bool enough = next > settled * delta;
    delta = next;
    if (enough) break;
  }
  return delta;
}

// The weighted mean distance of targets from their mean, of the target where it is largest.
double spread_of_targets(const Dataset& data) {
  const Vector w = data.weights.size() > 0 ? data.weights : Vector(Vector::Ones(data.targets.rows()));
  double largest = 0.0;
  for (Index c = 0; c < data.targets.cols(); ++c) {
    const double mean = w.dot(data.targets.col(c)) / w.sum();
    largest = std::max(largest, w.dot((data.targets.col(c).array() - mean).abs().matrix()) / w.sum());
  }
  return largest;
}

// Options inside train() whose search begins at the optimum of a model that train() gave.
TrainOptions near_model(TrainOptions options, const Model& model, const Dataset& data) {
  options = from_optimum(std::move(options), model);
  if (!options.select.near.empty()) options.select.near.front() /= regulariser_unit(data, options);
  return options;
}

double overdispersion_of(const Dataset& data, TrainOptions& options) {
  constexpr double settled = 0.05;  // of the standard error
  constexpr int most_rounds = 8;
  const auto began = std::chrono::steady_clock::now();
  const std::optional<double> allowed = options.select.search_options.seconds;
  // Half of the time that is left goes to each round, so that some is left for the search that follows.
  const auto left = [&] {
    return *allowed - std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  Truth truth = make_truth(data, data.size(), poisson_regression(), options, {});
  Machine machine = poisson_regression();
  Overdispersion last;
  for (int round = 0; round < most_rounds; ++round) {
    TrainOptions how = options;
    if (allowed) how.select.search_options.seconds = 0.5 * std::max(0.0, left());
    const Model model = fitted_for_outputs(machine, data, how);
    if (model.held_out.size() == 0) return 1.0;  // interrupted: nobody will use it
    const Overdispersion found = likeliest_overdispersion(truth, model.held_out.output);
    options = near_model(std::move(options), model, data);
    const bool enough = round > 0 && !(std::abs(found.value - last.value) > settled * found.standard_error);
    last = found;
    if (enough || is_least_overdispersion(found.value, truth) || (allowed && left() < 0.1 * *allowed)) break;
    machine = negative_binomial_regression(found.value);
  }
  if (allowed) options.select.search_options.seconds = std::max(0.0, left());
  return last.value;
}

}  // namespace

void choose_loss_parameters(Machine& machine, const Dataset& data, TrainOptions& options) {
  if (auto* huber = std::get_if<losses::PseudoHuber>(&machine.loss))
    huber->delta = std::max(scale_of_residuals(data, options), 1e-6 * spread_of_targets(data));
  if (auto* counts = std::get_if<losses::NegativeBinomial>(&machine.loss))
    counts->overdispersion = overdispersion_of(data, options);
}

}  // namespace lacuna::detail
