#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lacuna/base/names.hpp"
#include "lacuna/data/detail/cell.hpp"
#include "lacuna/model/machine.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna {
namespace {

// The columns of a table that hold the model's targets; empty unless all are there.
std::vector<const Column*> target_columns(const Model& model, const Table& table) {
  const Encoding& encoding = model.encoding;
  std::vector<const Column*> out;
  const bool by_name = (table.has_header && encoding.has_names) || table.sparse;
  for (std::size_t k = 0; k < model.target_names.size(); ++k) {
    const Column* column = nullptr;
    if (by_name)
      column = table.find(model.target_names[k]);
    else if (k < encoding.target_positions.size() && std::size_t(encoding.table_columns) == table.columns.size())
      column = &table.columns[std::size_t(encoding.target_positions[k])];
    if (!column) return {};
    out.push_back(column);
  }
  return out;
}

// Numbers compare by value, however they are written.
std::string canonical(const std::string& label) {
  const detail::Cell cell = detail::read_cell(label);
  return cell.kind == detail::CellKind::number ? number_text(cell.number) : label;
}

std::string rows_text(std::int64_t n) { return fmt::format("{} row{}", n, n == 1 ? "" : "s"); }

std::string class_performance(const Model& model, const Predictions& predictions, const Column& truth,
                              const std::vector<std::int64_t>& row) {
  std::vector<std::string> classes, levels;
  for (const std::string& c : model.classes) classes.push_back(canonical(c));
  for (const std::string& l : truth.levels) levels.push_back(canonical(l));
  std::int64_t judged = 0, wrong = 0, of_a_class = 0;
  double log_likelihood = 0.0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const auto i = std::size_t(row[k] - 1);
    if (truth.is_text ? truth.code[i] < 0 : std::isnan(truth.number[i])) continue;
    const std::string label = truth.is_text ? levels[std::size_t(truth.code[i])] : number_text(truth.number[i]);
    ++judged;
    wrong += label != classes[std::size_t(predictions.label[k])];
    const auto known = std::find(classes.begin(), classes.end(), label);
    if (known == classes.end() || predictions.probability.size() == 0) continue;
    ++of_a_class;
    log_likelihood += std::log(std::max(predictions.probability(Index(k), known - classes.begin()), 1e-300));
  }
  if (judged == 0) return "";
  std::string out = fmt::format("error {:.4g} %", 100.0 * double(wrong) / double(judged));
  if (of_a_class > 0)
    out += fmt::format(", {:.4g} bits",
                       std::log2(double(classes.size())) + log_likelihood / double(of_a_class) / std::numbers::ln2);
  return fmt::format("{} on {}", out, rows_text(judged));
}

// Counts below 0, and values that a gamma machine cannot have, are not judged.
bool has_deviance_at(const Loss& loss, double t) {
  if (std::holds_alternative<Poisson>(loss)) return t >= 0.0;
  return !std::holds_alternative<Gamma>(loss) || t > 0.0;
}

std::string value_performance(const Model& model, const Predictions& predictions,
                              const std::vector<const Column*>& truth, const std::vector<std::int64_t>& row) {
  const bool rates = gives_rates(model.loss);
  std::vector<std::string> parts;
  std::int64_t most = 0;
  for (std::size_t c = 0; c < truth.size(); ++c) {
    if (truth[c]->is_text) return "";
    double squares = 0.0, deviance = 0.0;
    std::int64_t judged = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double t = truth[c]->number[std::size_t(row[k] - 1)];
      if (std::isnan(t) || !has_deviance_at(model.loss, t)) continue;
      ++judged;
      const double value = predictions.value(Index(k), Index(c));
      squares += std::pow(t - value, 2);
      if (rates) deviance += cost(model.loss, std::log(value), t).value;
    }
    if (judged == 0) return "";
    most = std::max(most, judged);
    const std::string figure =
        fmt::format("{:.4g}", rates ? deviance / double(judged) : std::sqrt(squares / double(judged)));
    parts.push_back(truth.size() == 1 ? figure : fmt::format("{} ({})", figure, model.target_names[c]));
  }
  return fmt::format("{} {} on {}", rates ? "deviance" : "rmse", join(parts), rows_text(most));
}

}  // namespace

std::string performance_text(const Model& model, const Predictions& predictions, const Table& table,
                             const std::vector<std::int64_t>& row) {
  const std::vector<const Column*> truth = target_columns(model, table);
  if (truth.empty()) return "";
  return model.classes.empty() ? value_performance(model, predictions, truth, row)
                               : class_performance(model, predictions, *truth[0], row);
}

}  // namespace lacuna
