#include <nlohmann/json.hpp>

#include "lacuna/report/report.hpp"

namespace lacuna {

using Json = nlohmann::ordered_json;

namespace {

Json held_out_json(const FitReport& report) {
  Json out{{"approximate", report.approximate}};
  for (const auto& [name, value] : report.held_out) out[name] = value;
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
  return {{"method", search.method},       {"evaluations", search.evaluations},
          {"gradients", search.gradients}, {"factorisations", search.factorisations},
          {"seconds", search.seconds},     {"stop", name(search.stop)},
          {"optima", std::move(optima)}};
}

}  // namespace

Json kernel_json(const Kernel& kernel) {
  return std::visit(
      [](const auto& k) -> Json {
        using K = std::remove_cvref_t<decltype(k)>;
        Json out{{"name", K::id}};
        if constexpr (Combination<K>) {
          out["parts"] = Json::array();
          for (const Kernel& part : k.parts) out["parts"].push_back(kernel_json(part));
        } else if constexpr (std::is_same_v<K, Ard>) {
          out["theta"] = k.theta;
        } else if constexpr (std::is_same_v<K, Custom>) {
          out["label"] = k.label;
          for (std::size_t p = 0; p < k.parameter.size() && p < k.parameter_labels.size(); ++p)
            out[k.parameter_labels[p]] = k.parameter[p];
        } else {
          if constexpr (std::is_same_v<K, Polynomial>) out["degree"] = k.degree;
          for (std::size_t p = 0; p < K::names.size(); ++p) out[std::string(K::names[p])] = k.*(K::members()[p]);
        }
        return out;
      },
      kernel.form);
}

Json fit_json(const Model& model) {
  const FitReport& report = model.report;
  return {{"model", report.model},
          {"task", name(model.task)},
          {"rows", report.rows},
          {"features", report.features},
          {"classes", model.classes},
          {"kernel", kernel_json(model.kernel)},
          {"lambda", model.lambda},
          {"basis", nullptr},
          {"criterion",
           {{"name", report.criterion},
            {"cv", report.cv},
            {"value", report.criterion_value},
            {"optimistic", report.optimistic}}},
          {"held_out", held_out_json(report)},
          {"search", search_json(report.search)},
          {"seconds", report.seconds},
          {"warnings", report.warnings}};
}

Json inspect_json(const Model& model) {
  constexpr const char* missing[] = {"error", "mean", "drop"};
  const Encoding& encoding = model.encoding;
  Json out = fit_json(model);
  out["targets"] = model.target_names;
  out["expansion_rows"] = model.alpha.rows();
  out["held_out_rows"] = model.held_out.size();
  out["missing"] = missing[std::size_t(encoding.missing)];
  out["encoding"] = Json::array();
  for (const FeatureCode& f : encoding.features) {
    Json one{{"name", f.name}, {"centre", f.centre}, {"scale", f.scale}};
    if (!encoding.sparse) {
      const ColumnCode& column = encoding.columns[std::size_t(f.column)];
      one["column"] = column.name;
      if (f.level >= 0) one["level"] = column.levels[std::size_t(f.level)];
    }
    out["encoding"].push_back(std::move(one));
  }
  return out;
}

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'; }

}  // namespace lacuna
