// experiment/ripley.cpp (of study.hpp) -- figures 1 to 3 of [KLR]: cross-entropy of kernel logistic regression on
// Ripley's problem over the plane of its two hyper-parameters, held out one at a time in one Newton step and exactly,
// in ten folds, and on the test set.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "experiment/chart.hpp"
#include "experiment/generate.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/evaluate/judge.hpp"
#include "lacuna/evaluate/number_line.hpp"
#include "lacuna/evaluate/split_result.hpp"
#include "lacuna/evaluate/tasks.hpp"

namespace lacuna {
namespace {

const std::vector<std::string> loss_names{"approximate leave-one-out", "exact leave-one-out", "10-fold", "test"};

struct Point {
  double theta, lambda;
};

// theta = 2^-3 ... 2^7, lambda = 2^-10 ... 2^4, half an octave apart.
std::vector<Point> plane() {
  std::vector<Point> out;
  for (double a = -3.0; a <= 7.0; a += 0.5)
    for (double b = -10.0; b <= 4.0; b += 0.5) out.push_back({std::exp2(a), std::exp2(b)});
  return out;
}

struct Data {
  Dataset training, test;
  std::string print, source;
};

Data read(const StudyOptions& options) {
  Table training, test;
  std::string source, target = "yc";
  if (options.data.empty()) {
    training = generate("ripley", 250, options.seed);
    test = generate("ripley", 1000, options.seed + 1);
    source = fmt::format("drawn with seeds {} and {} (`data=DIR` takes synth_tr.csv and synth_te.csv of MASS)",
                         options.seed, options.seed + 1);
    target = "label";
  } else {
    require_folder("ripley", options.data, "synth_tr.csv and synth_te.csv (MASS)");
    training = read_table(options.data + "/synth_tr.csv");
    test = read_table(options.data + "/synth_te.csv");
    source = "Ripley's own (synth_tr and synth_te of MASS)";
  }
  const DataOptions as_it_is{.targets = {target}, .standardise = false};
  return {encode(training, as_it_is).data, encode(test, as_it_is).data, fingerprint(training) + fingerprint(test),
          source};
}

std::vector<double> losses_at(const Data& data, const Point& p, const Observer& observer) {
  std::vector<double> out;
  for (const char* cv : {"loo:one-step", "explicit:loo", "explicit:10"}) {
    TrainOptions options{.model = klr(), .kernel = rbf(p.theta), .lambda = p.lambda};
    options.select.cv = parse_cross_validation(cv);
    options.run.threads = 1;
    options.run.observer = observer;
    const Model model = train(data.training, options);
    out.push_back(model.report.criterion_value);
    if (model.report.search.stop == Stop::interrupted || out.size() < 3) continue;
    TestTruth truth;
    truth.classes = data.test.classes;
    truth.label = data.test.label;
    truth.weights = Vector::Ones(data.test.size());
    out.push_back(value_of(judge_predictions(model, predict(model, data.test.X), truth).scores, "xent"));
  }
  return out;
}

constexpr const char* contours = R"json({
  "title": "Cross-entropy over the plane of hyper-parameters",
  "transform": [
    {"fold": ["approximate leave-one-out", "exact leave-one-out", "10-fold", "test"], "as": ["loss", "cross-entropy"]},
    {"calculate": "min(datum['cross-entropy'], 0.7)", "as": "shown"}],
  "facet": {"field": "loss", "type": "nominal",
    "sort": ["approximate leave-one-out", "exact leave-one-out", "10-fold", "test"]},
  "columns": 2,
  "spec": {"width": 260, "height": 320, "mark": "rect", "encoding": {
    "x": {"field": "log2 theta", "type": "ordinal"},
    "y": {"field": "log2 lambda", "type": "ordinal", "sort": "descending"},
    "color": {"field": "shown", "type": "quantitative", "bin": {"maxbins": 24}, "scale": {"scheme": "viridis"},
      "title": "cross-entropy"}}}})json";

constexpr const char* slices_chart = R"json({
  "title": "Slices through the optimum of approximate leave-one-out",
  "transform": [{"fold": ["approximate leave-one-out", "exact leave-one-out", "10-fold", "test"], "as": ["loss", "cross-entropy"]}],
  "facet": {"field": "along", "type": "nominal"},
  "columns": 2,
  "spec": {"mark": "line", "encoding": {
    "x": {"field": "log2", "type": "quantitative"},
    "y": {"field": "cross-entropy", "type": "quantitative", "scale": {"zero": false}},
    "color": {"field": "loss", "type": "nominal"}}}})json";

}  // namespace

Study ripley_study(const StudyOptions& options, Journal& journal) {
  const Data data = read(options);
  const std::vector<Point> points = plane();
  std::vector<KeyedTask> tasks;
  for (const Point& p : points)
    tasks.push_back({fmt::format("{} {} {}", data.print, p.theta, p.lambda),
                     [&](const Observer& observer) { return nlohmann::json(losses_at(data, p, observer)).dump(); }});
  const TaskResults done = work_off(tasks, journal, {thread_count(), "points", options.observer});
  if (done.interrupted) return {.interrupted = true};

  Study out{"ripley", "Approximate leave-one-out on Ripley's problem ([KLR] figures 1 to 3)"};
  out.remarks = {fmt::format(
      "250 training and 1000 test rows, {}; kernel logistic regression, rbf kernel, inputs as they are. Mean "
      "cross-entropy of rows held out one at a time by one Newton step, the same by refitting, of 10 folds by "
      "refitting, and of the test rows.",
      data.source)};
  out.remarks.emplace_back(
      "[KLR] has figures 1 to 3 as drawings, without a number in print: there is none to set beside ours.");
  Sheet plane_sheet{"plane", "Every point.", {"log2 theta", "log2 lambda"}};
  plane_sheet.columns.insert(plane_sheet.columns.end(), loss_names.begin(), loss_names.end());
  plane_sheet.detail = true;
  std::vector<std::vector<double>> values;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::vector<double>& v = values.emplace_back(numbers_of(done.results[k], loss_names.size()));
    std::vector<Cell> row{std::log2(points[k].theta), std::log2(points[k].lambda)};
    row.insert(row.end(), v.begin(), v.end());
    plane_sheet.rows.push_back(std::move(row));
  }
  Sheet optima{"optima",
               "Where each is least on the grid (half an octave apart), and the test loss there.",
               {"loss", "theta", "lambda", "least", "test loss there"}};
  std::size_t best = 0;
  for (std::size_t c = 0; c < loss_names.size(); ++c) {
    std::size_t least = 0;
    for (std::size_t k = 1; k < values.size(); ++k)
      if (values[k][c] < values[least][c]) least = k;
    if (c == 0) best = least;
    optima.rows.push_back(
        {loss_names[c], points[least].theta, points[least].lambda, values[least][c], values[least][3]});
  }
  double worst = 0.0;
  for (const auto& v : values)
    if (v[1] < values[best][1] * 1.5) worst = std::max(worst, std::abs(v[0] / v[1] - 1.0));
  out.remarks.push_back(
      fmt::format("Where the exact value is within 1.5 times that at the optimum, the approximate one is off by {:.1f} "
                  "% at most.",
                  100.0 * worst));
  Sheet slices{"slices", "Through the optimum of approximate leave-one-out.", {"along", "log2"}};
  slices.columns.insert(slices.columns.end(), loss_names.begin(), loss_names.end());
  slices.detail = true;
  for (std::size_t k = 0; k < points.size(); ++k)
    for (const bool along_theta : {true, false}) {
      if (along_theta ? points[k].lambda != points[best].lambda : points[k].theta != points[best].theta) continue;
      std::vector<Cell> row{std::string(along_theta ? "theta" : "lambda"),
                            std::log2(along_theta ? points[k].theta : points[k].lambda)};
      row.insert(row.end(), values[k].begin(), values[k].end());
      slices.rows.push_back(std::move(row));
    }
  out.charts = {chart_of("contours", plane_sheet, contours), chart_of("slices", slices, slices_chart)};
  out.sheets = {std::move(optima), std::move(slices), std::move(plane_sheet)};
  return out;
}

}  // namespace lacuna
