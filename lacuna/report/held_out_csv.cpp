// report/held_out_csv.cpp (of report.hpp) -- held-out rows and predictions as CSV.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

#include "lacuna/base/error.hpp"
#include "lacuna/model/count_check.hpp"
#include "lacuna/model/machine.hpp"
#include "lacuna/report/csv_line.hpp"
#include "lacuna/report/kept_columns.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna {
namespace {

using Line = CsvLine;

// Empty where there is no number.
std::string cell_or_empty(const Vector& v, Index i) {
  return i < v.size() && std::isfinite(v[i]) ? number_text(v[i]) : "";
}

// "row", and "repeat" where rows were held out several times.
Line& row_heading(Line& line, const HeldOutRows& h) {
  line << "row";
  return h.repeats() > 1 ? line << "repeat" : line;
}
Line& row_number(Line& line, const HeldOutRows& h, Index i, Index repeats) {
  line << std::to_string(h.row[std::size_t(i)]);
  return repeats > 1 ? line << std::to_string(i / (h.size() / repeats) + 1) : line;
}

std::vector<std::string> several_targets(const Model& model) {
  return model.target_names.size() > 1 ? model.target_names : std::vector<std::string>{};
}

bool says_rates(const Model& model) { return model.task == Task::counts && gives_rates(model.loss); }

void write_held_out_values(const Model& model, std::ostream& out) {
  const HeldOutRows& h = model.held_out;
  const auto names = several_targets(model);
  const Matrix scores = model.report.counts ? standard_scores(model) : Matrix();
  {
    Line heading(out);
    row_heading(heading, h)
        .heading("target", names)
        .heading("output", names)
        .heading("probability", {})
        .heading("prediction", names)
        .heading("residual", names)
        .heading("leverage", {})
        .heading("loss", {})
        .heading("trust", {});
    if (scores.size() > 0) heading.heading("score", names);
  }
  const Matrix value = held_out_predictions(model).value;
  constexpr double most = std::numeric_limits<double>::max();
  const Matrix residual = (h.target - value).cwiseMax(-most).cwiseMin(most);
  const Vector loss = held_out_loss(model);
  const Index repeats = h.repeats();
  for (Index i = 0; i < h.size(); ++i) {
    Line l(out);
    row_number(l, h, i, repeats).row(h.target, i).row(h.output, i).empty(1).row(value, i).row(residual, i);
    l << cell_or_empty(h.leverage, i) << loss[i] << cell_or_empty(h.trust, i);
    if (scores.size() > 0) l.row(scores, i);
  }
}

// Of two classes: from the probability where there is one (0 or 1 against it), else from the output (against -1 or +1,
// or the machine's own target).
double binary_residual(const Model& model, const Predictions& said, Index i) {
  const bool positive = model.held_out.label[std::size_t(i)] == 1;
  if (said.probability.size() > 0) return (positive ? 1.0 : 0.0) - said.probability(i, 1);
  const Matrix& own = model.held_out.target;
  return (own.size() > 0 ? own(i, 0) : positive ? 1.0 : -1.0) - said.output(i, 0);
}

void write_held_out_classes(const Model& model, std::ostream& out) {
  const HeldOutRows& h = model.held_out;
  const bool binary = model.task == Task::binary;
  const std::vector<std::string> labels = binary ? std::vector<std::string>{} : model.classes;
  {
    Line heading(out);
    row_heading(heading, h)
        .heading("target", {})
        .heading("output", labels)
        .heading("probability", labels)
        .heading("prediction", {})
        .heading("residual", {})
        .heading("leverage", {})
        .heading("loss", {})
        .heading("trust", {});
  }
  const Predictions said = held_out_predictions(model);
  const Vector loss = held_out_loss(model);
  const Index repeats = h.repeats();
  for (Index i = 0; i < h.size(); ++i) {
    const int label = h.label[std::size_t(i)];
    Line l(out);
    row_number(l, h, i, repeats) << csv_cell(model.classes[std::size_t(label)]);
    l.row(h.output, i);
    if (said.probability.size() == 0)
      l.empty(binary ? 1 : labels.size());
    else if (binary)
      l << said.probability(i, 1);
    else
      l.row(said.probability, i);
    l << csv_cell(model.classes[std::size_t(said.label[std::size_t(i)])]);
    if (binary)
      l << binary_residual(model, said, i);
    else
      l.empty(1);
    l << cell_or_empty(h.leverage, i) << loss[i] << cell_or_empty(h.trust, i);
  }
}

void or_empty(Line& line, const Matrix& m, Index i, std::size_t count) {
  if (m.size() > 0)
    line.row(m, i);
  else
    line.empty(count);
}

// Of row i: the value or expected count and what is said besides.
void write_numbers(const Model& model, const Predictions& said, Index i, Line& line, const PredictOptions& wanted) {
  line.row(said.value, i);
  if (says_rates(model)) {
    line.row(said.rate, i);
    return;
  }
  or_empty(line, said.lower, i, std::size_t(said.output.cols()));
  or_empty(line, said.upper, i, std::size_t(said.output.cols()));
  for (const Matrix& quantile : said.quantiles) line.row(quantile, i);
  if (wanted.deviation) line.row(said.deviation, i);
  if (wanted.variance) line.row(said.variance, i);
}

}  // namespace

void write_held_out_csv(const Model& model, std::ostream& out) {
  if (model.classes.empty())
    write_held_out_values(model, out);
  else
    write_held_out_classes(model, out);
}

namespace {

// "output", or "output:A" and "output:B" where there are several.
void add_names(std::vector<std::string>& names, const std::string& what, const std::vector<std::string>& of) {
  if (of.empty()) names.push_back(what);
  for (const std::string& one : of) names.push_back(fmt::format("{}:{}", what, one));
}

// What predictions say of a row, in print order.
std::vector<std::string> names_of_predictions(const Model& model, const PredictionColumns& columns) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& what, const std::vector<std::string>& of) { add_names(out, what, of); };
  const bool classes = !model.classes.empty();
  const std::vector<std::string> outputs = !classes                     ? several_targets(model)
                                           : model.task == Task::binary ? std::vector<std::string>{}
                                                                        : model.classes;
  add("prediction", classes ? std::vector<std::string>{} : outputs);
  if (classes) {
    add("output", outputs);
    add("probability", model.classes);
  } else {
    for (const char* what : says_rates(model) ? std::vector{"rate"} : std::vector{"lower", "upper"}) add(what, outputs);
    for (const double p : columns.wanted.quantiles) add("q" + number_text(p), outputs);
    if (columns.wanted.deviation) add("sd", outputs);
  }
  if (columns.wanted.variance) add("variance", outputs);
  if (columns.outside != nullptr) out.emplace_back("outside");
  return out;
}

}  // namespace

void write_predictions_heading(const Model& model, std::ostream& out, const PredictionColumns& columns) {
  std::vector<std::string> names{"row"};
  const std::vector<std::string> own = names_of_predictions(model, columns);
  if (columns.kept != nullptr)
    for (const std::string& kept : columns.kept->names()) {
      if (std::ranges::find(own, kept) != own.end() || kept == "row")
        fail_usage(fmt::format("keep: predictions have a column \"{}\" of their own; rename that of the data", kept));
      if (std::ranges::find(names, kept) != names.end())
        fail_usage(fmt::format("keep: column \"{}\" is named twice", kept));
      names.push_back(kept);
    }
  names.insert(names.end(), own.begin(), own.end());
  Line line(out);
  for (const std::string& name : names) line << csv_cell(name);
}

void write_no_prediction(const Model& model, std::int64_t row, std::ostream& out, const PredictionColumns& columns) {
  const PredictOptions& wanted = columns.wanted;
  const std::size_t classes = model.classes.size(), outputs = model.task == Task::binary ? 1 : classes;
  const std::size_t targets = std::max<std::size_t>(1, model.target_names.size());
  const std::size_t width = classes > 0 ? 1 + outputs + classes : (says_rates(model) ? 2 : 3) * targets;
  Line line(out);
  line << std::to_string(row);
  if (columns.kept != nullptr) columns.kept->write(row, line);
  const std::size_t more = wanted.quantiles.size() + (wanted.deviation ? 1 : 0) + (wanted.variance ? 1 : 0);
  line.empty(width + more * (classes > 0 ? outputs : targets) + (columns.outside != nullptr ? 1 : 0));
}

void write_predictions_csv(const Model& model, const Predictions& predictions, std::span<const std::int64_t> row,
                           std::ostream& out, const std::function<void(std::int64_t row)>& before,
                           const PredictionColumns& columns) {
  const PredictOptions& wanted = columns.wanted;
  const Matrix& z = predictions.output;
  for (Index i = 0; i < z.rows(); ++i) {
    if (before) before(row[std::size_t(i)]);
    Line line(out);
    line.number(row[std::size_t(i)]);
    if (columns.kept != nullptr) columns.kept->write(row[std::size_t(i)], line);
    if (!model.classes.empty()) {
      line << csv_cell(model.classes[std::size_t(predictions.label[std::size_t(i)])]);
      or_empty(line.row(z, i), predictions.probability, i, model.classes.size());
      if (wanted.variance) line.row(predictions.variance, i);
    } else {
      write_numbers(model, predictions, i, line, wanted);
    }
    if (columns.outside != nullptr) line << (*columns.outside)[i];
  }
}

}  // namespace lacuna
