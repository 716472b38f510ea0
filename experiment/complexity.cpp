#include "experiment/complexity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "experiment/annulus.hpp"
#include "experiment/chart.hpp"
#include "experiment/generate.hpp"
#include "experiment/timing.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/evaluate/number_line.hpp"
#include "lacuna/loo/leave_one_out.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/machine/dual.hpp"
#include "lacuna/machine/regulariser.hpp"
#include "lacuna/model/machine.hpp"

namespace lacuna {
namespace {

const Kernel gaussian = kernels::Rbf{.theta = 1.0};
constexpr double ridge = 0.1;

Matrix fast(const Dataset& data, const Supervision& learn) {
  const auto S = dual_gram(cpu_backend(), gaussian, data.X, learn, compute::Use::once);
  const DualFit fit = solve_dual(*S, learn.zeta, learn.t, ridge, compute::Want::inverse);
  return leave_one_out(fit, Q_diagonal(fit));
}

// Each refit begins at the kernel matrix and forms the square of its own rows, as one who trains that machine does. All
// columns stay.
void refit_one_kernel(const Dataset& data, const Supervision& learn, const Folds& folds, Matrix* z = nullptr) {
  const Matrix K = compute::cpu::kernel_matrix(gaussian, data.X, data.X);
  if (z != nullptr) z->resize(data.size(), learn.columns());
  for (const std::vector<Index>& fold : folds) {
    std::vector<Index> rest;
    for (Index i = 0; i < data.size(); ++i)
      if (!std::ranges::binary_search(fold, i)) rest.push_back(i);
    const Matrix K_rest = K(rest, Eigen::all);
    Matrix square;
    compute::cpu::add_square(K_rest, learn.zeta, square);
    const auto S = cpu_backend().gram(kernels::Precomputed{}, square, compute::Use::once);
    const DualFit fit = solve_dual(*S, learn.zeta(rest), learn.t(rest, Eigen::all), ridge, compute::Want::solve);
    const Matrix a = learn.zeta.asDiagonal() * (K_rest.transpose() * fit.alpha);
    if (z != nullptr) (*z)(fold, Eigen::all) = (K(fold, Eigen::all) * a).rowwise() + fit.b.transpose();
  }
}

void refit_kernel_anew(const Dataset& data, const Supervision& learn, const Folds& folds) {
  for (const std::vector<Index>& fold : folds) refit_one_kernel(data, learn, {fold});
}

constexpr const char* seconds_chart = R"json({
  "title": "Kernel Fisher discriminant on the annulus: run time of leaving out",
  "transform": [{"fold": ["fast", "naive", "ten_fold", "ten_fold_anew"], "as": ["procedure", "seconds"]}],
  "mark": {"type": "line", "point": true},
  "encoding": {
    "x": {"field": "rows", "type": "quantitative", "scale": {"type": "log"}},
    "y": {"field": "seconds", "type": "quantitative", "scale": {"type": "log"}},
    "color": {"field": "procedure", "type": "nominal"}}})json";

}  // namespace

ComplexityPoint kfd_complexity(Index l, std::uint64_t seed, Index most_naive) {
  const ThreadScope one(1);
  const auto workspace = cpu_backend().workspace();
  const Dataset data = encode(generate("annulus", l, seed), {.targets = {"label"}}).data;
  Supervision learn{.zeta = Vector::Ones(l), .penalty = Penalty::coefficients};
  learn.t = machine_targets(kfd(), data);
  const Folds ten = k_folds(l, 10, data.label, seed);
  Folds single;
  for (Index i = 0; i < l; ++i) single.push_back({i});
  Matrix z, z_naive;
  std::vector<std::function<void()>> contenders{
      [&] { z = fast(data, learn); }, [&] { refit_one_kernel(data, learn, ten); },
      [&] { refit_kernel_anew(data, learn, ten); },
      [&] { refit_held_out(*dual_gram(cpu_backend(), gaussian, data.X, learn), learn, ridge, ten); }};
  if (l <= most_naive) contenders.push_back([&] { refit_one_kernel(data, learn, single, &z_naive); });
  const auto t = least_of_interleaved(l <= 80 ? 20 : l <= 300 ? 3 : 5, contenders);
  ComplexityPoint out{.rows = l, .fast = t[0], .ten_fold = t[1], .ten_fold_anew = t[2], .ten_fold_dual = t[3]};
  if (l <= most_naive) out.naive = t[4], out.difference = (z - z_naive).cwiseAbs().maxCoeff();
  return out;
}

Study complexity_study(const StudyOptions& options, Journal& journal) {
  std::vector<KeyedTask> tasks;
  for (const Index l : {10, 20, 40, 80, 150, 300, 500, 700, 1000})
    tasks.push_back({fmt::format("{} seed {}", l, options.seed), [l, &options](const Observer&) {
                       const ComplexityPoint p = kfd_complexity(l, options.seed);
                       const nlohmann::json line{double(l),       p.fast,          p.naive,     p.ten_fold,
                                                 p.ten_fold_anew, p.ten_fold_dual, p.difference};
                       return line.dump();
                     }});
  const TaskResults done = work_off(tasks, journal, {1, "sizes", options.observer});
  if (done.interrupted) return {.interrupted = true};
  AnnulusPicture picture = annulus_picture(options.seed, options.observer);
  if (picture.interrupted) return {.interrupted = true};
  Study out{"complexity",
            "Run time of leaving out: the kernel Fisher discriminant on the annulus ([KFD] figures 1 and 2)"};
  out.remarks = {
      "Seconds of processor time on one thread, least of interleaved runs. fast: leave-one-out in closed form; naive: "
      "explicit leave-one-out (up to 300 rows); ten_fold: explicit 10-fold with one kernel matrix; ten_fold_anew: the "
      "kernel computed in every fold, as in the paper; ten_fold_dual: folds share the squared kernel matrix. Ratios "
      "are to fast.",
      "[KFD] has figures 1 and 2 as drawings, without a number in print: there is none to set beside ours."};
  Sheet sheet{"seconds",
              "Run time against the number of rows.",
              {"rows", "fast", "naive", "ten_fold", "ten_fold_anew", "ten_fold_dual", "difference", "naive/fast",
               "ten_fold/fast", "ten_fold_anew/fast"}};
  for (const std::string& line : done.results) {
    const std::vector<double> seconds = numbers_of(line, 7);
    const auto cell = [](double v) { return std::isnan(v) ? Cell() : Cell(v); };
    std::vector<Cell> row;
    for (const double v : seconds) row.push_back(cell(v));
    for (const std::size_t k : {2, 3, 4}) row.push_back(cell(seconds[k] / seconds[1]));
    sheet.rows.push_back(std::move(row));
  }
  out.charts = {chart_of("seconds", sheet, seconds_chart), std::move(picture.chart)};
  out.sheets = {std::move(sheet), std::move(picture.patterns), std::move(picture.plane)};
  return out;
}

}  // namespace lacuna
