#include "arrow.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>

#include "arrays.hpp"
#include "arrow_abi.hpp"
#include "arrow_types.hpp"
#include "fitted.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/read/cell.hpp"
#include "lacuna/read/detail/growing_column.hpp"

namespace lacuna::python {
namespace {

// Whatever is received must be released.
template <class T>
struct Received : T {
  Received() : T{} {}
  ~Received() {
    if (this->release != nullptr) this->release(this);
  }
  Received(const Received&) = delete;
  Received& operator=(const Received&) = delete;
};

bool bit(const void* bits, std::int64_t i) { return (static_cast<const std::uint8_t*>(bits)[i / 8] >> (i % 8)) & 1; }

template <class T>
T item(const ArrowArray& a, int buffer, std::int64_t i) {
  T out;
  std::memcpy(&out, static_cast<const char*>(a.buffers[buffer]) + std::size_t(i) * sizeof(T), sizeof(T));
  return out;
}

// One column of one batch; i counts from the first row of the batch.
class Cells {
 public:
  Cells(const ArrowSchema& schema, const ArrowArray& array, std::int64_t before = 0)
      : format_(schema.format), decimal_(decimal_of(schema)), a_(array), first_(array.offset + before) {}

  bool is_null(std::int64_t i) const {
    if (format_ == "n") return true;
    return a_.n_buffers > 0 && a_.buffers[0] != nullptr && a_.null_count != 0 && !bit(a_.buffers[0], first_ + i);
  }
  bool is_number() const {
    return decimal_.bits > 0 || (format_.size() == 1 && std::strchr("cCsSiIlLefg", format_[0]) != nullptr);
  }
  bool is_bool() const { return format_ == "b"; }
  bool is_text() const { return format_ == "u" || format_ == "U" || format_ == "vu"; }
  bool is_nothing() const { return format_ == "n"; }

  double number(std::int64_t i) const {
    const std::int64_t k = first_ + i;
    if (decimal_.bits > 0)
      return decimal_number(static_cast<const std::uint8_t*>(a_.buffers[1]) + k * (decimal_.bits / 8), decimal_);
    switch (format_[0]) {
      case 'c':
        return double(item<std::int8_t>(a_, 1, k));
      case 'C':
        return double(item<std::uint8_t>(a_, 1, k));
      case 's':
        return double(item<std::int16_t>(a_, 1, k));
      case 'S':
        return double(item<std::uint16_t>(a_, 1, k));
      case 'i':
        return double(item<std::int32_t>(a_, 1, k));
      case 'I':
        return double(item<std::uint32_t>(a_, 1, k));
      case 'l':
        return double(item<std::int64_t>(a_, 1, k));
      case 'L':
        return double(item<std::uint64_t>(a_, 1, k));
      case 'e':
        return half_number(item<std::uint16_t>(a_, 1, k));
      case 'f':
        return double(item<float>(a_, 1, k));
      default:
        return item<double>(a_, 1, k);
    }
  }
  std::string text(std::int64_t i) const {
    const std::int64_t k = first_ + i;
    if (is_bool()) return bit(a_.buffers[1], k) ? "True" : "False";
    if (is_number()) return number_text(number(i));
    if (format_ == "vu") return view_text(k);
    const bool large = format_ == "U";
    const std::int64_t begin = large ? item<std::int64_t>(a_, 1, k) : item<std::int32_t>(a_, 1, k);
    const std::int64_t end = large ? item<std::int64_t>(a_, 1, k + 1) : item<std::int32_t>(a_, 1, k + 1);
    return {static_cast<const char*>(a_.buffers[2]) + begin, std::size_t(end - begin)};
  }

 private:
  // Sixteen bytes: the length, then the text itself or where it is.
  std::string view_text(std::int64_t k) const {
    const char* at = static_cast<const char*>(a_.buffers[1]) + 16 * k;
    std::int32_t length = 0, buffer = 0, offset = 0;
    std::memcpy(&length, at, 4);
    if (length <= 12) return {at + 4, std::size_t(length)};
    std::memcpy(&buffer, at + 8, 4);
    std::memcpy(&offset, at + 12, 4);
    return {static_cast<const char*>(a_.buffers[2 + buffer]) + offset, std::size_t(length)};
  }

  std::string_view format_;
  Decimal decimal_;
  const ArrowArray& a_;
  std::int64_t first_;
};

// A column of the table while batches arrive.
class Growing {
 public:
  Growing(const ArrowSchema& schema, Column& column) : schema_(schema), column_(column) {
    const ArrowSchema& values = schema.dictionary != nullptr ? *schema.dictionary : schema;
    const ArrowArray none{};
    const Cells kind(values, none);
    numeric_ = schema.dictionary == nullptr && (kind.is_number() || kind.is_nothing());
    const bool plain = kind.is_text() || kind.is_bool() || kind.is_number() || kind.is_nothing();
    if (!plain || !extension_of(values).empty())
      fail_data("data: column \"" + column.name + "\" holds " + other_values(values));
    column.is_text = !numeric_;
  }

  void add(const ArrowArray& array, std::int64_t before, std::int64_t length) {
    const Cells cells(schema_, array, before);
    const bool dictionary = schema_.dictionary != nullptr;
    const auto levels =
        dictionary ? codes_of_levels(*schema_.dictionary, *array.dictionary) : std::vector<std::int32_t>();
    for (std::int64_t i = 0; i < length; ++i) {
      if (numeric_)
        add_number(cells.is_null(i) ? std::nan("") : cells.number(i));
      else if (cells.is_null(i))
        add_code(-1);
      else
        add_code(dictionary ? levels[std::size_t(cells.number(i))] : code_of(cells.text(i)));
    }
  }

  void finish() {
    column_.whole = true;
    if (numeric_) detail::note_values(column_, 0);
  }

 private:
  void note_missing(std::int64_t row) {
    if (column_.missing++ == 0) column_.first_missing = row;
  }
  void add_number(double x) {
    const auto row = std::int64_t(column_.number.size());
    if (std::isinf(x))
      fail_data("data: column \"" + column_.name + "\", row " + std::to_string(row + 1) + ": " + number_text(x) +
                " is not a finite number");
    if (std::isnan(x)) note_missing(row);
    column_.number.push_back(x);
  }
  void add_code(std::int32_t code) {
    if (code < 0)
      note_missing(std::int64_t(column_.code.size()));
    else
      ++column_.text.cells;
    column_.code.push_back(code);
  }
  std::int32_t code_of(const std::string& text) {
    if (detail::read_cell(text).kind == detail::CellKind::missing) return -1;
    const auto [at, fresh] = codes_.emplace(text, std::int32_t(column_.levels.size()));
    if (fresh) column_.levels.push_back(text);
    return at->second;
  }
  std::vector<std::int32_t> codes_of_levels(const ArrowSchema& schema, const ArrowArray& array) {
    const Cells cells(schema, array);
    std::vector<std::int32_t> out;
    for (std::int64_t i = 0; i < array.length; ++i) out.push_back(cells.is_null(i) ? -1 : code_of(cells.text(i)));
    return out;
  }

  const ArrowSchema& schema_;
  Column& column_;
  bool numeric_ = true;
  std::unordered_map<std::string, std::int32_t> codes_;
};

[[noreturn]] void fail_stream(ArrowArrayStream& stream) {
  const char* why = stream.get_last_error(&stream);
  fail_data(std::string("data: the frame could not be read: ") + (why != nullptr ? why : "no reason was given"));
}

Column& add_column(Table& table, const std::string& name) {
  if (table.find(name) != nullptr) fail_data("data: two columns are named \"" + name + "\"");
  table.columns.emplace_back().name = name;
  return table.columns.back();
}

void require_rows(const Table& table, std::size_t rows, const std::string& name) {
  if (std::int64_t(rows) != table.rows)
    fail_data("data: " + name + " has " + std::to_string(rows) + " rows; the frame has " + std::to_string(table.rows));
}

}  // namespace

Table table_of(nb::handle frame) {
  const nb::object capsule = frame.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  Received<ArrowSchema> schema;
  if (stream->get_schema(stream, &schema) != 0) fail_stream(*stream);
  if (std::string_view(schema.format) != "+s") fail_data("data: the frame is no table of columns");
  Table table;
  table.source = "the frame";
  table.has_header = true;
  table.columns.reserve(std::size_t(schema.n_children));
  std::vector<Growing> growing;
  for (std::int64_t j = 0; j < schema.n_children; ++j) {
    const ArrowSchema& child = *schema.children[j];
    growing.emplace_back(child, add_column(table, child.name != nullptr ? child.name : ""));
  }
  for (;;) {
    Received<ArrowArray> batch;
    if (stream->get_next(stream, &batch) != 0) fail_stream(*stream);
    if (batch.release == nullptr) break;
    for (std::int64_t j = 0; j < schema.n_children; ++j)
      growing[std::size_t(j)].add(*batch.children[j], batch.offset, batch.length);
    table.rows += batch.length;
  }
  for (Growing& one : growing) one.finish();
  for (std::int64_t i = 0; i < table.rows; ++i) table.line.push_back(i + 1);
  return table;
}

void bind_table(nb::module_& m) {
  nb::class_<Table>(m, "Table", "Named columns of numbers or categories.")
      .def(
          "__init__",
          [](Table* t, std::int64_t rows, bool named) {
            new (t) Table;
            t->source = named ? "the frame" : "the array";
            t->has_header = named;
            t->rows = rows;
            for (std::int64_t i = 0; i < rows; ++i) t->line.push_back(i + 1);
          },
          nb::arg("rows"), nb::arg("named") = false, "A table without columns.")
      .def_static("from_stream", &table_of, nb::arg("frame"))
      .def_prop_ro("n_rows", [](const Table& t) { return t.rows; })
      .def_prop_ro("names",
                   [](const Table& t) {
                     std::vector<std::string> names;
                     for (const Column& c : t.columns) names.push_back(c.name);
                     return names;
                   })
      .def("add_numbers",
           [](Table& t, const std::string& name, nb::handle values) {
             const Vector v = vector_of(values, name.c_str());
             require_rows(t, std::size_t(v.size()), name);
             Column& column = add_column(t, name);
             column.number.assign(v.begin(), v.end());
             for (Index i = 0; i < v.size(); ++i)
               if (std::isnan(v[i]) && column.missing++ == 0) column.first_missing = std::int64_t(i);
             column.whole = true;
             detail::note_values(column, 0);
           })
      .def("add_categories", [](Table& t, const std::string& name, nb::handle codes, std::vector<std::string> levels) {
        std::vector<int> code = codes_of(codes, name.c_str());
        require_rows(t, code.size(), name);
        Column& column = add_column(t, name);
        column.is_text = true;
        for (std::size_t i = 0; i < code.size(); ++i)
          if (code[i] < 0 && column.missing++ == 0) column.first_missing = std::int64_t(i);
        column.text.cells = std::int64_t(code.size()) - column.missing;
        column.code = std::move(code);
        column.levels = std::move(levels);
      });
}

}  // namespace lacuna::python
