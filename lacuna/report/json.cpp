// report/json.cpp (of report.hpp) -- the report of a fit as JSON.
#include <nlohmann/json.hpp>

#include "lacuna/curves/standard_errors.hpp"
#include "lacuna/report/column_weights.hpp"
#include "lacuna/report/confusion.hpp"
#include "lacuna/report/counts.hpp"
#include "lacuna/report/options.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna {

using Json = nlohmann::ordered_json;

namespace {

Json held_out_json(const Model& model) {
  const FitReport& report = model.report;
  Json out{{"approximate", report.approximate}};
  if (report.choice) out["honest"] = true, out["folds"] = report.choice->folds;
  const bool exact = is_quadratic(model.loss) || report.cv.starts_with("explicit:");
  if (report.relevance) out["optimistic"] = true;  // the weights of the features saw all rows
  if (!exact) out["flagged"] = report.flagged, out["refitted"] = report.refitted;
  for (const auto& [name, value] : report.held_out) out[name] = value;
  if (out.contains("cost")) {
    out["cost_error"] = report.cost_error;
    out["cheapest"] = report.cheapest >= 0 ? Json(model.classes[std::size_t(report.cheapest)]) : Json(nullptr);
  }
  if (!report.baseline.empty()) out["baseline"] = Json::object();
  for (const auto& [name, value] : report.baseline) out["baseline"][name] = value;
  for (const TargetScores& t : held_out_by_target(model))
    out["by_target"].push_back({{"target", t.name},
                                {"rmse", t.rmse},
                                {"rmse_error", t.rmse_error},
                                {"r2", t.r2},
                                {"r2_error", t.r2_error},
                                {"rmse_of_mean", t.of_mean}});
  if (report.confusion.size() > 0) {
    out["confusion"] = confusion_json(report.confusion);
    out["by_class"] = class_scores_json(report.confusion, model.classes);
  }
  if (out.contains("auc") && report.auc_pairs != "none") out["auc_pairs"] = report.auc_pairs;
  return out;
}

Json search_json(const FitReport::Search& search) {
  Json optima = Json::array();
  for (const auto& optimum : search.optima) {
    Json one = Json::object();
    for (std::size_t p = 0; p < search.parameters.size() && p < optimum.values.size(); ++p)
      one[search.parameters[p]] = optimum.values[p];
    one["value"] = optimum.criterion;
    optima.push_back(std::move(one));
  }
  Json out{{"method", search.method},       {"evaluations", search.evaluations},
           {"gradients", search.gradients}, {"factorisations", search.factorisations},
           {"seconds", search.seconds},     {"stop", name_of(search.stop)},
           {"optima", std::move(optima)}};
  if (search.scouted > 0) out["scouted"] = search.scouted;
  return out;
}

// Null for the dual machine.
Json basis_json(const FitReport& report) {
  if (!report.basis) return nullptr;
  const FitReport::Basis& b = *report.basis;
  Json out{{"method", b.method},     {"automatic", b.automatic}, {"by_size", b.by_size},
           {"asked", b.asked},       {"size", b.size},           {"kept", b.kept},
           {"complete", b.complete}, {"rounds", b.rounds},       {"selected_on", b.selected_on}};
  if (!b.automatic) return out;
  out["sizes"] = Json::array();
  for (const auto& [size, criterion] : b.sizes) out["sizes"].push_back({{"size", size}, {"criterion", criterion}});
  return out;
}

Json loss_json(const Loss& loss) {
  Json out{{"name", name_of(loss)}};
  for_each_parameter(loss, [&](std::string_view its, double value) { out[std::string(its)] = value; });
  return out;
}

// Two classes: which outputs are positive. Null where a decision is the largest output, or there is none.
Json decision_json(const Model& model) {
  if (model.task != Task::binary && !model.calibration.fitted && !model.costs) return nullptr;
  Json out = Json::object();
  if (model.task == Task::binary) {
    out["threshold"] = model.threshold + 0.0;  // not -0
    out["rule"] = model.threshold_rule ? Json(threshold_text(*model.threshold_rule)) : Json(nullptr);
    if (has_probabilities(model))
      out["probability"] =
          probabilities(model.loss, model.calibration, Matrix::Constant(1, 1, model.threshold), 2)(0, 1);
  }
  if (model.costs) out["costs"] = costs_text(*model.costs);
  out["recalibrated"] = model.calibration.fitted;
  if (model.calibration.fitted) out["scale"] = model.calibration.scale, out["shift"] = model.calibration.shift;
  return out;
}

Json intervals_json(const Intervals& intervals) {
  if (intervals.half_width.size() == 0) return nullptr;
  return {{"level", intervals.level},
          {"method", intervals.jackknife ? "jackknife+" : "width"},
          {"half_width", std::vector<double>(intervals.half_width.begin(), intervals.half_width.end())},
          {"sd", std::vector<double>(intervals.deviation.begin(), intervals.deviation.end())},
          {"folds", intervals.folds},
          {"varies", intervals.noise.has_value()}};
}

Json choice_json(const FitReport::Choice& choice) {
  Json out{{"effort", choice.effort}, {"folds", choice.folds}, {"loss", choice.loss}, {"stop", name_of(choice.stop)}};
  out["candidates"] = Json::array();
  for (const auto& c : choice.candidates) {
    Json one{{"name", c.name}};
    if (!c.kernel.empty()) one["kernel"] = c.kernel, one["lambda"] = c.lambda;
    if (c.left.empty())
      one["loss"] = c.loss, one["difference"] = c.difference, one["standard_error"] = c.standard_error;
    else
      one["left"] = c.left;
    one["weight"] = c.weight;
    one["seconds"] = c.seconds;
    out["candidates"].push_back(std::move(one));
  }
  return out;
}

// Columns that are seen another way, by how many features each.
Json seen_json(const Representation& representation) {
  Json out = Json::array();
  for (const SeenFeature& f : representation.features) {
    if (f.at.empty()) continue;
    if (out.empty() || out.back()["feature"] != f.column + 1) out.push_back({{"feature", f.column + 1}, {"as", 0}});
    out.back()["as"] = out.back()["as"].get<int>() + 1;
  }
  return out;
}

// A stack has the kernels of its members, and no regulariser of its own.
void tell_of_members(const Model& model, Json& out) {
  out["kernel"] = {{"name", "stack"}};
  out[model.report.regulariser()] = nullptr;
  out["members"] = Json::array();
  for (const Member& m : model.members) {
    Json one{{"name", m.name}, {"weight", m.weight}, {"kernel", kernel_json(m.machine.kernel)}};
    one[m.machine.report.regulariser()] = m.machine.lambda;
    one["expansion_rows"] = m.machine.alpha.rows();
    if (Json columns = column_weights_json(m.machine, model.encoding); !columns.empty())
      one["columns"] = std::move(columns);
    if (!m.machine.representation.empty()) one["seen"] = seen_json(m.machine.representation);
    out["members"].push_back(std::move(one));
  }
}

}  // namespace

Json kernel_json(const Kernel& kernel) {
  return std::visit(
      [](const auto& k) -> Json {
        using K = std::remove_cvref_t<decltype(k)>;
        Json out{{"name", K::id}};
        if constexpr (kernels::HasParts<K>) {
          out["parts"] = Json::array();
          for (const Kernel& part : k.parts) out["parts"].push_back(kernel_json(part));
          if constexpr (std::is_same_v<K, kernels::Relevance>) out["weights"] = k.weights;
        } else if constexpr (kernels::PerFeature<K>) {
          out["theta"] = k.theta;
        } else if constexpr (std::is_same_v<K, kernels::Custom>) {
          out["label"] = k.label;
          for (std::size_t p = 0; p < k.parameter.size() && p < k.parameter_labels.size(); ++p)
            out[k.parameter_labels[p]] = k.parameter[p];
        } else {
          if constexpr (kernels::HasWhole<K>) out[std::string(K::whole().name)] = k.*(K::whole().member);
          for (std::size_t p = 0; p < K::names.size(); ++p) out[std::string(K::names[p])] = k.*(K::members()[p]);
        }
        return out;
      },
      kernel.form);
}

Json fit_json(const Model& model) {
  const FitReport& report = model.report;
  Json out{{"model", report.model},
           {"task", name_of(model.task)},
           {"rows", report.rows},
           {"features", report.features},
           {"classes", model.classes},
           {"kernel", kernel_json(model.kernel)},
           {report.regulariser(), model.lambda},
           {"basis", basis_json(report)},
           {"criterion",
            {{"name", report.criterion},
             {"cv", report.cv},
             {"value", report.criterion_value},
             {"optimistic", report.optimistic},
             {"weighted", report.weighted}}},
           {"held_out", held_out_json(model)},
           {"search", search_json(report.search)},
           {"seconds", report.seconds},
           {"warnings", with_flags(report.warnings)},
           {"warning_codes", warning_code_names(report.warnings)},
           {"loss", loss_json(model.loss)},
           {"decision", decision_json(model)},
           {"intervals", intervals_json(model.intervals)}};
  if (report.counts) out["counts"] = counts_json(model);
  if (!report.group.empty()) out["criterion"]["group"] = report.group;
  if (Json relevance = relevance_json(model); !relevance.is_null()) out["relevance"] = std::move(relevance);
  if (model.inference) out["mean"] = model.b[0];
  if (!model.representation.empty()) out["seen"] = seen_json(model.representation);
  if (report.choice) out["choice"] = choice_json(*report.choice);
  if (!model.members.empty()) tell_of_members(model, out);
  return out;
}

Json inspect_json(const Model& model) {
  constexpr const char* missing[] = {"error", "mean", "drop", "indicator"};
  const Encoding& encoding = model.encoding;
  Json out = fit_json(model);
  out["targets"] = model.target_names;
  Index rows = model.alpha.rows();
  for (const Member& m : model.members) rows += m.machine.alpha.rows();
  out["expansion_rows"] = rows;
  out["held_out_rows"] = model.held_out.size() / std::max<Index>(1, model.held_out.repeats());
  if (!encoding.weight_column.empty()) out["weights"] = encoding.weight_column;
  out["missing"] = missing[std::size_t(encoding.missing)];
  out["encoding"] = Json::array();
  for (const FeatureCode& f : encoding.features) {
    Json one{{"name", f.name}, {"centre", f.centre}, {"scale", f.scale}};
    if (!encoding.sparse) {
      const ColumnCode& column = encoding.columns[std::size_t(f.column)];
      one["column"] = column.name;
      if (marks_missing(column, f))
        one["missing"] = true;
      else if (f.level >= 0)
        one["level"] = column.levels[std::size_t(f.level)];
    }
    out["encoding"].push_back(std::move(one));
  }
  return out;
}

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'; }

}  // namespace lacuna
