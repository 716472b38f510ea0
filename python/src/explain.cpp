// explain.cpp (of fitted.hpp) -- what a fitted model does with its columns, and how good its predictions of known
// targets are. Rows count from 0 here, and from 1 in the library.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "fitted.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/data/numeric.hpp"
#include "lacuna/explain/explain.hpp"
#include "lacuna/explain/outside.hpp"
#include "lacuna/explain/trained_on.hpp"
#include "lacuna/report/explanation.hpp"
#include "lacuna/report/performance.hpp"
#include "lacuna/report/report.hpp"
#include "lacuna/report/table_truth.hpp"
#include "options.hpp"
#include "watch.hpp"

namespace lacuna::python {
namespace {

// Targets as a table in which a model finds them: by name, or where training had them if its columns have no names.
Table with_places(const Encoding& encoding, Table truth) {
  if (encoding.has_names || encoding.sparse) return truth;
  std::vector<Column> all(std::size_t(encoding.table_columns));
  for (std::size_t k = 0; k < truth.columns.size(); ++k)
    all.at(std::size_t(encoding.target_positions.at(k))) = std::move(truth.columns[k]);
  truth.columns = std::move(all);
  return truth;
}

std::vector<Index> every_row(Index count) {
  std::vector<Index> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), Index(0));
  return out;
}

// `X` is an array, compressed rows or a Table; `labels` (numbers of the model's classes) or `targets` are of its rows.
ExplainRows rows_to_explain(const Model& model, nb::handle X, nb::handle labels, nb::handle targets,
                            nb::handle exposure) {
  ExplainRows out;
  const std::vector<int> label = codes_of(labels, "labels");
  const Matrix target = matrix_of(targets, "y");
  const Vector offset = log_exposure_of(exposure);
  std::vector<Index> at;  // rows of X that are rows to explain
  if (const Table * table; nb::try_cast(X, table)) {
    Prepared prepared = prepare(*table, model.encoding);
    out.X = std::move(prepared.X);
    out.row = std::move(prepared.source_row);
    out.weight = read_weights(*table, model.encoding, out.row);
    if (out.weight.size() > 0) out.counted_by = model.encoding.weight_column;
    for (const std::int64_t row : out.row) at.push_back(row - 1);
  } else {
    const LentRows rows(X);
    out.X = encode_numeric(rows.view(), model.encoding);
    out.row.resize(std::size_t(out.X.rows()));
    std::iota(out.row.begin(), out.row.end(), std::int64_t(1));
    at.resize(out.row.size());
    std::iota(at.begin(), at.end(), Index(0));
  }
  if (offset.size() > 0) out.offset = offset(at);
  if (target.size() > 0) out.target = target(at, Eigen::all);
  if (!label.empty())
    for (const Index i : at) out.label.push_back(label[std::size_t(i)]);
  return out;
}

// Rows from 0, as Python's data have them: `fitted` are those that the model was fitted on; none: all.
void number_rows(Explanation& e, const std::vector<int>& fitted, bool of_training) {
  if (!e.neighbourhood) return;
  const auto place = [&](std::int64_t row) { return fitted.empty() ? row - 1 : fitted[std::size_t(row - 1)]; };
  Neighbourhood& of = *e.neighbourhood;
  of.row = of_training ? place(of.row) : of.row - 1;
  for (auto* list : {&of.nearest, &of.strongest})
    for (Neighbour& one : *list)
      if (one.row) one.row = place(*one.row);
}

nb::dict explained(const Fitted& fitted, nb::handle X, nb::handle labels, nb::handle targets, nb::handle exposure,
                   nb::handle fitted_rows, const nb::dict& given, int threads, nb::object progress) {
  const Model& model = fitted.model;
  ExplainOptions options = explain_options(given);
  const ExplainRows rows = X.is_none() ? rows_of_model(model) : rows_to_explain(model, X, labels, targets, exposure);
  Watch watch(std::move(progress));
  options.observer = watch.observer();
  Explanation e = watch.run([&] {
    const ThreadScope scope(threads);
    return explain(model, rows, options);
  });
  number_rows(e, codes_of(fitted_rows, "rows"), X.is_none());
  nb::list curves;
  for (const CurvePoint& p : e.curves)
    curves.append(nb::make_tuple(p.column, p.value, e.outputs[std::size_t(p.output)], p.mean, p.lower, p.upper));
  nb::dict out;
  out["json"] = json_text(explanation_json(model, e));
  out["text"] = explanation_text(model, e);
  out["curves"] = curves;
  out["trained_on"] = X.is_none() ? Index(0) : count_trained_on(model, rows.X);
  return out;
}

// {"rows", "scores", "baseline" ...} of predictions, whose targets are columns of `truth`.
std::string scores(Fitted& fitted, nb::handle X, const Table& truth, nb::handle exposure, int threads,
                   nb::handle prices) {
  const LentRows rows(X);
  const Vector offset = log_exposure_of(exposure);
  RowPrices known = prices_of(fitted.model, prices);
  Watch watch{nb::none()};
  return watch.run([&] {
    const ThreadScope scope(threads);
    return fitted.scores(rows.view(), offset, truth, std::move(known));
  });
}

std::string scores_of_table(Fitted& fitted, const Table& table, const Table& truth, int threads) {
  Watch watch{nb::none()};
  return watch.run([&] {
    const ThreadScope scope(threads);
    return fitted.scores(table, truth);
  });
}

}  // namespace

Rows Fitted::encoded(const RowsView& X) const {
  if (!model.encoding.features.empty()) return encode_numeric(X, model.encoding);
  return take_rows(X, every_row(X.rows()));
}

nb::object Fitted::outside(nb::handle X, int threads) const {
  Watch watch{nb::none()};
  Vector out;
  if (const Table * table; nb::try_cast(X, table)) {
    out = Vector::Constant(Index(table->rows), std::nan(""));
    watch.run([&] {
      const ThreadScope scope(threads);
      const Prepared rows = prepare(*table, model.encoding);
      const Vector ratio = Outside(model).ratio(rows.X);
      for (std::size_t k = 0; k < rows.source_row.size(); ++k) out[Index(rows.source_row[k] - 1)] = ratio[Index(k)];
      return true;
    });
    return array_of(std::move(out));
  }
  const LentRows rows(X);
  out = watch.run([&] {
    const ThreadScope scope(threads);
    return Outside(model).ratio(encoded(rows.view()));
  });
  return array_of(std::move(out));
}

std::string Fitted::scores(const RowsView& X, const Vector& offset, const Table& truth, RowPrices prices) {
  std::vector<std::int64_t> row(std::size_t(X.rows()));
  std::iota(row.begin(), row.end(), std::int64_t(1));
  const Table targets = with_places(model.encoding, truth);
  Performance performance(model, targets);
  const PredictOptions wanted{.prices = std::move(prices)};
  performance.add(predict_blocks(X, offset, false, wanted), row, wanted.prices);
  return json_text(performance.json());
}

std::string Fitted::scores(const Table& table, const Table& truth) {
  const Prepared rows = prepare(table, model.encoding);
  const Table targets = with_places(model.encoding, truth);
  Performance performance(model, targets);
  const PredictOptions wanted{.prices = prices_for(model, table, rows.source_row)};
  performance.add(predict_blocks(rows.X, rows.offset, true, wanted), rows.source_row, wanted.prices,
                  read_weights(table, model.encoding, rows.source_row));
  return json_text(performance.json());
}

void bind_explain(nb::module_& m) {
  m.def("explain", &explained, nb::arg("model"), nb::arg("X").none(), nb::arg("labels").none(),
        nb::arg("targets").none(), nb::arg("exposure").none(), nb::arg("fitted_rows").none(), nb::arg("options"),
        nb::arg("threads") = 0, nb::arg("progress").none() = nb::none());
  m.def("scores", &scores, nb::arg("model"), nb::arg("X"), nb::arg("truth"), nb::arg("exposure").none() = nb::none(),
        nb::arg("threads") = 0, nb::arg("prices").none() = nb::none());
  m.def("scores_of_table", &scores_of_table, nb::arg("model"), nb::arg("table"), nb::arg("truth"),
        nb::arg("threads") = 0);
}

}  // namespace lacuna::python
