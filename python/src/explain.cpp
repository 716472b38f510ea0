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
#include "lacuna/report/explanation.hpp"
#include "lacuna/report/report.hpp"
#include "options.hpp"
#include "watch.hpp"

namespace lacuna::python {
namespace {

// `X` is an array, compressed rows or a Table; `labels` (numbers of the model's classes) or `targets` are of its rows.
ExplainRows rows_to_explain(const Model& model, nb::handle X, nb::handle labels, nb::handle targets,
                            nb::handle log_exposure) {
  ExplainRows out;
  const std::vector<int> label = codes_of(labels, "labels");
  const Matrix target = matrix_of(targets, "y");
  const Vector offset = vector_of(log_exposure, "exposure");
  std::vector<Index> at;  // rows of X that are rows to explain
  if (const Table * table; nb::try_cast(X, table)) {
    Prepared prepared = prepare(*table, model.encoding);
    out.X = std::move(prepared.X);
    out.row = std::move(prepared.source_row);
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

nb::dict explained(const Fitted& fitted, nb::handle X, nb::handle labels, nb::handle targets, nb::handle log_exposure,
                   nb::handle fitted_rows, const nb::dict& given, int threads, nb::object progress) {
  const Model& model = fitted.model;
  ExplainOptions options = explain_options(given);
  const ExplainRows rows =
      X.is_none() ? rows_of_model(model) : rows_to_explain(model, X, labels, targets, log_exposure);
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
std::string scores(Fitted& fitted, nb::handle X, const Table& truth, nb::handle log_exposure, int threads) {
  const LentRows rows(X);
  const Vector offset = vector_of(log_exposure, "exposure");
  Watch watch{nb::none()};
  return watch.run([&] {
    const ThreadScope scope(threads);
    return fitted.scores(rows.view(), offset, truth);
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

void bind_explain(nb::module_& m) {
  m.def("explain", &explained, nb::arg("model"), nb::arg("X").none(), nb::arg("labels").none(),
        nb::arg("targets").none(), nb::arg("log_exposure").none(), nb::arg("fitted_rows").none(), nb::arg("options"),
        nb::arg("threads") = 0, nb::arg("progress").none() = nb::none());
  m.def("scores", &scores, nb::arg("model"), nb::arg("X"), nb::arg("truth"),
        nb::arg("log_exposure").none() = nb::none(), nb::arg("threads") = 0);
  m.def("scores_of_table", &scores_of_table, nb::arg("model"), nb::arg("table"), nb::arg("truth"),
        nb::arg("threads") = 0);
}

}  // namespace lacuna::python
