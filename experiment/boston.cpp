// experiment/boston.cpp (of study.hpp) -- the Boston housing figures of [SPARSE]: how much a greedy basis cannot
// express against its size, and run time of leave-one-out, fast and by refitting, against the number of rows with 200
// basis vectors.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "experiment/chart.hpp"
#include "experiment/sparse_loo.hpp"
#include "lacuna/basis/basis.hpp"
#include "lacuna/evaluate/number_line.hpp"
#include "lacuna/evaluate/tasks.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna {
namespace {

constexpr double paper_theta = 1.0 / (4.36 * 4.36);  // method 14
constexpr Index basis_vectors = 200;

constexpr const char* error_chart = R"json({
  "title": "Boston housing: mean reconstruction error of a greedy basis",
  "mark": "line",
  "encoding": {"x": {"field": "basis vectors", "type": "quantitative"},
    "y": {"field": "reconstruction error", "type": "quantitative", "scale": {"type": "log"}}}})json";

constexpr const char* time_chart = R"json({
  "title": "Boston housing: run time of leave-one-out, 200 basis vectors",
  "transform": [{"fold": ["fast", "explicit"], "as": ["procedure", "seconds"]}],
  "mark": {"type": "line", "point": true},
  "encoding": {"x": {"field": "rows", "type": "quantitative"},
    "y": {"field": "seconds", "type": "quantitative", "scale": {"type": "log"}}, "color": {"field": "procedure", "type": "nominal"}}})json";

}  // namespace

Study boston_study(const StudyOptions& options, Journal& journal) {
  require_folder("boston", options.data, "boston.csv (MASS)");
  const Table table = read_table(options.data + "/boston.csv");
  const Dataset data = encode(table, {.targets = {"medv"}}).data;
  const Kernel kernel = kernels::Rbf{paper_theta};
  const Vector t = data.targets.col(0);
  const Model press =
      train(data, {.model = ls_svm(), .kernel = rbf(paper_theta), .run = {.threads = 1, .observer = options.observer}});
  if (press.report.search.stop == Stop::interrupted) return {.interrupted = true};
  const BasisChoice basis =
      choose_basis(BasisMethod::greedy, cpu_backend(), kernel, data.X, {}, {.size = data.size()}, options.observer);

  std::vector<KeyedTask> tasks;
  std::vector<Index> sizes;
  for (Index l = 225; l < data.size(); l += 25) sizes.push_back(l);
  sizes.push_back(data.size());
  for (const Index l : sizes)
    tasks.push_back({fmt::format("{} rows {}", fingerprint(table), l), [&, l](const Observer&) {
                       std::vector<Index> first(static_cast<std::size_t>(l));
                       std::iota(first.begin(), first.end(), Index(0));
                       const Dataset some = take_rows(data, first);
                       const auto chosen = choose_basis(BasisMethod::greedy, cpu_backend(), kernel, some.X, {},
                                                        {.size = basis_vectors});
                       const SparseLoo r =
                           compare_sparse_loo(kernel, some.X, some.targets.col(0), chosen.rows, press.lambda, 3);
                       return nlohmann::json{double(chosen.rows.size()), r.rmse, r.relative_difference, r.fast_seconds,
                                             r.explicit_seconds}
                           .dump();
                     }});
  const TaskResults done = work_off(tasks, journal, {1, "sizes", options.observer});
  if (done.interrupted || basis.end == BasisEnd::interrupted) return {.interrupted = true};

  Study out{"boston", "Sparse LS-SVM on the Boston housing data ([SPARSE] section 4.2)"};
  out.remarks = {fmt::format(
      "506 rows, 13 features, standardised; theta = 1/4.36^2, lambda = {:.4g} by PRESS of the dense machine "
      "(about 0.012 is expected). Greedy basis; it ends at {} vectors ({}).",
      press.lambda, basis.rows.size(), name_of(basis.end))};
  out.remarks.emplace_back(
      "[SPARSE] has its figures as drawings, without a number in print, and the hyper-parameters that it prints for "
      "these data do not follow its objective (sigma^-2 = 4.36 must be sigma = 4.36): there is no figure to set beside "
      "ours.");
  Sheet error{"reconstruction",
              "Mean reconstruction error of the greedy basis against its size.",
              {"basis vectors", "reconstruction error"}};
  error.detail = true;
  for (std::size_t n = 0; n < basis.residual.size(); ++n) error.rows.push_back({double(n + 1), basis.residual[n]});
  Sheet few{"sizes",
            "Mean reconstruction error of the greedy basis at some sizes (at all: boston-reconstruction.csv).",
            {"basis vectors", "reconstruction error"}};
  for (const std::size_t n : {1, 2, 5, 10, 20, 50, 100, 150, 200, 300, 400})
    if (n <= basis.residual.size()) few.rows.push_back(error.rows[n - 1]);
  Sheet time{
      "seconds",
      "Leave-one-out with 200 basis vectors: seconds (one thread, least of three) and the relative difference of "
      "residuals.",
      {"rows", "basis vectors", "held-out rmse", "E_r", "fast", "explicit", "explicit/fast"}};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const std::vector<double> v = numbers_of(done.results[k], 5);
    time.rows.push_back({double(sizes[k]), v[0], v[1], v[2], v[3], v[4], v[4] / v[3]});
  }
  out.charts = {chart_of("reconstruction", error, error_chart), chart_of("seconds", time, time_chart)};
  out.sheets = {std::move(few), std::move(time), std::move(error)};
  return out;
}

}  // namespace lacuna
