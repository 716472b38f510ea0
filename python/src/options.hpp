// options.hpp -- Python's dictionaries as the library's options: the only file that knows their fields.
#pragma once

#include <nanobind/nanobind.h>

#include "lacuna/choose/choose.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/explain/explain.hpp"

namespace lacuna::python {

struct FitOptions {
  TrainOptions train{};
  ChooseOptions choose{};
  std::vector<std::string> cost_classes{};  ///< the order that prices of mistakes are given in
};

/// Keys that are absent, or None, leave the library's default. Words are those of the command line, read by the same
/// parsers. Throws Error(usage) for a key that there is not.
FitOptions fit_options(const nanobind::dict& given);
/// Prices whose rows and columns are in the order of `given`, in that of the library's `classes`; the same names.
Costs in_order(const Costs& costs, const std::vector<std::string>& given, const std::vector<std::string>& classes);
/// Whether the rows are to be a kernel matrix.
bool takes_kernel_matrix(const TrainOptions& options);
/// The basis is these rows, encoded like the data.
void set_basis(TrainOptions& options, Rows rows);
void set_observer(TrainOptions& options, Observer observer);
/// How the columns of a table are to be taken.
DataOptions data_options(const nanobind::dict& given);

ExplainOptions explain_options(const nanobind::dict& given);

}  // namespace lacuna::python
