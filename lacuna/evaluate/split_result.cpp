#include "lacuna/evaluate/split_result.hpp"

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"
#include "lacuna/evaluate/tasks.hpp"
#include "lacuna/model/detail/describe_warnings.hpp"
#include "lacuna/model/redecide.hpp"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

using detail::any_extent;
using detail::Number;

constexpr Index calibration_bins = 10;

template <class At>
void describe(At& at, const char* key, CalibrationBins& bins) {
  at.list(key, bins, [](auto& of, CalibrationBin& bin) {
    std::vector<double> cells{bin.weight, bin.claimed, bin.hits};
    of.numbers(cells, 3, Number::from_zero);
    bin = {cells[0], cells[1], cells[2]};
  });
  at.require(bins.empty() || Index(bins.size()) == calibration_bins, "there are not ten bins of probability");
}

// Column by column. `rows` x `cols`, or nothing where it may be empty.
template <class At, class M>
void describe(At& at, const char* key, M& m, Index rows, Index cols, bool may_be_empty) {
  std::vector<double> cells(m.reshaped().begin(), m.reshaped().end());
  at.numbers(key, cells, any_extent, Number::from_zero);
  const bool none = may_be_empty && cells.empty();
  at.require(none || Index(cells.size()) == rows * cols, fmt::format("{} has another length", key));
  m = none ? M() : M(Eigen::Map<const Matrix>(cells.data(), rows, cols));
}

// Sums that a rounding can put below zero need only be finite.
template <class At>
void describe(At& at, Tally& t, Index classes, Index targets) {
  at.number("loss_squares", t.loss_squares, Number::from_zero);
  if (classes == 0) {
    at.number("weight", t.weight, Number::from_zero);
    describe(at, "squares", t.squares, targets, 1, false);
    at.number("square_squares", t.square_squares, Number::from_zero);
    at.flag("rates", t.rates);
    describe(at, "spread", t.spread, targets, 1, t.rates);  // of values it is divided by
    at.number("deviance", t.deviance, Number::finite);
    at.number("nothing", t.nothing, Number::any);  // no rate is common to rows that have no counts
    if (!at.optional("foreseen", t.foreseen > 0.0)) return;
    at.number("log_loss", t.log_loss, Number::finite);
    at.number("foreseen", t.foreseen, Number::from_zero);
    return;
  }
  at.whole("classes", classes, classes, classes);
  describe(at, "confusion", t.confusion, classes, classes, false);
  describe(at, "pairs", t.pairs, classes, 2, true);
  at.number("log_loss", t.log_loss, Number::finite);
  at.number("foreseen", t.foreseen, Number::from_zero);
  describe(at, "calibration", t.calibration);
  describe(at, "predicted", t.predicted);
  if (!at.optional("constant_cost", t.constant_cost.size() > 0)) return;
  at.number("cost", t.cost, Number::from_zero);
  at.number("priced", t.priced, Number::from_zero);
  at.number("cost_squares", t.cost_squares, Number::from_zero);
  at.number("weight_squares", t.weight_squares, Number::from_zero);
  describe(at, "constant_cost", t.constant_cost, classes, 1, false);
}

// Rows by columns of any number, which is read back from how many there are. NaN is what a model does not know.
template <class At>
void describe_rows(At& at, const char* key, Matrix& m, Index rows) {
  if (!at.optional(key, m.size() > 0)) return;
  std::vector<double> cells(m.reshaped().begin(), m.reshaped().end());
  at.numbers(key, cells, any_extent, Number::any);
  at.require(rows > 0 && Index(cells.size()) % rows == 0, fmt::format("{} has another length", key));
  if constexpr (At::reading) m = Eigen::Map<const Matrix>(cells.data(), rows, Index(cells.size()) / rows);
}

template <class At>
void describe(At& at, TestRows& r, Index classes) {
  at.wholes("row", r.row, 1);
  at.wholes("label", r.label, 0);
  at.wholes("decided", r.decided, 0);
  const Index n = r.size();
  describe_rows(at, "target", r.target, n);
  describe_rows(at, "output", r.output, n);
  describe_rows(at, "probability", r.probability, n);
  describe_rows(at, "value", r.value, n);
  describe_rows(at, "lower", r.lower, n);
  describe_rows(at, "upper", r.upper, n);
  at.require(r.label.size() == r.decided.size() && Index(r.label.size()) == (classes > 0 ? n : 0),
             "labels are not one for each row");
  for (const auto* labels : {&r.label, &r.decided})
    for (const int k : *labels) at.require(k < classes, "a label is of no class");
  at.require(r.lower.size() == r.upper.size(), "intervals have not two ends");
}

// The one description of a line, for writing and for reading: what a report computes with is of the right size.
template <class At>
void describe(At& at, SplitResult& r, Index classes, Index targets) {
  using detail::Texts;
  at.whole("trained", r.trained, 0);
  at.whole("tested", r.tested, 0);
  if (at.optional("failure", !r.failure.empty())) {
    at.text("failure", r.failure);
    if (at.optional("numerical", true)) at.flag("numerical", r.numerical);
    at.require(!r.failure.empty(), "a failure has no words");
    return;
  }
  at.named_numbers("scores", r.test.scores, Number::any);
  at.named_numbers("held_out", r.held_out, Number::any);
  at.object("criterion", [&r](auto& of) {
    of.text("name", r.criterion);
    of.number("value", r.criterion_value, Number::any);
    of.flag("optimistic", r.optimistic);
  });
  at.texts("parameters", r.parameters, Texts::any);
  at.numbers("values", r.values, any_extent, Number::any);
  at.whole("evaluations", r.evaluations);
  std::vector<double> seconds{r.select_seconds, r.seconds, r.cpu_seconds};
  at.numbers("seconds", seconds, 3, Number::finite);
  r.select_seconds = seconds[0], r.seconds = seconds[1], r.cpu_seconds = seconds[2];
  const bool sums = r.test.tally.confusion.size() > 0 || r.test.tally.squares.size() > 0;
  if (at.optional("tally", sums))  // journals of experiments have older lines
    at.object("tally", [&](auto& of) { describe(of, r.test.tally, classes, targets); });
  if (at.optional("unseen", r.test.unseen > 0)) at.whole("unseen", r.test.unseen, 0);
  detail::describe_warnings(at, r.warnings);
  if (at.optional("rows", r.rows.size() > 0)) at.object("rows", [&](auto& of) { describe(of, r.rows, classes); });
  if (at.optional("coverage", r.coverage.all > 0.0)) {
    std::vector<double> covered{r.coverage.inside, r.coverage.all, r.coverage.width};
    at.numbers("coverage", covered, 3, Number::from_zero);
    r.coverage = {covered[0], covered[1], covered[2]};
  }
  if (at.optional("by", !r.by.empty()))
    at.list("by", r.by, [&](auto& of, std::pair<std::string, Tally>& level) {
      of.text("level", level.first);
      of.object("tally", [&](auto& in) { describe(in, level.second, classes, targets); });
    });
}

// Of the training rows, by target.
Vector mean_target(const Dataset& data) {
  if (data.targets.size() == 0) return {};
  if (data.weights.size() == 0) return data.targets.colwise().mean().transpose();
  return data.targets.transpose() * data.weights / data.weights.sum();
}

}  // namespace

std::string to_line(const SplitResult& result) {
  const std::string preface = "evaluate: a result cannot be written";
  SplitResult r = result;
  Json out;
  detail::FieldWriter<Json> fields(out, preface);
  describe(fields, r, r.test.tally.confusion.rows(), r.test.tally.squares.size());
  return out.dump();
}

SplitResult split_result(const std::string& line, std::size_t classes, Index targets) {
  const std::string preface = "journal: a result in it cannot be read, remove the journal or name another one";
  const Json in = Json::parse(line, nullptr, false);
  detail::FieldReader<Json> fields(detail::JsonNode<Json>(in, preface));
  SplitResult r;
  describe(fields, r, Index(classes), targets);
  return r;
}

void judge_into(SplitResult& result, const Model& model, const Predictions& said, const TestTruth& truth,
                const AskedOfRows& asked) {
  result.test = judge_predictions(model, said, truth);
  result.coverage = coverage_of(said, truth);
  if (!asked.row.empty()) result.rows = rows_said(model, said, truth, asked.row);
  result.by = tallies_by_level(model, said, truth, asked.level);
}

namespace {

// What the fit itself has to say.
void describe_fit(SplitResult& r, const Model& model) {
  const FitReport& report = model.report;
  r.held_out = report.held_out;
  r.criterion = report.criterion;
  r.criterion_value = report.criterion_value;
  r.optimistic = report.optimistic;
  r.parameters = report.search.parameters;
  r.values = kernel_parameters(model.kernel);
  r.values.insert(r.values.begin(), model.lambda);
  if (model.inference) r.values.push_back(model.b[0]);                 // the mean of its prior
  if (!model.members.empty()) r.parameters.clear(), r.values.clear();  // a stack has weights in their place
  for (const Member& m : model.members) {
    r.parameters.push_back("weight of " + m.name);
    r.values.push_back(m.weight);
  }
  r.evaluations = report.search.evaluations;
  r.select_seconds = report.search.seconds;
  r.warnings = report.warnings;
}

bool decides(const TrainOptions& options) {
  return options.held_out.threshold.has_value() || options.held_out.costs.has_value();
}

}  // namespace

SplitResult fit_and_judge(const Dataset& training, const TrainOptions& options, const RowsView& test_rows,
                          const Vector& test_offset, TestTruth truth, const ChooseOptions& how) {
  return fit_and_judge(training, std::vector{options}, test_rows, test_offset, std::move(truth), how, {})[0];
}

std::vector<SplitResult> fit_and_judge(const Dataset& training, const std::vector<TrainOptions>& options,
                                       const RowsView& test_rows, const Vector& test_offset, TestTruth truth,
                                       const ChooseOptions& how, const AskedOfRows& asked) {
  SplitResult r;
  r.trained = training.size();
  r.tested = test_rows.rows();
  const auto began = std::chrono::steady_clock::now();
  const double cpu_began = thread_seconds();
  const bool shared = options.size() > 1;
  TrainOptions first = options[0];
  if (shared) {  // decisions are made of held-out rows afterwards
    first.held_out.threshold = {};
    first.held_out.costs = {};
    first.held_out.keep = true;
    first.held_out.most = std::max(first.held_out.most, training.size());
  }
  Model model;
  try {
    model = train(training, first, how);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::numerical && error.kind() != Error::Kind::data) throw;
    r.failure = error.what();
    r.numerical = error.kind() == Error::Kind::numerical;
    return std::vector(options.size(), r);
  }
  const bool interrupted = model.report.search.stop == Stop::interrupted ||
                           (model.report.choice && model.report.choice->stop == Stop::interrupted);
  if (interrupted) return std::vector(options.size(), r);
  r.cpu_seconds = thread_seconds() - cpu_began;
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const Vector ones = Vector::Ones(training.size());
  if (gives_rates(model.loss))
    truth.common_rate = common_rates(model.loss, training.targets, training.offset,
                                     training.weights.size() > 0 ? training.weights : ones);
  truth.training_mean = mean_target(training);
  truth.offset = test_offset;
  std::vector<SplitResult> out;
  for (const TrainOptions& one : options) {
    std::optional<Model> other;
    if (shared && decides(one)) other = with_decisions(model, training, one);
    const Model& its = other ? *other : model;
    out.push_back(r);
    const Predictions said = predict(its, test_rows, test_offset, backend_of(one), {.prices = truth.prices});
    judge_into(out.back(), its, said, truth, asked);
    describe_fit(out.back(), its);
  }
  return out;
}

std::vector<std::pair<std::string, std::vector<double>>> chosen_parameters(const std::vector<SplitResult>& splits) {
  std::vector<std::pair<std::string, std::vector<double>>> out;
  for (std::size_t k = 0; k < splits.size(); ++k)
    for (std::size_t p = 0; p < splits[k].parameters.size() && p < splits[k].values.size(); ++p) {
      const std::string& name = splits[k].parameters[p];
      auto at = std::find_if(out.begin(), out.end(), [&](const auto& of) { return of.first == name; });
      if (at == out.end()) at = out.insert(out.end(), {name, std::vector<double>(splits.size(), std::nan(""))});
      at->second[k] = splits[k].values[p];
    }
  return out;
}

std::vector<double> values_of(const std::vector<SplitResult>& splits, std::string_view name) {
  std::vector<double> out;
  for (const SplitResult& r : splits) out.push_back(value_of(r.test.scores, name));
  return out;
}

std::vector<double> held_out_values(const std::vector<SplitResult>& splits, std::string_view name) {
  std::vector<double> out;
  for (const SplitResult& r : splits) out.push_back(value_of(r.held_out, name));
  return out;
}

}  // namespace lacuna
