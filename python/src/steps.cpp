// steps.cpp (of fitted.hpp) -- training in steps, over tables that are parts of one.
#include "lacuna/steps/steps.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "fitted.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/steps/bytes.hpp"
#include "options.hpp"
#include "watch.hpp"

namespace lacuna::python {
namespace {

// Pickled as bytes, and added without changing either.
template <class T>
nb::class_<T> value_class(nb::module_& m, const char* name, const char* words, T (*from)(std::string_view)) {
  nb::class_<T> bound(m, name, words);
  bound
      .def("__getstate__",
           [](const T& value) {
             const std::string bytes = to_bytes(value);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__", [from](T& value, const nb::bytes& bytes) {
        new (&value) T(from({static_cast<const char*>(bytes.data()), bytes.size()}));
      });
  return bound;
}

template <class T>
T sum(const T& a, const T& b) {
  T out = a;
  return out += b;
}

template <class Work>
auto unlocked(Work&& work) {
  Watch watch{nb::none()};
  return watch.run(work);
}

Plan planned(const Table& sample, const nb::dict& roles, const nb::dict& options, const Description* all,
             nb::object progress) {
  FitOptions how = fit_options(options);
  if (how.choose.effort != Effort::quick) fail_usage("steps: `effort=quick` is what there is for rows in parts");
  const DataOptions columns = data_options(roles);
  Watch watch(std::move(progress));
  set_observer(how.train, watch.observer());
  return watch.run([&] { return make_plan(sample, columns, how.train, all); });
}

std::unique_ptr<Fitted> finished(const Plan& plan, const std::vector<HeldOutPart>& parts) {
  return unlocked([&] { return std::make_unique<Fitted>(finish(plan, parts)); });
}

}  // namespace

void bind_steps(nb::module_& m) {
  value_class<Description>(m, "Description", "What has to be known of all rows.", &description_from)
      .def_prop_ro("rows", [](const Description& d) { return settled(d).rows; })
      .def_ro("rows_read", &Description::rows_read)
      .def_prop_ro("classes",
                   [](const Description& d) {
                     const Description all = settled(d);
                     std::vector<std::string> names;
                     if (!all.targets.empty())
                       for (const auto& [name, level] : all.targets[0].levels) names.push_back(name);
                     sort_labels(names);
                     return names;
                   })
      .def("__add__", &sum<Description>);
  value_class<Sample>(m, "Sample", "Rows drawn by their numbers.", &sample_from)
      .def("table", &Sample::table)
      .def("__add__", &sum<Sample>);
  value_class<Statistics>(m, "Statistics", "Sums over rows, of one pass.", &statistics_from)
      .def_ro("number", &Statistics::pass)
      .def("__add__", &sum<Statistics>);
  value_class<HeldOutPart>(m, "HeldOut", "Rows as if each had been held out.", &held_out_from)
      .def_prop_ro("row",
                   [](const HeldOutPart& part) {
                     std::vector<std::int64_t> rows = part.data.source_row;
                     for (std::int64_t& row : rows) --row;
                     return array_of(rows);
                   })
      .def_prop_ro("output", [](const HeldOutPart& part) { return array_of(Matrix(part.output)); })
      .def_prop_ro("fitted", [](const HeldOutPart& part) { return array_of(Matrix(part.fitted)); })
      .def_prop_ro("leverage", [](const HeldOutPart& part) { return array_of(Vector(part.leverage)); });
  value_class<Plan>(m, "Plan", "What every place needs.", &plan_from)
      .def_prop_ro("done", &Plan::done)
      .def_ro("passes", &Plan::passes)
      .def_ro("rows", &Plan::rows)
      .def_prop_ro("classes", [](const Plan& plan) { return plan.code.classes; })
      .def_prop_ro("alpha", [](const Plan& plan) { return plan.lambda * plan.unit; })
      .def_prop_ro("kernel", [](const Plan& plan) { return kernel_text(plan.model.kernel); });
  m.def("describe", [](const Table& part, const nb::dict& roles) {
    const DataOptions columns = data_options(roles);
    return unlocked([&] { return describe(part, columns); });
  });
  m.def("draw",
        [](const Table& part, const nb::dict& roles, std::int64_t first_row, std::int64_t size, std::uint64_t seed) {
          const DataOptions columns = data_options(roles);
          return unlocked([&] { return draw(part, columns, first_row, size, seed); });
        });
  m.def("make_plan", &planned, nb::arg("sample"), nb::arg("roles"), nb::arg("options"),
        nb::arg("description").none() = nb::none(), nb::arg("progress").none() = nb::none());
  m.def("statistics",
        [](const Table& part, const Plan& plan) { return unlocked([&] { return statistics(part, plan); }); });
  m.def("solve", [](const Plan& plan, const Statistics& all) { return unlocked([&] { return solve(plan, all); }); });
  m.def(
      "hold_out",
      [](const Table& part, const Plan& plan, std::int64_t first_row) {
        return unlocked([&] { return hold_out(part, plan, first_row); });
      },
      nb::arg("part"), nb::arg("plan"), nb::arg("first_row") = 0);
  m.def("finish", &finished);
}

}  // namespace lacuna::python
