#include "lacuna/select/detail/nlopt_run.hpp"

#include <algorithm>
#include <exception>
#include <memory>

#include "lacuna/base/error.hpp"

namespace lacuna::detail {
namespace {

struct State {
  const NloptFunction* function;
  nlopt_opt opt;
  double last = 0.0;
  std::exception_ptr thrown;
};

double call(unsigned n, const double* x, double* gradient, void* data) {
  State& state = *static_cast<State*>(data);
  if (nlopt_get_force_stop(state.opt)) return state.last;
  try {
    Vector g;
    const Vector point = Eigen::Map<const Vector>(x, Index(n));
    if (const auto value = (*state.function)(point, gradient ? &g : nullptr)) {
      if (gradient) std::copy(g.begin(), g.end(), gradient);
      return state.last = *value;
    }
  } catch (...) {
    state.thrown = std::current_exception();
  }
  if (gradient) std::fill(gradient, gradient + n, 0.0);
  nlopt_force_stop(state.opt);
  return state.last;
}

}  // namespace

bool run_nlopt(const NloptRun& run, const Box& box, const Vector& start, const NloptFunction& function) {
  const auto n = static_cast<unsigned>(start.size());
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> opt(nlopt_create(run.algorithm, n), nlopt_destroy);
  if (!opt) throw Error(Error::Kind::internal, "search: NLopt could not be set up");
  State state{&function, opt.get(), 0.0, nullptr};
  nlopt_set_min_objective(opt.get(), call, &state);
  nlopt_set_lower_bounds(opt.get(), box.lower.data());
  nlopt_set_upper_bounds(opt.get(), box.upper.data());
  nlopt_set_ftol_rel(opt.get(), run.value_tolerance);
  nlopt_set_xtol_abs1(opt.get(), run.log_tolerance);
  nlopt_set_initial_step1(opt.get(), run.initial_step);

  Vector x = start.cwiseMax(box.lower).cwiseMin(box.upper);
  double value = 0.0;
  const nlopt_result code = nlopt_optimize(opt.get(), x.data(), &value);
  if (state.thrown) std::rethrow_exception(state.thrown);
  if (code == NLOPT_OUT_OF_MEMORY) throw std::bad_alloc();
  if (code == NLOPT_INVALID_ARGS) throw Error(Error::Kind::internal, "search: NLopt refused its arguments");
  return code > 0 || code == NLOPT_FORCED_STOP || code == NLOPT_ROUNDOFF_LIMITED;
}

}  // namespace lacuna::detail
