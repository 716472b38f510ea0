#include "lacuna/model/work.hpp"

#include <algorithm>
#include <ctime>
#include <limits>

#include "lacuna/base/random.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/model/detail/check_data.hpp"
#include "lacuna/select/basis_search.hpp"

namespace lacuna {
namespace {

// Operations from which on the machine of all rows takes more than some minutes on two cores: 10,000 rows of least
// squares. An iterated loss factorises about three times as often, and for every output.
constexpr double most_operations = 1e12;
double operations_of_all_rows(Index rows, Index outputs, bool iterates) {
  const double l = double(rows);
  return l * l * l * (iterates ? 3.0 * double(outputs) : 1.0);
}

// Of the largest basis that is tried unasked: rows by squared size.
constexpr double most_operations_of_basis = 2e10;
constexpr Index least_limit = 400;

// The largest of 100, 200, 400, ... that is worth trying on so many rows.
Index limit_of_basis(Index rows) {
  Index n = first_basis_size;
  while (2 * n <= least_limit || double(rows) * 4.0 * double(n) * double(n) <= most_operations_of_basis) n *= 2;
  return n;
}

// How often a fit repeats the small problems below, in their own units, found by benchmarks/whole/estimates.py.
struct Repeats {
  double all_rows;  // factor and inverse of l rows
  double basis;     // a pass over rows on a basis
  double outputs;   // what an output more adds
};
Repeats repeats_of(bool searched, bool iterates) {
  if (iterates) return searched ? Repeats{18.0, 100.0, 1.0} : Repeats{5.0, 12.0, 1.0};
  return searched ? Repeats{11.0, 60.0, 0.05} : Repeats{1.5, 4.0, 0.05};
}

// The least of three, in the processor's seconds a thread: what else the computer does comes and goes.
template <class Work>
double measured(const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const std::clock_t began = std::clock();
    work();
    least = std::min(least, double(std::clock() - began) / double(CLOCKS_PER_SEC));
  }
  return least / double(thread_count());
}

RowMatrix some_rows(Index rows, Index features) {
  Random random(1);
  RowMatrix X(rows, features);
  for (Index i = 0; i < rows; ++i)
    for (double& x : X.row(i)) x = random.normal();
  return X;
}

// Seconds for l^3 operations of a machine of all rows, and for l n^2 of one on a basis.
struct Rates {
  double all_rows = 0.0, basis = 0.0;
};
Rates measured_rates(Index features, const Backend& backend) {
  constexpr Index all = 400, many = 3000, few = 200;
  const Index d = std::min<Index>(features, 100);
  const Kernel kernel = kernels::Rbf{0.5 / double(d)};
  const RowMatrix X = some_rows(many, d);
  const RowMatrix top = X.topRows(all), basis = X.topRows(few);
  Rates out;
  out.all_rows = measured([&] {
    const auto K = backend.gram(kernel, top, compute::Use::repeatedly);
    K->factor(Vector::Ones(all), 1.0, compute::Want::inverse);
  });
  const auto through_basis = backend.features(kernel, basis, many);
  const Matrix nothing = Matrix::Zero(through_basis->size(), 1);
  out.basis = measured(
      [&] { through_basis->normal(X, nothing, [](Index, const Matrix&, Vector& beta, Matrix&) { beta.setOnes(); }); });
  out.all_rows /= double(all) * double(all) * double(all);
  out.basis /= double(many) * double(few) * double(few);
  return out;
}

}  // namespace

std::optional<BasisRequest> basis_by_size(Index rows, Index features, Index outputs, const Machine& machine,
                                          const TrainOptions& options) {
  const bool only_all_rows = machine.penalty != Penalty::norm || machine.inference ||
                             uses_geometry(options.kernel.kernel, kernels::Geometry::given) ||
                             options.select.criterion == Criterion::evidence ||
                             options.held_out.interval_method == IntervalMethod::jackknife_plus;
  if (options.basis || only_all_rows || detail::in_columns(rows, features, options)) return {};
  const TrainOptions sized = detail::with_machine(options, machine);
  const bool fits = detail::all_rows_bytes(rows, features, outputs, sized) <= detail::allowed_bytes(options);
  if (fits && operations_of_all_rows(rows, outputs, !is_quadratic(machine.loss)) <= most_operations) return {};
  const BasisRequest found{.most = limit_of_basis(rows), .by_size = true};
  // Where memory is too small for any basis, the refusal says what all rows need.
  const Index least = std::min(rows, first_basis_size);
  if (!fits && detail::primal_bytes(rows, outputs, least, sized) > detail::allowed_bytes(options)) return {};
  return found;
}

WorkEstimate estimate_work(Index rows, Index features, Index outputs, const Machine& machine,
                           const TrainOptions& options) {
  WorkEstimate out{.rows = rows, .features = features};
  const bool open = !options.lambda || std::ranges::any_of(options.kernel.given, [](const auto& p) { return !p; });
  const bool searched = open && options.select.search != SearchMethod::none;
  const Repeats times = repeats_of(searched, !is_quadratic(machine.loss));
  const Rates rate = measured_rates(features, backend_of(options));
  const double l = double(rows), more = 1.0 + times.outputs * double(outputs - 1);
  const double followed = is_quadratic(machine.loss) ? 0.0 : 200.0;
  const auto on_basis_of = [&](Index n, double counted) {
    // Rows that are followed cost as many more columns.
    return rate.basis * counted * double(n) * (double(n) + followed) * times.basis * more;
  };
  out.seconds_of_all_rows = rate.all_rows * l * l * l * times.all_rows * more;
  const TrainOptions sized = detail::with_machine(options, machine);
  TrainOptions all_rows = sized;
  all_rows.basis.reset();
  out.bytes_of_all_rows = detail::all_rows_bytes(rows, features, outputs, all_rows);
  if (!on_basis(options)) {
    const bool by_columns = detail::in_columns(rows, features, options);
    out.way = by_columns ? WorkEstimate::Way::columns : WorkEstimate::Way::all_rows;
    out.seconds = by_columns ? on_basis_of(features, l) : out.seconds_of_all_rows;
    out.bytes = detail::all_rows_bytes(rows, features, outputs, sized);
    return out;
  }
  const BasisRequest& basis = *options.basis;
  out.way = WorkEstimate::Way::basis;
  out.by_size = basis.by_size;
  out.grows = !basis.size && basis.rows.rows() == 0;
  out.basis =
      basis.rows.rows() > 0 ? basis.rows.rows() : basis.size.value_or(detail::largest_basis(rows, outputs, sized));
  const double counted = double(std::min(rows, options.select.rows));
  // Sizes on the way are searched too, but roughly. Easy data stop early, and follow fewer rows.
  out.seconds = (out.grows ? 1.5 : 1.0) * on_basis_of(out.basis, counted);
  if (out.grows) out.least_seconds = std::min(out.seconds, on_basis_of(2 * first_basis_size, counted));
  out.bytes = out.grows ? detail::growing_bytes(rows, outputs, out.basis, sized)
                        : detail::primal_bytes(rows, outputs, out.basis, sized);
  return out;
}

}  // namespace lacuna
