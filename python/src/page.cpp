// page.cpp (of fitted.hpp) -- a fitted model's report as one page for a browser, as `lacuna report` writes it.
#include <nanobind/stl/string.h>

#include <nlohmann/json.hpp>

#include "fitted.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/report/page/page.hpp"
#include "watch.hpp"

namespace lacuna::python {
namespace {

void write_page(const Fitted& fitted, const std::string& path, int threads, nb::object progress) {
  if (!why_no_page().empty()) fail_usage("report: " + why_no_page());
  Watch watch(std::move(progress));
  PageOptions options{.observer = watch.observer()};
  watch.run([&] {
    const ThreadScope scope(threads);
    write_file_atomically(path, page_html(model_page_json(fitted.model, options)));
    return 0;
  });
}

}  // namespace

void bind_page(nb::module_& m) {
  m.def("why_no_page", [] { return why_no_page(); });
  m.def("write_page", &write_page, nb::arg("model"), nb::arg("path"), nb::arg("threads") = 0,
        nb::arg("progress").none() = nb::none());
}

}  // namespace lacuna::python
