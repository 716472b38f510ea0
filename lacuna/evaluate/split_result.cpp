#include "lacuna/evaluate/split_result.hpp"

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"
#include "lacuna/evaluate/tasks.hpp"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no words for these.
Json number(double v) {
  if (std::isfinite(v)) return v;
  return std::isnan(v) ? "nan" : v > 0.0 ? "inf" : "-inf";
}
double number(const Json& j) {
  if (j.is_number()) return j.get<double>();
  if (j == "nan") return std::nan("");
  return j == "inf" ? HUGE_VAL : -HUGE_VAL;
}

Json scores_json(const NamedScores& scores) {
  Json out = Json::object();
  for (const auto& [name, value] : scores) out[name] = number(value);
  return out;
}
NamedScores scores_of(const Json& json) {
  NamedScores out;
  for (const auto& [name, value] : json.items()) out.emplace_back(name, number(value));
  return out;
}

Json numbers_json(const auto& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(number(v));
  return out;
}

Json bins_json(const CalibrationBins& bins) {
  Json out = Json::array();
  for (const CalibrationBin& bin : bins) out.push_back(numbers_json(std::vector{bin.weight, bin.claimed, bin.hits}));
  return out;
}
CalibrationBins bins_of(const Json& json) {
  CalibrationBins out;
  for (const Json& bin : json) out.push_back({number(bin.at(0)), number(bin.at(1)), number(bin.at(2))});
  return out;
}

Vector vector_of(const Json& json) {
  Vector out(Index(json.size()));
  for (std::size_t k = 0; k < json.size(); ++k) out[Index(k)] = number(json[k]);
  return out;
}

Json tally_json(const Tally& t) {
  if (t.confusion.size() == 0)
    return {{"weight", number(t.weight)},
            {"squares", numbers_json(t.squares)},
            {"spread", numbers_json(t.spread)},
            {"rates", t.rates},
            {"deviance", number(t.deviance)},
            {"nothing", number(t.nothing)},
            {"loss_squares", number(t.loss_squares)}};
  return {{"classes", t.confusion.rows()},
          {"confusion", numbers_json(t.confusion.reshaped())},
          {"pairs", numbers_json(t.pairs.reshaped())},
          {"log_loss", number(t.log_loss)},
          {"loss_squares", number(t.loss_squares)},
          {"foreseen", number(t.foreseen)},
          {"calibration", bins_json(t.calibration)},
          {"predicted", bins_json(t.predicted)}};
}
Tally tally_of(const Json& json) {
  Tally t;
  t.loss_squares = number(json.at("loss_squares"));
  if (!json.contains("classes")) {
    t.weight = number(json.at("weight"));
    t.squares = vector_of(json.at("squares"));
    t.spread = vector_of(json.at("spread"));
    t.rates = json.at("rates").get<bool>();
    t.deviance = number(json.at("deviance"));
    t.nothing = number(json.at("nothing"));
    return t;
  }
  const auto n = json.at("classes").get<Index>();
  t.confusion = vector_of(json.at("confusion")).reshaped(n, n);
  if (const Vector pairs = vector_of(json.at("pairs")); pairs.size() > 0) t.pairs = pairs.reshaped(n, 2);
  t.log_loss = number(json.at("log_loss"));
  t.foreseen = number(json.at("foreseen"));
  t.calibration = bins_of(json.at("calibration"));
  t.predicted = bins_of(json.at("predicted"));
  return t;
}

// Of the training rows, by target.
Vector mean_target(const Dataset& data) {
  if (data.targets.size() == 0) return {};
  if (data.weights.size() == 0) return data.targets.colwise().mean().transpose();
  return data.targets.transpose() * data.weights / data.weights.sum();
}

// Of all rows: counts over exposure, or the mean of values over exposure for a loss of positive values.
double common_rate(const Dataset& data, const Loss& loss) {
  if (!has_deviance(loss)) return 1.0;
  const bool counts = std::holds_alternative<Poisson>(loss);
  double above = 0.0, below = 0.0;
  for (Index i = 0; i < data.size(); ++i) {
    const double w = data.weights.size() > 0 ? data.weights[i] : 1.0;
    const double exposure = data.offset.size() > 0 ? std::exp(data.offset[i]) : 1.0;
    above += w * (counts ? data.targets(i, 0) : data.targets(i, 0) / exposure);
    below += w * (counts ? exposure : 1.0);
  }
  return above / below;
}

}  // namespace

std::string to_line(const SplitResult& r) {
  Json out{{"trained", r.trained}, {"tested", r.tested}};
  if (!r.failure.empty()) {
    out["failure"] = r.failure;
    out["numerical"] = r.numerical;
    return out.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  out["scores"] = scores_json(r.test.scores);
  out["held_out"] = scores_json(r.held_out);
  out["criterion"] = {{"name", r.criterion}, {"value", number(r.criterion_value)}, {"optimistic", r.optimistic}};
  out["parameters"] = r.parameters;
  out["values"] = numbers_json(r.values);
  out["evaluations"] = r.evaluations;
  out["seconds"] = {r.select_seconds, r.seconds, r.cpu_seconds};
  out["tally"] = tally_json(r.test.tally);
  if (r.test.unseen > 0) out["unseen"] = r.test.unseen;
  out["warnings"] = r.warnings;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SplitResult split_result(const std::string& line) {
  const Json in = Json::parse(line);
  SplitResult r;
  r.trained = in.at("trained").get<Index>();
  r.tested = in.at("tested").get<Index>();
  r.failure = in.value("failure", "");
  r.numerical = in.value("numerical", false);
  if (!r.failure.empty()) return r;
  r.test.scores = scores_of(in.at("scores"));
  r.held_out = scores_of(in.at("held_out"));
  r.criterion = in.at("criterion").at("name").get<std::string>();
  r.criterion_value = number(in.at("criterion").at("value"));
  r.optimistic = in.at("criterion").at("optimistic").get<bool>();
  r.parameters = in.at("parameters").get<std::vector<std::string>>();
  for (const Json& v : in.at("values")) r.values.push_back(number(v));
  r.evaluations = in.at("evaluations").get<int>();
  r.select_seconds = in.at("seconds").at(0).get<double>();
  r.seconds = in.at("seconds").at(1).get<double>();
  r.cpu_seconds = in.at("seconds").at(2).get<double>();
  if (in.contains("tally")) r.test.tally = tally_of(in.at("tally"));  // journals of experiments have older lines
  r.test.unseen = in.value("unseen", Index(0));
  r.warnings = in.at("warnings").get<std::vector<std::string>>();
  return r;
}

SplitResult fit_and_judge(const Dataset& training, const TrainOptions& options, const RowsView& test_rows,
                          const Vector& test_offset, TestTruth truth) {
  SplitResult r;
  r.trained = training.size();
  r.tested = test_rows.rows();
  const auto began = std::chrono::steady_clock::now();
  const double cpu_began = thread_seconds();
  Model model;
  try {
    model = train(training, options);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::numerical && error.kind() != Error::Kind::data) throw;
    r.failure = error.what();
    r.numerical = error.kind() == Error::Kind::numerical;
    return r;
  }
  if (model.report.search.stop == Stop::interrupted) return r;
  r.cpu_seconds = thread_seconds() - cpu_began;
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  truth.common_rate = common_rate(training, model.loss);
  truth.training_mean = mean_target(training);
  truth.offset = test_offset;
  r.test = judge(model, predict(model, test_rows, test_offset), truth);
  const FitReport& report = model.report;
  r.held_out = report.held_out;
  r.criterion = report.criterion;
  r.criterion_value = report.criterion_value;
  r.optimistic = report.optimistic;
  r.parameters = report.search.parameters;
  r.values = parameters(model.kernel);
  r.values.insert(r.values.begin(), model.lambda);
  if (model.inference) r.values.push_back(model.b[0]);  // the mean of its prior
  r.evaluations = report.search.evaluations;
  r.select_seconds = report.search.seconds;
  r.warnings = report.warnings;
  return r;
}

double value_of(const NamedScores& scores, std::string_view name) {
  for (const auto& [score, value] : scores)
    if (score == name) return value;
  return std::nan("");
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
