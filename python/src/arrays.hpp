// arrays.hpp -- numpy's arrays and the library's: arrays come in as views wherever their layout allows, and results go
// out as arrays that own what the library computed.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/base/rows.hpp"

namespace lacuna::python {

namespace nb = nanobind;

using Doubles = nb::ndarray<const double, nb::device::cpu>;
using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Rows lent by Python: a 2-d float64 array of any strides, or (indptr, indices, data, columns) of compressed rows with
/// ascending indices of 32 or 64 bits. Whoever made it must keep the Python object alive.
class LentRows {
 public:
  explicit LentRows(nb::handle given);
  const RowsView& view() const { return view_; }

 private:
  nb::object keep_;
  SparseMatrix sparse_;
  RowsView view_;
};

/// Copies of small arrays; None is empty.
Vector vector_of(nb::handle given, const char* what);
Matrix matrix_of(nb::handle given, const char* what);
std::vector<int> codes_of(nb::handle given, const char* what);
/// Logarithms of exposures above 0, by the function that takes them of a table's: numpy's own may differ in the last bit,
/// and a search that begins with another bit ends elsewhere.
Vector log_exposure_of(nb::handle given);

/// Arrays that own their numbers.
nb::object array_of(Matrix matrix);
nb::object array_of(Vector vector);
nb::object array_of(const std::vector<int>& codes);
nb::object array_of(const std::vector<std::int64_t>& numbers);

}  // namespace lacuna::python
