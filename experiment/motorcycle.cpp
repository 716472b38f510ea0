// experiment/motorcycle.cpp (of study.hpp) -- the motorcycle figures of [SPARSE]: a greedy basis on 133 measurements of
// a head's acceleration, the fit on it, and leave-one-out by the fast way and by refitting.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiment/chart.hpp"
#include "experiment/sparse_loo.hpp"
#include "lacuna/basis/basis.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/evaluate/number_line.hpp"
#include "lacuna/evaluate/tasks.hpp"

namespace lacuna {
namespace {

constexpr double inverse_width = 13.1, decay = 1.2e-3;  // the printed gamma acts as lambda (method 14)

constexpr const char* picture = R"json({
  "title": "Sparse LS-SVM on the motorcycle data",
  "layer": [
    {"mark": {"type": "point", "opacity": 0.6}, "encoding": {"x": {"field": "time", "type": "quantitative"},
      "y": {"field": "acceleration", "type": "quantitative"}, "color": {"field": "basis", "type": "nominal", "title": "in the basis"}}},
    {"mark": "line", "encoding": {"x": {"field": "time", "type": "quantitative"}, "y": {"field": "fitted", "type": "quantitative"}}},
    {"mark": {"type": "line", "strokeDash": [4, 3]}, "encoding": {"x": {"field": "time", "type": "quantitative"},
      "y": {"field": "held out", "type": "quantitative"}}}]})json";

constexpr const char* growth = R"json({
  "title": "Mean reconstruction error of the greedy basis",
  "mark": {"type": "line", "point": true},
  "encoding": {"x": {"field": "basis vectors", "type": "quantitative"},
    "y": {"field": "reconstruction error", "type": "quantitative", "scale": {"type": "log"}}}})json";

// [SPARSE] table 1 and what its text says of the size of the basis, beside one line of our table: that of 15 vectors, or
// of as many as there are.
Sheet beside_the_paper(const Sheet& sizes) {
  constexpr std::size_t vectors = 15;
  const std::size_t at = std::min(vectors, sizes.rows.size()) - 1;
  const auto ours = [&](std::size_t column) { return std::get<double>(sizes.rows[at][column]); };
  Sheet out{
      "published",
      "[SPARSE] table 1 beside ours, at as many basis vectors. The paper has no standard errors, so no difference "
      "is marked; its seconds are of an interpreted language, where loops cost more than sums.",
      {"quantity", "published", "ours"}};
  out.rows = {{std::string("basis vectors (about)"), double(vectors), ours(0)},
              {std::string("explicit leave-one-out, seconds"), 0.397, ours(5)},
              {std::string("fast leave-one-out, seconds"), 0.00307, ours(4)},
              {std::string("explicit/fast"), 0.397 / 0.00307, ours(6)},
              {std::string("E_r, relative difference of their residuals"), 7.6e-6, ours(3)}};
  return out;
}

}  // namespace

Study motorcycle_study(const StudyOptions& options, Journal& journal) {
  require_folder("motorcycle", options.data, "mcycle.csv (MASS)");
  const Table table = read_table(options.data + "/mcycle.csv");
  const Dataset data = encode(table, {.targets = {"accel"}, .standardise = false}).data;
  RowMatrix X = data.X.dense();
  const double low = X.minCoeff(), high = X.maxCoeff();
  X = (X.array() - low) / (high - low);  // times scaled to [0, 1]
  const Vector t = data.targets.col(0);
  const Kernel kernel = kernels::Rbf{inverse_width};
  const BasisChoice basis =
      choose_basis(BasisMethod::greedy, cpu_backend(), kernel, X, {}, {.size = X.rows()}, options.observer);

  std::vector<KeyedTask> tasks;
  for (std::size_t n = 1; n <= basis.rows.size(); ++n)
    tasks.push_back({fmt::format("{} {} of {}", fingerprint(table), n, basis.rows.size()), [&, n](const Observer&) {
                       const std::vector<Index> some(basis.rows.begin(), basis.rows.begin() + std::ptrdiff_t(n));
                       const SparseLoo r = compare_sparse_loo(kernel, X, t, some, decay, 10);
                       return nlohmann::json{r.rmse, r.relative_difference, r.fast_seconds, r.explicit_seconds}.dump();
                     }});
  const TaskResults done = work_off(tasks, journal, {1, "basis sizes", options.observer});
  if (done.interrupted || basis.end == BasisEnd::interrupted) return {.interrupted = true};

  Study out{"motorcycle", "Sparse LS-SVM on the motorcycle data ([SPARSE] section 4.1)"};
  Sheet sizes{
      "sizes",
      "Greedy basis of growing size: mean reconstruction error, held-out error, relative difference E_r of fast "
      "and explicit leave-one-out residuals, seconds of each (one thread, least of ten).",
      {"basis vectors", "reconstruction error", "held-out rmse", "E_r", "fast", "explicit", "explicit/fast"}};
  for (std::size_t n = 0; n < done.results.size(); ++n) {
    const std::vector<double> v = numbers_of(done.results[n], 4);
    sizes.rows.push_back({double(n + 1), basis.residual[n], v[0], v[1], v[2], v[3], v[3] / v[2]});
  }
  const SparseLoo all = compare_sparse_loo(kernel, X, t, basis.rows, decay, 1);
  Sheet fit{"fit", "Every measurement.", {"time", "acceleration", "fitted", "held out", "basis"}};
  fit.detail = true;
  for (Index i = 0; i < X.rows(); ++i) {
    const bool in = std::find(basis.rows.begin(), basis.rows.end(), i) != basis.rows.end();
    fit.rows.push_back({data.X.dense()(i, 0), t[i], all.fitted[i], all.held_out[i], std::string(in ? "yes" : "no")});
  }
  out.remarks = {
      fmt::format("133 rows, times scaled to [0, 1], theta = {}, lambda = {}. The greedy basis is numerically complete "
                  "after {} vectors ({}).",
                  inverse_width, decay, basis.rows.size(), name_of(basis.end))};
  Sheet paper = beside_the_paper(sizes);
  out.charts = {chart_of("fit", fit, picture), chart_of("sizes", sizes, growth)};
  out.sheets = {std::move(paper), std::move(sizes), std::move(fit)};
  return out;
}

}  // namespace lacuna
