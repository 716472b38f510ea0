#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lacuna/base/names.hpp"
#include "lacuna/base/shown.hpp"
#include "lacuna/data/detail/cell.hpp"
#include "lacuna/data/detail/cell_store.hpp"
#include "lacuna/model/machine.hpp"
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
  std::vector<std::int64_t> judged{};            // rows, by target
  std::int64_t wrong = 0, of_a_class = 0;        // classes
  double log_likelihood = 0.0;                   // classes
  std::vector<double> norm{}, deviance{};        // values and rates, by target

  void add_classes(const Predictions& predictions, std::span<const std::int64_t> row);
  void add_values(const Predictions& predictions, std::span<const std::int64_t> row);
  std::string class_text() const;
  std::string value_text() const;
};

void Performance::State::add_classes(const Predictions& predictions, std::span<const std::int64_t> row) {
  const Column& of = *truth[0];
  for (std::size_t k = 0; k < row.size(); ++k) {
    const auto i = std::size_t(row[k] - 1);
    if (of.is_text ? of.code[i] < 0 : std::isnan(of.number[i])) continue;
    const std::string label = of.is_text ? levels[std::size_t(of.code[i])] : number_text(of.number[i]);
    ++judged[0];
    wrong += label != classes[std::size_t(predictions.label[k])];
    const auto known = std::find(classes.begin(), classes.end(), label);
    if (known == classes.end() || predictions.probability.size() == 0) continue;
    ++of_a_class;
    log_likelihood += std::log(std::max(predictions.probability(Index(k), known - classes.begin()), 1e-300));
  }
}

std::string Performance::State::class_text() const {
  if (judged[0] == 0) return "";
  std::string out = fmt::format("error {:.4g} %", 100.0 * double(wrong) / double(judged[0]));
  if (of_a_class > 0)
    out += fmt::format(", {:.4g} bits",
                       std::log2(double(classes.size())) + log_likelihood / double(of_a_class) / std::numbers::ln2);
  return fmt::format("{} on {}", out, rows_text(judged[0]));
}

void Performance::State::add_values(const Predictions& predictions, std::span<const std::int64_t> row) {
  for (std::size_t c = 0; c < truth.size(); ++c)
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double t = truth[c]->number[std::size_t(row[k] - 1)];
      if (std::isnan(t) || !may_be_target(model.loss, t)) continue;
      ++judged[c];
      const double value = predictions.value(Index(k), Index(c));
      norm[c] = std::hypot(norm[c], t - value);  // squares of large residuals alone would be no numbers
      if (gives_rates(model.loss)) deviance[c] += cost(model.loss, std::log(value), t).value;
    }
}

std::string Performance::State::value_text() const {
  const bool rates = gives_rates(model.loss);
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < truth.size(); ++c) {
    if (judged[c] == 0) return "";
    const auto rows = double(judged[c]);
    const std::string figure = fmt::format("{:.4g}", rates ? deviance[c] / rows : norm[c] / std::sqrt(rows));
    parts.push_back(truth.size() == 1 ? figure : fmt::format("{} ({})", figure, shown(model.target_names[c])));
  }
  return fmt::format("{} {} on {}", rates ? "deviance" : "rmse", join(parts),
                     rows_text(*std::max_element(judged.begin(), judged.end())));
}

Performance::Performance(const Model& model, const Table& table) : state_(new State{model}) {
  const std::vector<std::size_t> columns = target_columns(model, table);
  const bool values = model.classes.empty();
  for (const std::size_t j : columns)
    if (values && table.columns[j].is_text) return;
  for (const std::size_t j : columns) state_->truth.emplace_back(table, j);
  state_->judged.resize(columns.size());
  state_->norm.resize(columns.size());
  state_->deviance.resize(columns.size());
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
