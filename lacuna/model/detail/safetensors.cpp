#include "lacuna/model/detail/safetensors.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "lacuna/base/error.hpp"

static_assert(std::endian::native == std::endian::little, "model files are little-endian and written as they lie");

namespace lacuna::detail {
namespace {

using nlohmann::json;

constexpr std::size_t length_bytes = 8;
constexpr std::string_view our_start = R"({"__metadata__":{"format":"lacuna")";  // how every file of ours begins

std::size_t element_bytes(std::string_view dtype) {
  if (dtype == "F64" || dtype == "I64") return 8;
  return dtype == "I32" ? 4 : 0;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

std::string checksum(const Container& container) {
  uLong crc = crc32_z(0, nullptr, 0);
  const auto add = [&crc](std::string_view s) {
    if (!s.empty()) crc = crc32_z(crc, reinterpret_cast<const Bytef*>(s.data()), s.size());  // null would start anew
  };
  if (const auto model = container.metadata.find("model"); model != container.metadata.end()) add(model->second);
  for (const auto& [name, tensor] : container.tensors) {
    add(name + '\0' + tensor.dtype + shape_text(tensor.shape));
    add(tensor.bytes);
  }
  return fmt::format("crc32:{:08x}", crc);
}

std::optional<std::uint64_t> count(const json& value) {
  if (!value.is_number_unsigned()) return {};
  return value.get<std::uint64_t>();
}

// Number of bytes that an array of this type and shape takes; empty when no file could hold it.
std::optional<std::uint64_t> array_bytes(const TensorView& tensor) {
  std::uint64_t n = element_bytes(tensor.dtype);
  for (const std::uint64_t extent : tensor.shape) {
    if (extent != 0 && n > std::uint64_t(std::numeric_limits<std::int64_t>::max()) / extent) return {};
    n *= extent;
  }
  return n;
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& source, int version)
      : bytes_(bytes), source_(source), version_(version) {}

  Container read(bool verify) {
    const json header = parse_header();
    Container out;
    read_metadata(header, out);
    for (const auto& [name, entry] : header.items())
      if (name != "__metadata__") read_tensor(name, entry, out);
    if (used_ < data_.size()) corrupted(fmt::format("{} bytes that belong to nothing", data_.size() - used_));
    if (verify && out.metadata["checksum"] != checksum(out))
      corrupted(fmt::format("its checksum is {}, its contents give {}", out.metadata["checksum"], checksum(out)));
    return out;
  }

 private:
  [[noreturn]] void foreign(const std::string& why) const {
    fail_data(fmt::format("read: {}: not a lacuna model file ({})", source_, why));
  }
  [[noreturn]] void truncated(std::uint64_t needed) const {
    fail_data(fmt::format("read: {}: truncated model file: it should have {} bytes and has {}; copy or fit it again",
                          source_, needed, bytes_.size()));
  }
  [[noreturn]] void corrupted(const std::string& why) const {
    fail_data(fmt::format("read: {}: corrupted model file: {}; copy or fit it again", source_, why));
  }

  json parse_header() {
    if (bytes_.empty()) foreign("it is empty");
    if (bytes_.size() <= length_bytes) foreign(fmt::format("it has only {} bytes", bytes_.size()));
    if (bytes_[length_bytes] != '{') foreign("it does not begin as one does");
    std::uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), length_bytes);
    const std::string_view rest = bytes_.substr(length_bytes);
    const bool ours = rest.substr(0, our_start.size()) == our_start.substr(0, rest.size());
    if (length > rest.size()) {
      if (ours && length < (std::uint64_t(1) << 40)) truncated(length_bytes + length);
      foreign("its header is longer than the file");
    }
    data_ = rest.substr(length);
    json header = json::parse(rest.substr(0, length), nullptr, false);
    if (header.is_discarded() || !header.is_object()) {
      if (ours) corrupted("its header cannot be read");
      foreign("its header is not JSON");
    }
    return header;
  }

  void read_metadata(const json& header, Container& out) const {
    const auto meta = header.find("__metadata__");
    if (meta == header.end() || !meta->is_object()) foreign("another kind of safetensors file");
    for (const auto& [key, value] : meta->items())
      if (value.is_string()) out.metadata[key] = value.get<std::string>();
    if (out.metadata["format"] != "lacuna") foreign("another kind of safetensors file");
    const std::string& text = out.metadata["version"];
    int version = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error != std::errc() || end != text.data() + text.size() || version < 1)
      corrupted("its version is not a number");
    if (version > version_)
      fail_data(
          fmt::format("read: {}: model file of version {}, and this program reads version {} and older; "
                      "update lacuna to read it",
                      source_, version, version_));
  }

  void read_tensor(const std::string& name, const json& entry, Container& out) {
    const auto refuse = [&] { corrupted(fmt::format("array '{}' is described wrongly", name)); };
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") || !entry.contains("data_offsets"))
      refuse();
    const json &dtype = entry["dtype"], &shape = entry["shape"], &offsets = entry["data_offsets"];
    if (!dtype.is_string() || !shape.is_array() || !offsets.is_array() || offsets.size() != 2) refuse();
    TensorView tensor{.dtype = dtype.get<std::string>(), .shape = {}, .bytes = {}};
    if (element_bytes(tensor.dtype) == 0) refuse();
    for (const json& extent : shape) {
      const auto n = count(extent);
      if (!n) refuse();
      tensor.shape.push_back(*n);
    }
    const auto begin = count(offsets[0]), end = count(offsets[1]), needed = array_bytes(tensor);
    if (!begin || !end || !needed || *begin > *end || *end - *begin != *needed) refuse();
    if (*end > data_.size()) {
      if (*end > std::numeric_limits<std::uint64_t>::max() / 2) refuse();
      truncated(bytes_.size() - data_.size() + *end);
    }
    tensor.bytes = data_.substr(*begin, *needed);
    used_ = std::max(used_, *end);
    total_ += *needed;
    if (total_ > data_.size()) corrupted("its arrays overlap");  // no byte is read twice, whatever the header says
    out.tensors.emplace(name, std::move(tensor));
  }

  std::string_view bytes_;
  const std::string& source_;
  int version_;
  std::string_view data_;    // the arrays
  std::uint64_t used_ = 0;   // end of the last of them
  std::uint64_t total_ = 0;  // length of all of them
};

}  // namespace

std::string write_container(const Container& container, int version) {
  nlohmann::ordered_json header;  // ordered: the first bytes say whose file it is
  nlohmann::ordered_json& meta = header["__metadata__"];
  meta["format"] = "lacuna";
  meta["version"] = std::to_string(version);
  meta["checksum"] = checksum(container);
  for (const auto& [key, value] : container.metadata) meta[key] = value;

  // Eight-byte elements first, so that every array is aligned when the file is mapped.
  std::vector<TensorViews::const_iterator> order;
  for (auto t = container.tensors.begin(); t != container.tensors.end(); ++t) order.push_back(t);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return element_bytes(a->second.dtype) > element_bytes(b->second.dtype);
  });
  std::uint64_t at = 0;
  for (const auto& t : order) {
    const TensorView& tensor = t->second;
    header[t->first] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {at, at + tensor.bytes.size()}}};
    at += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');

  std::string out;
  out.reserve(length_bytes + text.size() + at);
  const std::uint64_t length = text.size();
  out.append(reinterpret_cast<const char*>(&length), length_bytes);
  out += text;
  for (const auto& t : order) out += t->second.bytes;
  return out;
}

Container read_container(std::string_view bytes, const std::string& source, int version, bool verify) {
  return Reader(bytes, source, version).read(verify);
}

}  // namespace lacuna::detail
