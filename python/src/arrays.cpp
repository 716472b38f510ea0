#include "arrays.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "lacuna/base/error.hpp"

namespace lacuna::python {
namespace {

Doubles doubles(nb::handle given, std::size_t dimensions, const char* what) {
  Doubles array;
  if (!nb::try_cast(given, array, false) || array.ndim() != dimensions)
    fail_usage(std::string(what) + ": must be a " + std::to_string(dimensions) + "-d array of float64");
  return array;
}

MatrixView view_of(const Doubles& a) {
  return {a.data(), Index(a.shape(0)), Index(a.shape(1)), Index(a.stride(0)), Index(a.stride(1))};
}

// indptr and indices may be of 32 or 64 bits, whatever scipy found room for.
template <class To>
std::vector<To> whole_numbers(nb::handle given, const char* what) {
  nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> narrow;
  if (nb::try_cast(given, narrow, false)) return {narrow.data(), narrow.data() + narrow.size()};
  nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> wide;
  if (!nb::try_cast(given, wide, false))
    fail_usage(std::string(what) + ": must be a 1-d array of 32- or 64-bit integers");
  std::vector<To> out;
  out.reserve(wide.size());
  for (std::size_t k = 0; k < wide.size(); ++k) {
    const std::int64_t v = wide.data()[k];
    if (v < 0 || v > std::int64_t(std::numeric_limits<To>::max()))
      fail_data(std::string(what) + ": " + std::to_string(v) + " is too large for an index");
    out.push_back(To(v));
  }
  return out;
}

template <class T, class Owner>
nb::object owned(Owner&& value, std::size_t rows, std::size_t cols, bool flat) {
  using Kept = std::remove_cvref_t<Owner>;
  auto kept = std::make_unique<Kept>(std::forward<Owner>(value));
  auto* data = const_cast<T*>(kept->data());
  const nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<Kept*>(p); });
  const std::size_t shape[2] = {rows, cols};
  const std::int64_t strides[2] = {1, std::int64_t(rows)};
  return nb::cast(nb::ndarray<nb::numpy, T>(data, flat ? 1 : 2, shape, owner, strides));
}

}  // namespace

LentRows::LentRows(nb::handle given) : keep_(nb::borrow(given)) {
  if (!nb::isinstance<nb::tuple>(given)) {
    view_ = view_of(doubles(given, 2, "X"));
    return;
  }
  const auto parts = nb::borrow<nb::tuple>(given);
  sparse_.row_start = whole_numbers<std::int64_t>(parts[0], "X.indptr");
  sparse_.column = whole_numbers<std::int32_t>(parts[1], "X.indices");
  const Doubles values = doubles(parts[2], 1, "X.data");
  sparse_.value.assign(values.data(), values.data() + values.size());
  sparse_.cols = nb::cast<Index>(parts[3]);
  sparse_.rows = Index(sparse_.row_start.size()) - 1;
  if (sparse_.rows < 0 || sparse_.row_start.back() != std::int64_t(sparse_.value.size()) ||
      sparse_.column.size() != sparse_.value.size())
    fail_data("X: the parts of the sparse matrix do not fit together");
  view_ = RowsView(sparse_);
}

Vector vector_of(nb::handle given, const char* what) {
  if (given.is_none()) return {};
  const Doubles a = doubles(given, 1, what);
  Vector out(Index(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) out[Index(i)] = a.data()[std::int64_t(i) * a.stride(0)];
  return out;
}

Vector log_exposure_of(nb::handle given) {
  Vector out = vector_of(given, "exposure");
  for (Index i = 0; i < out.size(); ++i) out[i] = std::log(out[i]);
  return out;
}

Matrix matrix_of(nb::handle given, const char* what) {
  if (given.is_none()) return {};
  return view_of(doubles(given, 2, what)).eigen();
}

std::vector<int> codes_of(nb::handle given, const char* what) {
  if (given.is_none()) return {};
  Codes a;
  if (!nb::try_cast(given, a, false)) fail_usage(std::string(what) + ": must be a 1-d array of int32");
  return {a.data(), a.data() + a.size()};
}

nb::object array_of(Matrix m) {
  const auto rows = std::size_t(m.rows()), cols = std::size_t(m.cols());
  return owned<double>(std::move(m), rows, cols, false);
}
nb::object array_of(Vector v) {
  const auto size = std::size_t(v.size());
  return owned<double>(std::move(v), size, 1, true);
}
nb::object array_of(const std::vector<int>& v) { return owned<int>(v, v.size(), 1, true); }
nb::object array_of(const std::vector<std::int64_t>& v) { return owned<std::int64_t>(v, v.size(), 1, true); }

}  // namespace lacuna::python
