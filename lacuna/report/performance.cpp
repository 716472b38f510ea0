#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/names.hpp"
#include "lacuna/base/shown.hpp"
#include "lacuna/model/tally.hpp"
#include "lacuna/read/cell.hpp"
#include "lacuna/read/cell_store.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna {
namespace {

// The columns of a table that hold the model's targets; empty unless all are there.
std::vector<std::size_t> target_columns(const Model& model, const Table& table) {
  const Encoding& encoding = model.encoding;
  std::vector<std::size_t> out;
  const bool by_name = (table.has_header && encoding.has_names) || table.sparse;
  for (std::size_t k = 0; k < model.target_names.size(); ++k) {
    if (by_name) {
      const Column* column = table.find(model.target_names[k]);
      if (column == nullptr) return {};
      out.push_back(std::size_t(column - table.columns.data()));
    } else if (k < encoding.target_positions.size() && std::size_t(encoding.table_columns) == table.columns.size()) {
      out.push_back(std::size_t(encoding.target_positions[k]));
    } else {
      return {};
    }
  }
  return out;
}

// Numbers compare by value, however they are written.
std::string canonical(const std::string& label) {
  const detail::Cell cell = detail::read_cell(label);
  return cell.kind == detail::CellKind::number ? number_text(cell.number) : label;
}

std::string rows_text(std::int64_t n) { return fmt::format("{} row{}", n, n == 1 ? "" : "s"); }

}  // namespace

struct Performance::State {
  const Model& model;
  std::vector<detail::LoadedColumn> truth{};     // one for each target; empty: not known
  std::vector<std::string> classes{}, levels{};  // canonical
  std::vector<Tally> tally{};                    // one for classes, or one for each target

  void add_classes(const Predictions& predictions, std::span<const std::int64_t> row);
  void add_values(const Predictions& predictions, std::span<const std::int64_t> row);
  std::string class_text() const;
  std::string value_text() const;
};

void Performance::State::add_classes(const Predictions& predictions, std::span<const std::int64_t> row) {
  const Column& of = *truth[0];
  std::vector<Index> rows;
  std::vector<int> decided, label, known;  // a class that training never saw comes after the others
  for (std::size_t k = 0; k < row.size(); ++k) {
    const auto i = std::size_t(row[k] - 1);
    if (of.is_text ? of.code[i] < 0 : std::isnan(of.number[i])) continue;
    const std::string its = of.is_text ? levels[std::size_t(of.code[i])] : number_text(of.number[i]);
    label.push_back(int(std::find(classes.begin(), classes.end(), its) - classes.begin()));
    known.push_back(label.back() < int(classes.size()) ? label.back() : -1);
    decided.push_back(predictions.label[k]);
    rows.push_back(Index(k));
  }
  const Vector weights = Vector::Ones(Index(rows.size()));
  tally_decisions(tally[0], decided, label, weights, Index(classes.size()) + 1);
  if (predictions.probability.size() == 0) return;
  const Matrix probability = predictions.probability(rows, Eigen::indexing::all);
  tally_probabilities(tally[0], probability, log_loss(probability, known), known, weights);
}

std::string Performance::State::class_text() const {
  const double rows = tally[0].confusion.sum();
  if (!(rows > 0.0)) return "";
  const NamedScores scores = scores_of(tally[0]);
  std::string out = fmt::format("error {:.4g} %", 100.0 * value_of(scores, "error"));
  if (const double xent = value_of(scores, "xent"); !std::isnan(xent))
    out += fmt::format(", {:.4g} bits", information(xent, Index(classes.size())));
  return fmt::format("{} on {}", out, rows_text(std::int64_t(rows)));
}

void Performance::State::add_values(const Predictions& predictions, std::span<const std::int64_t> row) {
  for (std::size_t c = 0; c < truth.size(); ++c) {
    std::vector<double> target, value;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double t = truth[c]->number[std::size_t(row[k] - 1)];
      if (std::isnan(t) || !may_be_target(model.loss, t)) continue;
      target.push_back(t);
      value.push_back(predictions.value(Index(k), Index(c)));
    }
    const auto n = Index(target.size());
    const Vector t = Eigen::Map<const Vector>(target.data(), n), v = Eigen::Map<const Vector>(value.data(), n);
    if (gives_rates(model.loss))
      tally_rates(tally[c], model.loss, v.array().log(), {}, v, t, Vector::Ones(n));
    else
      tally_values(tally[c], v, t, {}, Vector::Ones(n));
  }
}

std::string Performance::State::value_text() const {
  const char* score = gives_rates(model.loss) ? "deviance" : "rmse";
  std::vector<std::string> parts;
  double rows = 0.0;
  for (std::size_t c = 0; c < truth.size(); ++c) {
    if (!(tally[c].weight > 0.0)) return "";
    rows = std::max(rows, tally[c].weight);
    const std::string figure = fmt::format("{:.4g}", value_of(scores_of(tally[c]), score));
    parts.push_back(truth.size() == 1 ? figure : fmt::format("{} ({})", figure, shown(model.target_names[c])));
  }
  return fmt::format("{} {} on {}", score, join(parts), rows_text(std::int64_t(rows)));
}

Performance::Performance(const Model& model, const Table& table) : state_(new State{model}) {
  const std::vector<std::size_t> columns = target_columns(model, table);
  const bool values = model.classes.empty();
  for (const std::size_t j : columns)
    if (values && table.columns[j].is_text) return;
  for (const std::size_t j : columns) state_->truth.emplace_back(table, j);
  state_->tally.resize(columns.size());
  for (const std::string& c : model.classes) state_->classes.push_back(canonical(c));
  if (!values && !columns.empty())
    for (const std::string& l : state_->truth[0]->levels) state_->levels.push_back(canonical(l));
}

Performance::~Performance() = default;

void Performance::add(const Predictions& predictions, std::span<const std::int64_t> row) {
  if (state_->truth.empty()) return;
  if (state_->model.classes.empty())
    state_->add_values(predictions, row);
  else
    state_->add_classes(predictions, row);
}

std::string Performance::text() const {
  if (state_->truth.empty()) return "";
  return state_->model.classes.empty() ? state_->value_text() : state_->class_text();
}

}  // namespace lacuna
