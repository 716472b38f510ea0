// fit.cpp (of fitted.hpp) -- arrays or a table in, a fitted model out.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "fitted.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/data/numeric.hpp"
#include "options.hpp"
#include "watch.hpp"

namespace lacuna::python {
namespace {

nb::object get(const nb::dict& given, const char* key) { return given.contains(key) ? given[key] : nb::none(); }

std::vector<std::string> words(const nb::dict& given, const char* key) {
  const nb::object value = get(given, key);
  return value.is_none() ? std::vector<std::string>() : nb::cast<std::vector<std::string>>(value);
}

// All but the inputs. `supervision` has the keys labels and classes, or targets; target_names, counts, and where they
// are given weights, train_weights, select_weights, group, exposure, and prices with price_columns.
Dataset supervised(const nb::dict& supervision) {
  Dataset data;
  data.label = codes_of(get(supervision, "labels"), "labels");
  data.classes = words(supervision, "classes");
  data.targets = matrix_of(get(supervision, "targets"), "y");
  data.target_names = words(supervision, "target_names");
  const bool counts = supervision.contains("counts") && nb::cast<bool>(supervision["counts"]);
  data.task = data.classes.size() == 2 ? Task::binary
              : !data.classes.empty()  ? Task::multiclass
              : counts                 ? Task::counts
                                       : Task::regression;
  data.weights = vector_of(get(supervision, "weights"), "sample_weight");
  data.train_weights = vector_of(get(supervision, "train_weights"), "class_weight");
  data.select_weights = vector_of(get(supervision, "select_weights"), "select_weights");
  data.group = codes_of(get(supervision, "group"), "groups");
  data.offset = log_exposure_of(get(supervision, "exposure"));
  data.prices = {words(supervision, "price_columns"), matrix_of(get(supervision, "prices"), "cost")};
  take_units_out(data);
  return data;
}

// Where a table with these columns would have the targets and the exposure: after the inputs.
void place_targets(Encoding& encoding, const Dataset& data) {
  for (std::size_t k = 0; k < data.target_names.size(); ++k)
    encoding.target_positions.push_back(encoding.table_columns++);
  if (data.offset.size() == 0) return;
  encoding.offset_column = "exposure";
  encoding.offset_is_exposure = true;
  encoding.offset_position = encoding.table_columns++;
}

std::unique_ptr<Fitted> trained(const Dataset& data, Encoding encoding, FitOptions options, Watch& watch) {
  set_observer(options.train, watch.observer());
  if (auto& costs = options.train.held_out.costs) *costs = in_order(*costs, options.cost_classes, data.classes);
  Model model = train(data, options.train, options.choose);
  model.encoding = std::move(encoding);
  return std::make_unique<Fitted>(std::move(model));
}

std::unique_ptr<Fitted> fit(nb::handle X, const nb::dict& supervision, const nb::dict& options, nb::object basis,
                            nb::object progress) {
  const LentRows rows(X);
  FitOptions how = fit_options(options);
  DataOptions columns;
  columns.standardise = nb::cast<bool>(supervision["standardise"]);
  columns.encode_features = !takes_kernel_matrix(how.train);
  const std::vector<std::string> names = words(supervision, "feature_names");
  std::optional<LentRows> basis_rows;
  if (!basis.is_none()) basis_rows.emplace(basis);
  Dataset data = supervised(supervision);
  Watch watch(std::move(progress));
  return watch.run([&] {
    Encoding encoding = learn_numeric(rows.view(), names, data.weights, columns, data.notes);
    place_targets(encoding, data);
    data.X = encode_numeric(rows.view(), encoding);
    for (const FeatureCode& f : encoding.features)
      if (!encoding.sparse) data.feature_names.push_back(f.name);
    if (basis_rows) set_basis(how.train, encode_numeric(basis_rows->view(), encoding));
    return trained(data, std::move(encoding), how, watch);
  });
}

std::unique_ptr<Fitted> fit_table(const Table& table, const nb::dict& roles, const nb::dict& options,
                                  nb::object progress) {
  FitOptions how = fit_options(options);
  const DataOptions columns = data_options(roles);
  Watch watch(std::move(progress));
  return watch.run([&] {
    Encoded encoded = encode(table, columns);
    return trained(encoded.data, std::move(encoded.encoding), how, watch);
  });
}

}  // namespace

void bind_fit(nb::module_& m) {
  m.def("fit", &fit, nb::arg("X"), nb::arg("supervision"), nb::arg("options"), nb::arg("basis").none() = nb::none(),
        nb::arg("progress").none() = nb::none());
  m.def("fit_table", &fit_table, nb::arg("table"), nb::arg("roles"), nb::arg("options"),
        nb::arg("progress").none() = nb::none());
}

}  // namespace lacuna::python
