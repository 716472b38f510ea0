#include "lacuna/model/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "lacuna/base/error.hpp"
#include "lacuna/model/detail/check_model.hpp"
#include "lacuna/model/detail/model_json.hpp"
#include "lacuna/model/detail/read_model.hpp"
#include "lacuna/model/detail/safetensors.hpp"

namespace lacuna {
namespace {

using detail::Container;
using detail::TensorView;

template <class T>
constexpr const char* dtype() {
  if constexpr (std::is_same_v<T, double>) return "F64";
  return sizeof(T) == 8 ? "I64" : "I32";
}

template <class T>
TensorView tensor(const T* data, std::vector<std::uint64_t> shape) {
  std::uint64_t n = sizeof(T);
  for (const std::uint64_t extent : shape) n *= extent;
  return {dtype<T>(), std::move(shape), {reinterpret_cast<const char*>(data), n}};
}
template <class T>
TensorView tensor(const std::vector<T>& v) {
  return tensor(v.data(), {v.size()});
}
TensorView tensor(const Vector& v) { return tensor(v.data(), {std::uint64_t(v.size())}); }
TensorView tensor(const RowMatrix& m) { return tensor(m.data(), {std::uint64_t(m.rows()), std::uint64_t(m.cols())}); }

// Arrays of a container whose layout has been checked; here their types and numbers of dimensions are.
class Arrays {
 public:
  Arrays(const Container& container, const std::string& source) : container_(container), source_(source) {}

  bool has(const std::string& name) const { return container_.tensors.contains(name); }

  template <class T>
  std::vector<T> list(const std::string& name) const {
    const TensorView& t = find(name, dtype<T>(), 1);
    std::vector<T> out(t.shape[0]);
    copy(t, out.data());
    return out;
  }
  Vector vector(const std::string& name) const {
    const TensorView& t = find(name, "F64", 1);
    Vector out(Index(t.shape[0]));
    copy(t, out.data());
    return out;
  }
  RowMatrix matrix(const std::string& name) const {
    const TensorView& t = find(name, "F64", 2);
    constexpr auto most = std::uint64_t(std::numeric_limits<Index>::max());
    // An empty array may claim any extent: only what Eigen can count is let through.
    if (t.shape[0] > most || t.shape[1] > most || (t.bytes.empty() && t.shape[0] != 0 && t.shape[1] != 0)) refuse(name);
    RowMatrix out(Index(t.shape[0]), Index(t.shape[1]));
    copy(t, out.data());
    return out;
  }

  [[noreturn]] void refuse(const std::string& name) const {
    fail_data(fmt::format("read: {}: corrupted model file: array '{}' is absent or of another type", source_, name));
  }

 private:
  const TensorView& find(const std::string& name, const char* type, std::size_t dimensions) const {
    const auto t = container_.tensors.find(name);
    if (t == container_.tensors.end() || t->second.dtype != type || t->second.shape.size() != dimensions) refuse(name);
    return t->second;
  }
  template <class T>
  static void copy(const TensorView& t, T* to) {  // memcpy: the bytes of a file need not be aligned
    if (!t.bytes.empty()) std::memcpy(to, t.bytes.data(), t.bytes.size());
  }

  const Container& container_;
  const std::string& source_;
};

Rows read_rows(const Arrays& arrays) {
  if (!arrays.has("X.row_start")) return arrays.matrix("X");
  SparseMatrix s;
  s.row_start = arrays.list<std::int64_t>("X.row_start");
  s.column = arrays.list<std::int32_t>("X.column");
  s.value = arrays.list<double>("X.value");
  const auto cols = arrays.list<std::int64_t>("X.columns");
  if (s.row_start.empty() || cols.size() != 1 || cols[0] < 0) arrays.refuse("X");
  s.rows = Index(s.row_start.size()) - 1;
  s.cols = Index(cols[0]);
  return s;
}

HeldOutRows read_held_out(const Arrays& arrays) {
  if (!arrays.has("held_out.row")) return {};
  return {.row = arrays.list<std::int64_t>("held_out.row"),
          .output = arrays.matrix("held_out.output"),
          .fitted = arrays.has("held_out.fitted") ? Matrix(arrays.matrix("held_out.fitted")) : Matrix(),
          .variance = arrays.has("held_out.variance") ? Matrix(arrays.matrix("held_out.variance")) : Matrix(),
          .offset = arrays.has("held_out.offset") ? arrays.vector("held_out.offset") : Vector(),
          .target = arrays.matrix("held_out.target"),
          .label = arrays.list<int>("held_out.label"),
          .leverage = arrays.vector("held_out.leverage"),
          .trust = arrays.vector("held_out.trust")};
}

std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? std::streamoff(in.tellg()) : -1;
  std::string bytes;
  if (size >= 0 && size < std::numeric_limits<std::streamoff>::max()) {  // a directory opens, with an absurd size
    bytes.resize(std::size_t(size));
    in.seekg(0);
    in.read(bytes.data(), std::streamsize(size));
  }
  if (!in || size < 0 || in.gcount() != size)
    fail_data(fmt::format("read: {}: {}", path, errno ? std::strerror(errno) : "cannot be read"));
  return bytes;
}

}  // namespace

std::string model_to_bytes(const Model& model) {
  if (const std::string why = detail::misfit(model); !why.empty())
    fail_usage(fmt::format("write: the model is not whole: {}", why));
  static_assert(sizeof(int) == 4 && sizeof(Index) == 8);
  Container c;
  c.metadata["model"] = detail::model_to_json(model).dump();
  // Arrays lie row by row in the file, whatever they do here.
  const RowMatrix alpha = model.alpha, output = model.held_out.output, target = model.held_out.target,
                  fitted = model.held_out.fitted, variance = model.held_out.variance,
                  beta = model.posterior ? model.posterior->beta() : Matrix();
  const std::vector<std::int64_t> columns{model.X.cols()};
  if (model.X.is_sparse()) {
    const SparseMatrix& s = model.X.sparse();
    c.tensors["X.row_start"] = tensor(s.row_start);
    c.tensors["X.column"] = tensor(s.column);
    c.tensors["X.value"] = tensor(s.value);
    c.tensors["X.columns"] = tensor(columns);
  } else {
    c.tensors["X"] = tensor(model.X.dense());
  }
  c.tensors["alpha"] = tensor(alpha);
  c.tensors["b"] = tensor(model.b);
  if (model.centre.size() > 0) c.tensors["centre"] = tensor(model.centre);
  if (model.posterior) c.tensors["beta"] = tensor(beta);
  if (const HeldOutRows& h = model.held_out; h.size() > 0) {
    c.tensors["held_out.row"] = tensor(h.row);
    c.tensors["held_out.output"] = tensor(output);
    if (fitted.size() > 0) c.tensors["held_out.fitted"] = tensor(fitted);
    if (variance.size() > 0) c.tensors["held_out.variance"] = tensor(variance);
    if (h.offset.size() > 0) c.tensors["held_out.offset"] = tensor(h.offset);
    c.tensors["held_out.target"] = tensor(target);
    c.tensors["held_out.label"] = tensor(h.label);
    c.tensors["held_out.leverage"] = tensor(h.leverage);
    c.tensors["held_out.trust"] = tensor(h.trust);
  }
  // A program that does not know of centres must not predict without one.
  return detail::write_container(c, model.centre.size() > 0 ? model_file_version : 3);
}

Model detail::read_model_bytes(std::string_view bytes, const std::string& source, bool verify) {
  Container container = read_container(bytes, source, model_file_version, verify);
  const auto json = nlohmann::json::parse(container.metadata["model"], nullptr, false);
  const Arrays arrays(container, source);
  Model model;
  model_from_json(json, source, model);
  model.X = read_rows(arrays);
  model.alpha = arrays.matrix("alpha");
  model.b = arrays.vector("b");
  if (arrays.has("centre")) model.centre = arrays.vector("centre");
  if (model.inference) model.posterior = std::make_shared<GpPosterior>(arrays.matrix("beta"));
  model.held_out = read_held_out(arrays);
  if (const std::string why = misfit(model); !why.empty())
    fail_data(fmt::format("read: {}: corrupted model file: {}", source, why));
  // Older files hold the residuals only, and knew of no weights.
  if (const HeldOutRows& h = model.held_out; !json.contains("intervals") && h.size() > 0 && model.classes.empty())
    model.intervals = {interval_half_width(h.target - h.output, Vector::Ones(h.size())),
                       model.report.search.method != "none", 0};
  return model;
}

Model model_from_bytes(std::string_view bytes, const std::string& source) {
  return detail::read_model_bytes(bytes, source, true);
}

void write_model(const Model& model, const std::string& path) { write_file_atomically(path, model_to_bytes(model)); }

Model read_model(const std::string& path) {
  errno = 0;
  return model_from_bytes(file_bytes(path), path);
}

bool is_model_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char start[9] = {};
  if (!in.read(start, sizeof start)) return false;
  // A header shorter than 4 GB, then its JSON: text never has four zero bytes before a brace.
  return start[4] == 0 && start[5] == 0 && start[6] == 0 && start[7] == 0 && start[8] == '{';
}

}  // namespace lacuna
