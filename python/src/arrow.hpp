// arrow.hpp -- a data frame of any library (pandas, polars, pyarrow ...) as the library's Table, through the Arrow C
// stream interface: numbers and decimals become numbers, texts, dictionaries and truth values become categories, nulls
// and NaN are missing, and so are the texts that the command line takes for missing cells.
#pragma once

#include <nanobind/nanobind.h>

#include "lacuna/read/table.hpp"

namespace lacuna::python {

/// `frame` has __arrow_c_stream__. Throws Error(data) for a column that is neither, naming it and what it holds.
Table table_of(nanobind::handle frame);

}  // namespace lacuna::python
