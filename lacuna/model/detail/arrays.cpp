#include "lacuna/model/detail/arrays.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "lacuna/base/error.hpp"

namespace lacuna::detail {
namespace {

template <class T>
constexpr const char* dtype() {
  if constexpr (std::is_same_v<T, double>) return "F64";
  return sizeof(T) == 8 ? "I64" : "I32";
}

template <class T>
TensorView tensor(std::span<const T> data, std::vector<std::uint64_t> shape) {
  return {dtype<T>(), std::move(shape), {reinterpret_cast<const char*>(data.data()), data.size_bytes()}};
}

template <class M>
std::span<const double> all(const M& m) {
  return {m.data(), std::size_t(m.size())};
}

void check(std::span<const double> values, Number rule, const auto& refuse) {
  for (const double v : values)
    if (const auto why = breach(rule, v); !why.empty()) refuse(fmt::format("holds a number that {}", why));
}

template <class T>
void check(std::span<const T> values, std::int64_t low, std::int64_t high, const auto& refuse) {
  for (const T v : values)
    if (v < low || v > high) refuse(fmt::format("holds {}, which cannot be", v));
}

bool fits(Index extent, Extent wanted) { return !wanted || extent == *wanted; }

}  // namespace

// Writing

void ArrayWriter::require(bool holds, std::string_view why) const {
  if (!holds) fail_usage(fmt::format("{}: {}", preface_, why));
}

namespace {

auto refusal(const ArrayWriter& writer, const std::string& name) {
  return [&](std::string_view why) { writer.require(false, fmt::format("array '{}' {}", name, why)); };
}

template <class T>
TensorView checked_list(const ArrayWriter& writer, const std::string& name, std::span<const T> v, Extent size) {
  if (!fits(Index(v.size()), size)) refusal(writer, name)(fmt::format("has {} elements for {}", v.size(), *size));
  return tensor(v, {v.size()});
}

}  // namespace

void ArrayWriter::numbers(const std::string& name, const std::vector<double>& v, Extent size, Number rule) {
  check(v, rule, refusal(*this, name));
  container_.tensors[prefix_ + name] = checked_list(*this, name, std::span(v), size);
}

void ArrayWriter::numbers(const std::string& name, const Vector& v, Extent size, Number rule) {
  check(all(v), rule, refusal(*this, name));
  container_.tensors[prefix_ + name] = checked_list(*this, name, all(v), size);
}

void ArrayWriter::numbers(const std::string& name, const RowMatrix& m, Extent rows, Extent cols, Number rule) {
  check(all(m), rule, refusal(*this, name));
  require(fits(m.rows(), rows) && fits(m.cols(), cols), fmt::format("array '{}' has another shape", name));
  container_.tensors[prefix_ + name] = tensor(all(m), {std::uint64_t(m.rows()), std::uint64_t(m.cols())});
}

void ArrayWriter::numbers(const std::string& name, const Matrix& m, Extent rows, Extent cols, Number rule) {
  numbers(name, row_by_row_.emplace_back(m), rows, cols, rule);
}

void ArrayWriter::wholes(const std::string& name, const std::vector<std::int64_t>& v, Extent size, std::int64_t low,
                         std::int64_t high) {
  check(std::span(v), low, high, refusal(*this, name));
  container_.tensors[prefix_ + name] = checked_list(*this, name, std::span(v), size);
}

void ArrayWriter::wholes(const std::string& name, const std::vector<std::int32_t>& v, Extent size, std::int64_t low,
                         std::int64_t high) {
  check(std::span(v), low, high, refusal(*this, name));
  container_.tensors[prefix_ + name] = checked_list(*this, name, std::span(v), size);
}

// Reading

void ArrayReader::require(bool holds, std::string_view why) const {
  if (!holds) fail_data(fmt::format("{}: {}", preface_, why));
}

void ArrayReader::finish() const {
  for (const auto& [name, view] : container_.tensors)
    require(described_.contains(name), fmt::format("array '{}' does not belong to this kind of model", name));
}

const TensorView& ArrayReader::find(const std::string& given, const char* type, std::initializer_list<Extent> shape) {
  const std::string name = prefix_ + given;
  described_.insert(name);
  const auto at = container_.tensors.find(name);
  require(at != container_.tensors.end(), fmt::format("array '{}' is absent", name));
  const TensorView& t = at->second;
  require(t.dtype == type && t.shape.size() == shape.size(), fmt::format("array '{}' is of another type", name));
  std::size_t k = 0;
  for (const Extent wanted : shape) {
    // An empty array may claim any extent: only what a matrix can count is let through.
    const std::uint64_t extent = t.shape[k++];
    require(extent <= std::uint64_t(std::numeric_limits<Index>::max()) && fits(Index(extent), wanted),
            wanted ? fmt::format("array '{}' is {} long where {} belong", name, extent, *wanted)
                   : fmt::format("array '{}' is too long", name));
  }
  return t;
}

namespace {

auto refusal(const ArrayReader& reader, const std::string& name) {
  return [&](std::string_view why) { reader.require(false, fmt::format("array '{}' {}", name, why)); };
}

void copy(const TensorView& t, void* to) {  // memcpy: the bytes of a file need not be aligned
  if (!t.bytes.empty()) std::memcpy(to, t.bytes.data(), t.bytes.size());
}

}  // namespace

template <class T>
void ArrayReader::read_list(const std::string& name, std::vector<T>& v, Extent size) {
  const TensorView& t = find(name, dtype<T>(), {size});
  v.resize(t.shape[0]);
  copy(t, v.data());
}

void ArrayReader::numbers(const std::string& name, std::vector<double>& v, Extent size, Number rule) {
  read_list(name, v, size);
  check(v, rule, refusal(*this, name));
}

void ArrayReader::numbers(const std::string& name, Vector& v, Extent size, Number rule) {
  const TensorView& t = find(name, "F64", {size});
  v.resize(Index(t.shape[0]));
  copy(t, v.data());
  check(all(v), rule, refusal(*this, name));
}

void ArrayReader::numbers(const std::string& name, RowMatrix& m, Extent rows, Extent cols, Number rule) {
  const TensorView& t = find(name, "F64", {rows, cols});
  m.resize(Index(t.shape[0]), Index(t.shape[1]));
  copy(t, m.data());
  check(all(m), rule, refusal(*this, name));
}

void ArrayReader::numbers(const std::string& name, Matrix& m, Extent rows, Extent cols, Number rule) {
  RowMatrix row_by_row;
  numbers(name, row_by_row, rows, cols, rule);
  m = row_by_row;
}

void ArrayReader::wholes(const std::string& name, std::vector<std::int64_t>& v, Extent size, std::int64_t low,
                         std::int64_t high) {
  read_list(name, v, size);
  check(std::span<const std::int64_t>(v), low, high, refusal(*this, name));
}

void ArrayReader::wholes(const std::string& name, std::vector<std::int32_t>& v, Extent size, std::int64_t low,
                         std::int64_t high) {
  read_list(name, v, size);
  check(std::span<const std::int32_t>(v), low, high, refusal(*this, name));
}

}  // namespace lacuna::detail
