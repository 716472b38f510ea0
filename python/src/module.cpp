// module.cpp -- lacuna._core: what the Python files are made of. Users see the estimators.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fitted.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/warning.hpp"
#include "lacuna/criterion/criterion.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/model/machine.hpp"

namespace nb = nanobind;

namespace {

const char* word(lacuna::Error::Kind kind) {
  switch (kind) {
    case lacuna::Error::Kind::usage:
      return "usage";
    case lacuna::Error::Kind::data:
      return "data";
    case lacuna::Error::Kind::numerical:
      return "numerical";
    case lacuna::Error::Kind::internal:
      break;
  }
  return "internal";
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The C++ library Lacuna. Its public face is the package lacuna.";
  m.attr("__version__") = LACUNA_VERSION;

  // Raised with (kind, message); lacuna._messages turns it into exceptions that use Python's names for options.
  static PyObject* error = PyErr_NewException("lacuna._core.Error", nullptr, nullptr);
  m.attr("Error") = nb::borrow(error);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const lacuna::Error& e) {
      PyErr_SetObject(error, nb::make_tuple(word(e.kind()), e.what()).ptr());
    }
  });

  m.def("number_text", &lacuna::number_text, "How a number is written as a label.");
  m.def("kernel_names", &lacuna::kernel_names);
  m.def("criterion_names", &lacuna::criterion_names);
  m.def("machine_names", &lacuna::machine_names);
  m.def("warning_names", &lacuna::warning_names);
  lacuna::python::bind_table(m);
  lacuna::python::bind_fitted(m);
  lacuna::python::bind_fit(m);
  lacuna::python::bind_explain(m);
  lacuna::python::bind_page(m);
  lacuna::python::bind_steps(m);
}
