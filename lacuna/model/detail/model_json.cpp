#include "lacuna/model/detail/model_json.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/model/detail/basis_json.hpp"
#include "lacuna/model/detail/json_node.hpp"

namespace lacuna::detail {
namespace {

using nlohmann::json;

constexpr std::array tasks{Task::binary, Task::multiclass, Task::regression, Task::counts};
constexpr std::array<std::string_view, 3> missing_names{"error", "mean", "drop"};  // in the order of the enumeration
constexpr std::array stops{Stop::none,        Stop::converged, Stop::max_evaluations,       Stop::time_limit,
                           Stop::interrupted, Stop::at_bound,  Stop::not_positive_definite, Stop::not_finite};

constexpr std::array<std::string_view, 2> inference_names{"laplace", "ep"};

json encoding_to_json(const Encoding& e) {
  json columns = json::array(), features = json::array();
  for (const ColumnCode& c : e.columns)
    columns.push_back({{"name", text_json(c.name)},
                       {"categorical", c.categorical},
                       {"levels", texts_json(c.levels)},
                       {"fill", number_json(c.fill)},
                       {"position", c.position}});
  for (const FeatureCode& f : e.features)
    features.push_back({{"column", f.column},
                        {"level", f.level},
                        {"centre", number_json(f.centre)},
                        {"scale", number_json(f.scale)},
                        {"name", text_json(f.name)}});
  return {{"sparse", e.sparse},
          {"has_names", e.has_names},
          {"sparse_columns", e.sparse_columns},
          {"sparse_zero_based", e.sparse_zero_based},
          {"missing", missing_names[std::size_t(e.missing)]},
          {"columns", std::move(columns)},
          {"features", std::move(features)},
          {"table_columns", e.table_columns},
          {"target_positions", e.target_positions},
          {"offset_position", e.offset_position},
          {"offset_column", text_json(e.offset_column)},
          {"offset_is_exposure", e.offset_is_exposure}};
}

Encoding encoding_from_json(const JsonNode& node) {
  Encoding e;
  e.sparse = node["sparse"].flag();
  e.has_names = node["has_names"].flag();
  e.sparse_columns = node["sparse_columns"].whole(0);
  e.sparse_zero_based = node["sparse_zero_based"].flag();
  const std::string missing = node["missing"].text();
  std::size_t m = 0;
  while (m < missing_names.size() && missing_names[m] != missing) ++m;
  if (m == missing_names.size()) node["missing"].refuse("is no policy for missing values");
  e.missing = Missing(m);
  for (const JsonNode& c : node["columns"].list())
    e.columns.push_back({.name = c["name"].text(),
                         .categorical = c["categorical"].flag(),
                         .levels = c["levels"].texts(),
                         .fill = c["fill"].number(),
                         .position = c["position"].whole_as<std::int32_t>()});
  for (const JsonNode& f : node["features"].list())
    e.features.push_back({.column = f["column"].whole_as<std::int32_t>(),
                          .level = f["level"].whole_as<std::int32_t>(),
                          .centre = f["centre"].number(),
                          .scale = f["scale"].number(),
                          .name = f["name"].text()});
  e.table_columns = node["table_columns"].whole_as<std::int32_t>();
  for (const JsonNode& p : node["target_positions"].list()) e.target_positions.push_back(p.whole_as<std::int32_t>());
  e.offset_position = node["offset_position"].whole_as<std::int32_t>();
  e.offset_column = node["offset_column"].text();
  e.offset_is_exposure = node["offset_is_exposure"].flag();
  return e;
}

json loss_to_json(const Loss& loss) {
  json out{{"name", name(loss)}};
  if (const auto* probit = std::get_if<Probit>(&loss)) out["s"] = number_json(probit->s);
  if (const auto* huber = std::get_if<PseudoHuber>(&loss)) out["delta"] = number_json(huber->delta);
  return out;
}

double positive(const JsonNode& node) {
  const double value = node.number();
  if (!(value > 0.0 && std::isfinite(value))) node.refuse("is not a positive number");
  return value;
}

Loss loss_from_json(const JsonNode& node) {
  const std::string text = node["name"].text();
  if (text == Probit::id) return Probit{positive(node["s"])};
  if (text == PseudoHuber::id) return PseudoHuber{positive(node["delta"])};
  for (const Loss& loss : std::initializer_list<Loss>{Squared{}, Logistic{}, Poisson{}, SquaredHinge{}, Gamma{}})
    if (name(loss) == text) return loss;
  node["name"].refuse("is no loss");
}

json decision_to_json(const Model& model) {
  return {{"scale", number_json(model.calibration.scale)},
          {"shift", number_json(model.calibration.shift)},
          {"recalibrated", model.calibration.fitted},
          {"threshold", number_json(model.threshold)},
          {"rule", model.threshold_rule ? text(*model.threshold_rule) : ""}};
}

void decision_from_json(const JsonNode& node, Model& model) {
  model.calibration = {positive(node["scale"]), node["shift"].number(), node["recalibrated"].flag()};
  model.threshold = node["threshold"].number();
  if (!std::isfinite(model.calibration.shift) || !std::isfinite(model.threshold)) node.refuse("is not finite");
  const std::string rule = node["rule"].text();
  if (rule.empty()) return;
  try {
    model.threshold_rule = parse_threshold(rule);
  } catch (const Error&) {
    node["rule"].refuse("is no rule for a threshold");
  }
}

json report_to_json(const FitReport& r) {
  json held_out = json::array(), optima = json::array();
  for (const auto& [name, value] : r.held_out) held_out.push_back({{"name", name}, {"value", number_json(value)}});
  for (const auto& o : r.search.optima) {
    json values = json::array();
    for (const double v : o.values) values.push_back(number_json(v));
    optima.push_back({{"values", std::move(values)}, {"criterion", number_json(o.criterion)}});
  }
  json out{{"model", r.model},
           {"rows", r.rows},
           {"features", r.features},
           {"criterion", r.criterion},
           {"cv", text_json(r.cv)},
           {"criterion_value", number_json(r.criterion_value)},
           {"optimistic", r.optimistic},
           {"approximate", r.approximate},
           {"held_out", std::move(held_out)},
           {"search",
            {{"method", r.search.method},
             {"evaluations", r.search.evaluations},
             {"gradients", r.search.gradients},
             {"factorisations", r.search.factorisations},
             {"seconds", number_json(r.search.seconds)},
             {"stop", name(r.search.stop)},
             {"parameters", texts_json(r.search.parameters)},
             {"optima", std::move(optima)}}},
           {"flagged", r.flagged},
           {"refitted", r.refitted},
           {"seconds", number_json(r.seconds)},
           {"warnings", texts_json(r.warnings)}};
  if (r.weighted) out["weighted"] = true;
  if (r.search.scouted > 0) out["search"]["scouted"] = r.search.scouted;
  if (r.basis) out["basis"] = basis_to_json(*r.basis);
  if (!r.group.empty()) out["group"] = text_json(r.group);
  if (r.auc_pairs != "none") out["auc_pairs"] = r.auc_pairs;
  return out;
}

FitReport::Search search_from_json(const JsonNode& node) {
  FitReport::Search s;
  s.method = node["method"].text();
  s.evaluations = node["evaluations"].whole_as<int>();
  s.gradients = node["gradients"].whole_as<int>();
  s.factorisations = node["factorisations"].whole_as<int>();
  s.seconds = node["seconds"].number();
  const std::string stop = node["stop"].text();
  bool known = false;
  for (const Stop candidate : stops)
    if (name(candidate) == stop) s.stop = candidate, known = true;
  if (!known) node["stop"].refuse("is no reason to stop");
  if (node.has("scouted")) s.scouted = node["scouted"].whole_as<Index>();
  s.parameters = node["parameters"].texts();
  for (const JsonNode& o : node["optima"].list()) {
    auto& optimum = s.optima.emplace_back();
    for (const JsonNode& v : o["values"].list()) optimum.values.push_back(v.number());
    if (optimum.values.size() != s.parameters.size()) o["values"].refuse("has not one value for each parameter");
    optimum.criterion = o["criterion"].number();
  }
  return s;
}

FitReport report_from_json(const JsonNode& node) {
  FitReport r;
  r.model = node["model"].text();
  r.rows = node["rows"].whole(0);
  r.features = node["features"].whole(0);
  r.criterion = node["criterion"].text();
  r.cv = node["cv"].text();
  if (node.has("group")) r.group = node["group"].text();
  if (node.has("auc_pairs")) r.auc_pairs = node["auc_pairs"].text();
  r.criterion_value = node["criterion_value"].number();
  r.optimistic = node["optimistic"].flag();
  r.approximate = node["approximate"].flag();
  for (const JsonNode& h : node["held_out"].list()) r.held_out.emplace_back(h["name"].text(), h["value"].number());
  r.search = search_from_json(node["search"]);
  if (node.has("basis")) r.basis = basis_from_json(node["basis"]);
  if (node.has("weighted")) r.weighted = node["weighted"].flag();
  if (node.has("flagged")) r.flagged = node["flagged"].whole_as<int>(0);
  if (node.has("refitted")) r.refitted = node["refitted"].whole_as<int>(0);
  r.seconds = node["seconds"].number();
  r.warnings = node["warnings"].texts();
  return r;
}

Inference inference_from_json(const JsonNode& node) {
  const std::string text = node.text();
  for (std::size_t k = 0; k < inference_names.size(); ++k)
    if (inference_names[k] == text) return Inference(k);
  node.refuse("is no approximation of a posterior");
}

Task task_from_json(const JsonNode& node) {
  const std::string text = node.text();
  for (const Task task : tasks)
    if (name(task) == text) return task;
  node.refuse("is no task");
}

Kernel kernel_from_json(const JsonNode& node) {
  const std::string text = node.text();
  try {
    return parse_kernel(text).kernel;
  } catch (const Error& error) {
    node.refuse(fmt::format("cannot be read: {}", error.what()));
  }
}

// A text is worth writing only if it reads back to the same kernel; what the user wrote in C++ never does.
std::string checked_kernel_text(const Kernel& kernel) {
  const std::string text = kernel_text(kernel);
  try {
    if (kernel_text(parse_kernel(text).kernel) == text) return text;
  } catch (const Error&) {
  }
  fail_usage(
      fmt::format("write: kernel {} exists only in the program that made it; a model with it cannot be saved", text));
}

}  // namespace

json model_to_json(const Model& model) {
  json out{{"task", name(model.task)},
           {"classes", texts_json(model.classes)},
           {"target_names", texts_json(model.target_names)},
           {"kernel", checked_kernel_text(model.kernel)},
           {"lambda", number_json(model.lambda)},
           {"loss", loss_to_json(model.loss)},
           {"decision", decision_to_json(model)},
           {"encoding", encoding_to_json(model.encoding)},
           {"report", report_to_json(model.report)}};
  if (const Intervals& i = model.intervals; model.classes.empty()) {
    out["intervals"] = {{"selected", i.selected}, {"folds", i.folds}, {"half_width", json::array()}};
    for (const double width : i.half_width) out["intervals"]["half_width"].push_back(number_json(width));
  }
  if (model.inference) out["inference"] = inference_names[std::size_t(*model.inference)];
  return out;
}

void model_from_json(const json& text, const std::string& source, Model& model) {
  const JsonNode node(text, source);
  model.task = task_from_json(node["task"]);
  model.classes = node["classes"].texts();
  model.target_names = node["target_names"].texts();
  model.kernel = kernel_from_json(node["kernel"]);
  model.lambda = node["lambda"].number();
  // Version 1 had the squared loss only, and no decision but the sign.
  if (node.has("loss")) model.loss = loss_from_json(node["loss"]);
  if (node.has("decision")) decision_from_json(node["decision"], model);
  model.encoding = encoding_from_json(node["encoding"]);
  model.report = report_from_json(node["report"]);
  if (node.has("intervals")) {
    const JsonNode intervals = node["intervals"];
    std::vector<double> width;
    for (const JsonNode& w : intervals["half_width"].list()) width.push_back(w.number());
    model.intervals = {Eigen::Map<const Vector>(width.data(), Index(width.size())), intervals["selected"].flag(),
                       intervals["folds"].whole_as<int>(0)};
  }
  if (node.has("inference")) model.inference = inference_from_json(node["inference"]);
}

}  // namespace lacuna::detail
