// report/evaluation_json.cpp (of evaluation.hpp) -- nested validation as JSON.
#include <cmath>
#include <nlohmann/json.hpp>

#include "lacuna/report/confusion.hpp"
#include "lacuna/report/evaluation.hpp"
#include "lacuna/report/options.hpp"
#include "lacuna/report/test_rows.hpp"

namespace lacuna {

using Json = nlohmann::ordered_json;

namespace {

// A value that a split does not have is null.
Json values_json(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(std::isfinite(v) ? Json(v) : Json(nullptr));
  return out;
}
Json spread(const std::vector<double>& values) {
  return {{"mean", mean_of(values).mean}, {"values", values_json(values)}};
}

template <class F>
Json spread_of(const std::vector<SplitResult>& splits, const F& f) {
  std::vector<double> values;
  for (const SplitResult& r : splits) values.push_back(r.failure.empty() ? f(r) : std::nan(""));
  return spread(values);
}

Json plan_json(const NestedValidation& e) {
  Json out{{"plan", split_plan_text(e.plan)},
           {"count", e.splits},
           {"seed", e.plan.seed},
           {"group", e.group.empty() ? Json(nullptr) : Json(e.group)},
           {"tested_to_trained", e.tested_to_trained},
           {"se", "corrected for the rows that splits share (Nadeau and Bengio 2003)"}};
  for (const auto* size : {"train", "test"}) {
    out[size] = Json::array();
    for (const SplitResult& r : e.contenders[0].splits)
      out[size].push_back(std::string_view(size) == "train" ? r.trained : r.tested);
  }
  return out;
}

Json results_json(const NestedValidation& e, const NestedValidation::Results& of) {
  Json out{{"name", of.name}, {"scores", Json::object()}, {"inside_the_fit", Json::object()}};
  const PooledScores test(of.splits);
  const Tally all = pooled_tally(of.splits);
  const NamedScores baseline = baseline_of(all);
  for (const std::string& score : score_names(of)) {
    const Estimate m = test.estimate(score, e.tested_to_trained);
    out["scores"][score] = {{"mean", m.value}, {"se", m.se}, {"values", values_json(values_of(of.splits, score))}};
    if (const double constant = value_of(baseline, score); std::isfinite(constant))
      out["scores"][score]["baseline"] = constant;
  }
  if (const int cheapest = cheapest_class(all); cheapest >= 0)
    out["scores"]["cost"]["cheapest"] = e.classes[std::size_t(cheapest)];
  const SplitResult* first = nullptr;
  bool optimistic = false;
  Json failures = Json::array();
  for (std::size_t k = 0; k < of.splits.size(); ++k) {
    const SplitResult& r = of.splits[k];
    if (first == nullptr && r.failure.empty()) first = &r;
    optimistic = optimistic || r.optimistic;
    if (!r.failure.empty()) failures.push_back({{"split", k + 1}, {"why", r.failure}});
  }
  out["failures"] = failures;
  if (first == nullptr) return out;
  out["inside_the_fit"]["optimistic"] = optimistic;
  for (const auto& [score, value] : first->held_out)
    out["inside_the_fit"][score] =
        spread_of(of.splits, [&name = score](auto& r) { return value_of(r.held_out, name); });
  if (!first->criterion.empty()) {
    out["criterion"] = {{"name", first->criterion}, {"optimistic", optimistic}};
    out["criterion"].update(spread_of(of.splits, [](auto& r) { return r.criterion_value; }));
  }
  if (Json coverage = coverage_json(e, of); !coverage.is_null()) out["coverage"] = std::move(coverage);
  if (Json levels = level_json(e, of); !levels.is_null()) out["by"] = std::move(levels);
  out["parameters"] = Json::object();
  for (const auto& [name, values] : chosen_parameters(of.splits)) out["parameters"][name] = values_json(values);
  out["seconds"] = spread_of(of.splits, [](auto& r) { return r.seconds; });
  out["cpu_seconds"] = spread_of(of.splits, [](auto& r) { return r.cpu_seconds; });
  if (all.confusion.size() > 0) {
    out["confusion"] = confusion_json(all.confusion);
    out["by_class"] = class_scores_json(all.confusion, e.classes);
  }
  if (!all.calibration.empty()) out["calibration"] = Json::array();
  for (const CalibrationBin& bin : all.calibration)
    out["calibration"].push_back({{"rows", bin.weight},
                                  {"stated", bin.weight > 0.0 ? Json(bin.claimed / bin.weight) : Json(nullptr)},
                                  {"was", bin.weight > 0.0 ? Json(bin.hits / bin.weight) : Json(nullptr)}});
  const Warnings warnings = common_warnings(of.splits);
  out["warnings"] = with_flags(warnings);
  out["warning_codes"] = warning_code_names(warnings);
  return out;
}

Json comparisons_json(const NestedValidation& e) {
  Json out = Json::array();
  for (std::size_t a = 0; a < e.contenders.size(); ++a)
    for (std::size_t b = a + 1; b < e.contenders.size(); ++b) {
      Json one{{"first", e.contenders[a].name}, {"second", e.contenders[b].name}, {"differences", Json::object()}};
      for (const auto& [score, d] : paired_differences(e.contenders[a], e.contenders[b], e.tested_to_trained))
        one["differences"][score] = {
            {"mean", d.difference.mean}, {"se", d.se}, {"z", d.z}, {"corrected_t", d.t}, {"p", d.p}};
      out.push_back(std::move(one));
    }
  return out;
}

}  // namespace

Json evaluation_json(const NestedValidation& e) {
  Json out{{"task", name_of(e.task)}, {"rows", e.rows}, {"classes", e.classes}, {"splits", plan_json(e)}};
  out["models"] = Json::array();
  for (const auto& of : e.contenders) out["models"].push_back(results_json(e, of));
  out["comparisons"] = comparisons_json(e);
  out["warnings"] = with_flags(e.notes);
  out["warning_codes"] = warning_code_names(e.notes);
  return out;
}

}  // namespace lacuna
