#include "lacuna/report/performance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "lacuna/base/names.hpp"
#include "lacuna/base/shown.hpp"
#include "lacuna/evaluate/judge.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/read/place.hpp"
#include "lacuna/report/confusion.hpp"
#include "lacuna/report/lines.hpp"
#include "lacuna/report/table_truth.hpp"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

// Of a row: 0 is none.
double weight_of(const Vector& weights, std::size_t k) { return weights.size() > 0 ? weights[Index(k)] : 1.0; }

Vector some_of(const Vector& weights, const std::vector<Index>& rows) {
  return weights.size() > 0 ? Vector(weights(rows)) : Vector(Vector::Ones(Index(rows.size())));
}

Matrix some_of(const Matrix& m, const std::vector<Index>& rows) {
  return m.size() > 0 ? Matrix(m(rows, Eigen::all)) : Matrix();
}

}  // namespace

struct Performance::State {
  const Model& model;
  TableTruth truth;
  std::vector<Tally> tally{};              // one for classes, or one for each target
  std::vector<Index> counting{};           // rows of each, whatever they weigh
  std::map<std::string, Index> unknown{};  // labels that are none of the model's classes, and their rows
  bool weighted = false;

  void add_classes(const Predictions& predictions, std::span<const std::int64_t> row, const RowPrices& prices,
                   const Vector& weights);
  void add_values(const Predictions& predictions, std::span<const std::int64_t> row, const Vector& weights);
  double rows() const;
  std::string rows_text() const;
  std::string cost_text() const;
  std::string class_text() const;
  std::string value_text() const;
  Json json_of(const Tally& of) const;
};

void Performance::State::add_classes(const Predictions& said, std::span<const std::int64_t> row,
                                     const RowPrices& prices, const Vector& weights) {
  TestTruth of;
  of.classes = model.classes;
  of.classes.emplace_back("\x01");  // whatever training never saw comes after the others; no class is called that
  Predictions some;
  std::vector<Index> rows;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const int its = truth.label(row[k]);
    if (its < 0 || weight_of(weights, k) == 0.0) continue;
    if (std::size_t(its) == model.classes.size()) ++unknown[truth.label_text(row[k])];
    of.label.push_back(its);
    some.label.push_back(said.label[k]);
    rows.push_back(Index(k));
  }
  if (rows.empty()) return;
  of.weights = some_of(weights, rows);
  of.prices = take_rows(prices, rows);
  some.output = some_of(said.output, rows);
  some.variance = some_of(said.variance, rows);
  some.probability = some_of(said.probability, rows);
  counting[0] += Index(rows.size());
  add_tally(tally[0], judge_predictions(model, some, of).tally);
}

void Performance::State::add_values(const Predictions& said, std::span<const std::int64_t> row, const Vector& weights) {
  const HeldOutRows& trained = model.held_out;
  for (std::size_t c = 0; c < tally.size(); ++c) {
    TestTruth of;
    std::vector<double> target;
    std::vector<Index> rows;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double t = truth.target(row[k], c);
      if (std::isnan(t) || weight_of(weights, k) == 0.0) continue;
      target.push_back(t);
      rows.push_back(Index(k));
    }
    if (rows.empty()) continue;
    counting[c] += Index(rows.size());
    of.targets = Eigen::Map<const Vector>(target.data(), Index(target.size()));
    of.weights = some_of(weights, rows);
    Predictions some;
    some.value = said.value(rows, Eigen::all).col(Index(c));
    if (trained.target.size() > 0 && knows_weights(model)) {
      const Index l = trained.rows();
      const Matrix own = trained.target.col(Index(c)).head(l);
      const Vector counted = judged_weights(trained);
      if (gives_rates(model.loss))
        of.common_rate = common_rates(model.loss, own, trained.offset.head(trained.offset.size() > 0 ? l : 0), counted);
      else
        of.training_mean = own.transpose() * counted / counted.sum();
    }
    // A rate is of an exposure, which the prediction has and one common rate must be given.
    if (of.common_rate.size() > 0 && said.rate.size() > 0)
      of.offset = (some.value.array() / said.rate(rows, Eigen::all).col(Index(c)).array()).log();
    add_tally(tally[c], judge_predictions(model, some, of).tally);
  }
}

double Performance::State::rows() const {
  double out = 0.0;
  for (const Tally& t : tally) out = std::max(out, t.confusion.size() > 0 ? t.confusion.sum() : t.weight);
  return out;
}

// People are told rows, not sums of weights, whose unit is nobody's.
std::string Performance::State::rows_text() const {
  return plural(*std::ranges::max_element(counting), "row") +
         (weighted ? ", counted by " + shown(model.encoding.weight_column) : "");
}

std::string Performance::State::cost_text() const {
  const double cost = value_of(scores_of(tally[0]), "cost");
  if (std::isnan(cost)) return "";
  return fmt::format(", cost {:.4g} a row (s.e. {:.2g}; always {}: {:.4g})", cost, cost_error(tally[0]),
                     shown(model.classes[std::size_t(cheapest_class(tally[0]))]),
                     value_of(baseline_of(tally[0]), "cost"));
}

std::string Performance::State::class_text() const {
  if (!(rows() > 0.0)) return "";
  const NamedScores scores = scores_of(tally[0]);
  std::string out = fmt::format("error {:.4g} %", 100.0 * value_of(scores, "error"));
  if (const double xent = value_of(scores, "xent"); !std::isnan(xent))
    out += fmt::format(", {:.4g} bits", information(xent, Index(model.classes.size())));
  return fmt::format("{}{} on {}", out, cost_text(), rows_text());
}

std::string Performance::State::value_text() const {
  const char* score = gives_rates(model.loss) ? "deviance" : "rmse";
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < tally.size(); ++c) {
    if (!(tally[c].weight > 0.0)) return "";
    const std::string figure = fmt::format("{:.4g}", value_of(scores_of(tally[c]), score));
    parts.push_back(tally.size() == 1 ? figure : fmt::format("{} ({})", figure, shown(model.target_names[c])));
  }
  return fmt::format("{} {} on {}", score, join(parts), rows_text());
}

Json Performance::State::json_of(const Tally& of) const {
  const bool classes = of.confusion.size() > 0;
  const auto known = Index(model.classes.size());
  Json out{{"rows", classes ? of.confusion.sum() : of.weight}};
  if (weighted) out["counted_by"] = model.encoding.weight_column;
  out["scores"] = out["baseline"] = Json::object();
  const auto put = [&](const char* where, const NamedScores& scores) {
    for (const auto& [name, value] : scores) {
      // The place for unknown classes is no class that there could have been information about.
      const bool bits = name == "bits";
      const double is = bits ? information(value_of(scores, "xent"), known) : value;
      if (std::isfinite(is)) out[where][name] = is;
    }
  };
  put("scores", scores_of(of));
  put("baseline", baseline_of(of));
  if (!classes) return out;
  const double unseen = of.confusion.row(known).sum();
  out["confusion"] = confusion_json(of.confusion.topLeftCorner(known, known));
  out["by_class"] = class_scores_json(of.confusion, model.classes);
  if (unseen > 0.0) out["unseen_classes"] = unseen;
  if (const int cheapest = cheapest_class(of); cheapest >= 0) {
    out["cost_error"] = cost_error(of);
    out["cheapest"] = model.classes[std::size_t(cheapest)];
  }
  return out;
}

Performance::Performance(const Model& model, const Table& table)
    : state_(new State{.model = model, .truth = TableTruth(model, table)}) {
  if (state_->truth.known()) state_->tally.resize(model.classes.empty() ? model.target_names.size() : 1);
  state_->counting.resize(state_->tally.size());
}

Performance::~Performance() = default;

void Performance::add(const Predictions& predictions, std::span<const std::int64_t> row, const RowPrices& prices,
                      const Vector& weights) {
  if (!state_->truth.known()) return;
  state_->weighted = state_->weighted || weights.size() > 0;
  if (state_->model.classes.empty())
    state_->add_values(predictions, row, weights);
  else
    state_->add_classes(predictions, row, prices, weights);
}

std::string Performance::text() const {
  if (!state_->truth.known()) return "";
  return state_->model.classes.empty() ? state_->value_text() : state_->class_text();
}

std::string Performance::unknown_labels() const {
  if (state_->unknown.empty()) return "";
  constexpr std::size_t most = 5;
  const std::vector<std::string>& classes = state_->model.classes;
  std::vector<std::pair<Index, std::string>> labels;
  Index rows = 0;
  for (const auto& [label, count] : state_->unknown) {
    labels.emplace_back(count, label);
    rows += count;
  }
  std::ranges::stable_sort(labels, std::ranges::greater{}, [](const auto& of) { return of.first; });
  std::vector<std::string> told, known;
  for (const auto& [count, label] : labels)
    if (told.size() < most) told.push_back(fmt::format("{} ({})", detail::quoted(label), count));
  for (const std::string& c : classes)
    if (known.size() < most) known.push_back(detail::quoted(c));
  const auto more = [](std::size_t all, std::size_t of) {
    return all > of ? fmt::format(" and {} more", all - of) : "";
  };
  return fmt::format(
      "{} of {} rows have a label in {} that the model does not know and that counts as an error: {}{}; "
      "it knows {}{}{}",
      rows, state_->counting[0], shown(state_->model.target_names[0]), join(told), more(labels.size(), told.size()),
      join(known), more(classes.size(), known.size()), did_you_mean(labels[0].second, classes));
}

nlohmann::ordered_json Performance::json() const {
  if (!(state_->rows() > 0.0)) return nullptr;
  if (state_->tally.size() == 1) return state_->json_of(state_->tally[0]);
  Json out{{"targets", Json::object()}};
  for (std::size_t c = 0; c < state_->tally.size(); ++c)
    out["targets"][state_->model.target_names[c]] = state_->json_of(state_->tally[c]);
  return out;
}

}  // namespace lacuna
