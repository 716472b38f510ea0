#include "fitted.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/data/numeric.hpp"
#include "lacuna/export/onnx.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/model/redecide.hpp"
#include "lacuna/report/report.hpp"
#include "lacuna/report/table_truth.hpp"
#include "options.hpp"
#include "watch.hpp"

namespace lacuna::python {
namespace {

// Whether encoded rows are the rows themselves.
bool is_identity(const Encoding& encoding) {
  const Index columns = encoding.sparse ? encoding.sparse_columns : Index(encoding.columns.size());
  return Index(encoding.features.size()) == columns &&
         std::ranges::all_of(encoding.features, [](const FeatureCode& f) { return f.centre == 0.0 && f.scale == 1.0; });
}

// What a decision is made of: outputs, moderated where there are variances, that are positive where the class is.
Matrix decision(const Model& model, const Matrix& output, const Matrix& variance) {
  Matrix z = moderated(model, output, variance);
  if (model.classes.size() == 2) z.array() -= model.threshold;
  return z;
}

// The model with another cut, or with prices, whose rows and columns are in the order of `classes`.
// Of rows as they are encoded: a linear machine that was fitted about their centre is told about 0.
Vector intercept_of(const Model& model) {
  if (model.centre.size() == 0 || !std::holds_alternative<kernels::Linear>(model.kernel.form)) return model.b;
  return model.b - linear_weights(model).values().high.transpose() * model.centre;
}

std::unique_ptr<Fitted> with_other_decisions(const Fitted& f, const std::optional<std::string>& threshold,
                                             const std::optional<std::string>& cost,
                                             const std::vector<std::string>& classes) {
  std::optional<ThresholdRule> rule;
  std::optional<Costs> costs;
  if (threshold) rule = parse_threshold(*threshold);
  if (cost) costs = in_order(parse_costs(*cost), classes, f.model.classes);
  if (costs && !has_prices(*costs, f.model.held_out.prices))
    fail_usage("cost: the model does not keep the columns of " + costs_text(*costs) + " of its rows; fit with them");
  return std::make_unique<Fitted>(with_decisions(f.model, rule, costs));
}

// A stack has as many kernels as members.
std::string kernel_words(const Model& model) { return model.members.empty() ? kernel_text(model.kernel) : "stack"; }

}  // namespace

Predictions Fitted::predict_blocks(const RowsView& X, const Vector& offset, bool encoded,
                                   const PredictOptions& wanted) {
  const std::lock_guard lock(one_at_a_time_);
  if (!predictor_) predictor_ = std::make_unique<Predictor>(model);
  const bool as_it_is = encoded || model.encoding.features.empty() || is_identity(model.encoding);
  constexpr Index block = 8192;  // so that the encoded rows are not a second copy of all
  std::vector<Predictions> parts;
  for (Index first = 0; first < X.rows(); first += block) {
    check_stop();
    const RowsView part = middle_rows(X, first, std::min(block, X.rows() - first));
    PredictOptions part_wanted = wanted;
    if (!wanted.prices.empty()) part_wanted.prices.value = wanted.prices.value.middleRows(first, part.rows());
    const Vector shift = offset.size() == X.rows() ? Vector(offset.segment(first, part.rows())) : offset;
    parts.push_back(as_it_is ? predictor_->predict(part, shift, {}, part_wanted)
                             : predictor_->predict(encode_numeric(part, model.encoding), shift, {}, part_wanted));
  }
  return parts.empty() ? predictor_->predict(X, offset, {}, wanted) : join_predictions(parts);
}

nb::dict Fitted::as_dict(Predictions said) const {
  nb::dict out;
  if (!said.label.empty()) {
    out["decision"] = array_of(decision(model, said.output, said.variance));
    out["label"] = array_of(said.label);
  }
  const auto put = [&](const char* name, Matrix& m) {
    if (m.size() > 0) out[name] = array_of(std::move(m));
  };
  put("probability", said.probability);
  put("value", said.value);
  put("rate", said.rate);
  put("lower", said.lower);
  put("upper", said.upper);
  put("noise", said.noise);
  put("deviation", said.deviation);
  for (std::size_t k = 0; k < said.quantiles.size(); ++k)
    put(("quantile" + std::to_string(k)).c_str(), said.quantiles[k]);
  put("variance", said.variance);
  put("output", said.output);
  return out;
}

RowPrices prices_of(const Model& model, nb::handle prices) {
  if (prices.is_none() || !model.costs) return {};
  return {price_columns(*model.costs), matrix_of(prices, "cost")};
}

nb::dict Fitted::predict(nb::handle X, nb::handle exposure, int threads, const std::vector<double>& quantiles,
                         nb::handle prices, bool variance) {
  const LentRows rows(X);
  const Vector offset = log_exposure_of(exposure);
  const PredictOptions wanted{.quantiles = quantiles, .variance = variance, .prices = prices_of(model, prices)};
  Watch watch{nb::none()};
  return as_dict(watch.run([&] {
    const ThreadScope scope(threads);
    return predict_blocks(rows.view(), offset, false, wanted);
  }));
}

nb::dict Fitted::predict_table(const Table& table, int threads, const std::vector<double>& quantiles, bool variance) {
  Watch watch{nb::none()};
  Prepared rows;
  Predictions said = watch.run([&] {
    const ThreadScope scope(threads);
    rows = prepare(table, model.encoding);
    return predict_blocks(
        rows.X, rows.offset, true,
        {.quantiles = quantiles, .variance = variance, .prices = prices_for(model, table, rows.source_row)});
  });
  nb::dict out = as_dict(std::move(said));
  for (std::int64_t& row : rows.source_row) --row;
  out["row"] = array_of(rows.source_row);
  out["notes"] = nb::cast(warning_texts(rows.notes));
  out["note_codes"] = nb::cast(warning_code_names(rows.notes));
  return out;
}

nb::dict Fitted::held_out() const {
  const HeldOutRows& h = model.held_out;
  if (h.size() == 0) return {};
  nb::dict out = as_dict(held_out_predictions(model));
  std::vector<std::int64_t> row = h.row;
  for (std::int64_t& r : row) --r;
  out["row"] = array_of(row);
  out["repeats"] = h.repeats();
  out["leverage"] = array_of(Vector(h.leverage));
  out["trust"] = array_of(Vector(h.trust));
  out["loss"] = array_of(held_out_loss(model));
  // Where the model keeps its rows as they were; elsewhere predict has to be asked, with the rows.
  const bool kept = model.X.rows() * h.repeats() == h.size() && model.representation.empty() && !model.centre.size();
  if (const auto& noise = model.intervals.noise; noise && kept)
    out["noise"] = array_of(Matrix(noise_at(*noise, model.X).replicate(h.repeats(), 1)));
  if (h.fitted.size() > 0) out["fitted"] = array_of(Matrix(h.fitted));
  if (h.target.size() > 0) out["target"] = array_of(Matrix(h.target));
  if (!h.label.empty()) out["truth"] = array_of(h.label);
  if (decides_by_row(model) && has_prices(*model.costs, h.prices))
    out["expected_cost"] = array_of(RowCosts(*model.costs, h.prices).expected(held_out_predictions(model).probability));
  return out;
}

std::string Fitted::report() const {
  nlohmann::ordered_json json = fit_json(model);
  json["warnings"] = warning_texts(model.report.warnings);  // Python has its own names for options
  if (const auto& v = model.report.verification; v.rows > 0)
    json["verification"] = {{"rows", v.rows},
                            {"largest", v.largest},
                            {"row", v.row - 1},
                            {"mean_loss", v.mean_loss},
                            {"mean_loss_refitted", v.mean_loss_refitted}};
  const FitReport::Search& search = model.report.search;
  json["search"]["parameters"] = search.parameters;
  json["search"]["path"] = nlohmann::json::array();
  for (const auto& [values, criterion] : search.path) json["search"]["path"].push_back({values, criterion});
  json["encoding"] = inspect_json(model)["encoding"];
  json["kernel"]["text"] = kernel_words(model);
  for (std::size_t k = 0; k < model.members.size(); ++k)
    json["members"][k]["kernel"]["text"] = kernel_text(model.members[k].machine.kernel);
  return json_text(json);
}

void bind_fitted(nb::module_& m) {
  nb::class_<Fitted>(m, "Model", "A fitted model: the library's own, as the command line writes and reads it.")
      .def_static(
          "from_bytes",
          [](const nb::bytes& bytes, const std::string& source) {
            return std::make_unique<Fitted>(
                model_from_bytes({static_cast<const char*>(bytes.data()), bytes.size()}, source));
          },
          nb::arg("bytes"), nb::arg("source") = "bytes")
      .def("to_bytes",
           [](const Fitted& f) {
             const std::string bytes = model_to_bytes(f.model);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("to_onnx",
           [](const Fitted& f) {
             std::string bytes;
             {
               const nb::gil_scoped_release released;
               bytes = to_onnx(f.model);
             }
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def_static("load", [](const std::string& path) { return std::make_unique<Fitted>(read_model(path)); })
      .def("save", [](const Fitted& f, const std::string& path) { write_model(f.model, path); })
      .def_prop_rw(
          "metadata",
          [](const Fitted& f) {
            nb::dict out;
            for (const auto& [name, text] : f.model.metadata) out[name.c_str()] = text;
            return out;
          },
          [](Fitted& f, const nb::dict& given) {
            f.model.metadata.clear();
            for (const auto& [name, text] : given)
              f.model.metadata.emplace_back(nb::cast<std::string>(name), nb::cast<std::string>(text));
          },
          "Texts by name that are written to the model's file.")
      .def(
          "half_width", [](const Fitted& f, double level) { return array_of(half_width_at(f.model.intervals, level)); },
          nb::arg("level"))
      .def("predict", &Fitted::predict, nb::arg("X"), nb::arg("exposure").none() = nb::none(), nb::arg("threads") = 0,
           nb::arg("quantiles") = std::vector<double>(), nb::arg("prices").none() = nb::none(),
           nb::arg("variance") = false)
      .def("predict_table", &Fitted::predict_table, nb::arg("table"), nb::arg("threads") = 0,
           nb::arg("quantiles") = std::vector<double>(), nb::arg("variance") = false)
      .def("outside", &Fitted::outside, nb::arg("X"), nb::arg("threads") = 0)
      .def("with_decisions", &with_other_decisions, nb::arg("threshold").none(), nb::arg("cost").none(),
           nb::arg("classes"))
      .def_prop_ro("knows_weights", [](const Fitted& f) { return knows_weights(f.model); })
      .def("held_out", &Fitted::held_out)
      .def("report", &Fitted::report)
      .def("__getstate__",
           [](const Fitted& f) {
             const std::string bytes = model_to_bytes(f.model);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__",
           [](Fitted& f, const nb::bytes& bytes) {
             new (&f) Fitted(model_from_bytes({static_cast<const char*>(bytes.data()), bytes.size()}, "pickle"));
           })
      .def_prop_ro("classes", [](const Fitted& f) { return f.model.classes; })
      .def_prop_ro("machine", [](const Fitted& f) { return f.model.report.model; })
      .def_prop_ro("missing",
                   [](const Fitted& f) {
                     constexpr const char* words[] = {"error", "mean", "drop", "indicator"};
                     return words[std::size_t(f.model.encoding.missing)];
                   })
      .def_prop_ro("task", [](const Fitted& f) { return name_of(f.model.task); })
      .def_prop_ro("target_names", [](const Fitted& f) { return f.model.target_names; })
      .def_prop_ro("column_names",
                   [](const Fitted& f) {
                     std::vector<std::string> names;
                     for (const ColumnCode& c : f.model.encoding.columns) names.push_back(c.name);
                     return names;
                   })
      .def_prop_ro("has_names", [](const Fitted& f) { return f.model.encoding.has_names; })
      .def_prop_ro("n_columns",
                   [](const Fitted& f) {
                     const Encoding& e = f.model.encoding;
                     if (e.features.empty()) return input_features(f.model);
                     return e.sparse ? e.sparse_columns : Index(e.columns.size());
                   })
      .def_prop_ro("is_sparse", [](const Fitted& f) { return f.model.encoding.sparse; })
      .def_prop_ro("has_categories",
                   [](const Fitted& f) {
                     return std::ranges::any_of(f.model.encoding.columns, [](const auto& c) { return c.categorical; });
                   })
      .def_prop_ro(
          "alpha", [](const Fitted& f) { return f.model.lambda; }, "The regulariser, lambda or mu.")
      .def_prop_ro("kernel", [](const Fitted& f) { return kernel_words(f.model); })
      .def_prop_ro("threshold", [](const Fitted& f) { return f.model.threshold; })
      .def_prop_ro("has_probabilities", [](const Fitted& f) { return has_probabilities(f.model); })
      .def_prop_ro("dual_coef", [](const Fitted& f) { return array_of(Matrix(f.model.alpha)); })
      .def_prop_ro("intercept", [](const Fitted& f) { return array_of(intercept_of(f.model)); })
      .def_prop_ro("expansion",
                   [](const Fitted& f) -> nb::object {
                     if (f.model.X.is_sparse()) return nb::none();
                     return array_of(Matrix(f.model.X.dense()));
                   })
      .def_prop_ro("centre", [](const Fitted& f) { return array_of(Vector(f.model.centre)); })
      .def_prop_ro("scaling", [](const Fitted& f) {
        Matrix out(Index(f.model.encoding.features.size()), 3);  // column, centre, scale
        for (Index k = 0; k < out.rows(); ++k) {
          const FeatureCode& c = f.model.encoding.features[std::size_t(k)];
          out.row(k) << double(c.column), c.centre, c.scale;
        }
        return array_of(std::move(out));
      });
}

}  // namespace lacuna::python
