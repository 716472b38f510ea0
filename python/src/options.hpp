// options.hpp -- Python's dictionaries as the library's options: the only file that knows their fields.
#pragma once

#include <nanobind/nanobind.h>

#include "lacuna/choose/choose.hpp"
#include "lacuna/data/dataset.hpp"

namespace lacuna::python {

struct FitOptions {
  TrainOptions train{};
  ChooseOptions choose{};
};

/// Keys that are absent, or None, leave the library's default. Words are those of the command line, read by the same
/// parsers. Throws Error(usage) for a key that there is not.
FitOptions fit_options(const nanobind::dict& given);
/// Whether the rows are to be a kernel matrix.
bool takes_kernel_matrix(const TrainOptions& options);
/// The basis is these rows, encoded like the data.
void set_basis(TrainOptions& options, Rows rows);
void set_observer(TrainOptions& options, Observer observer);
/// How the columns of a table are to be taken.
DataOptions data_options(const nanobind::dict& given);

}  // namespace lacuna::python
