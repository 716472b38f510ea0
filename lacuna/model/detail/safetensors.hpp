// model/detail/safetensors.hpp -- the container of the model file: eight bytes of header length (little-endian), a JSON
// header that names every array with its type, shape and place, then the arrays, row by row, one after another.
//
//   {"__metadata__": {"format": "lacuna", ...}, "alpha": {"dtype": "F64", "shape": [400, 1], "data_offsets": [0,
//   3200]}}
//
// Nothing in a file is believed: every length is compared with what is there before it is used. The checksum is a
// CRC-32 over the model's text and over name, type, shape and bytes of every array in the order of their names, so that
// it does not depend on how the header happens to be laid out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::detail {

struct TensorView {
  std::string dtype;                 ///< "F64", "I64" or "I32"
  std::vector<std::uint64_t> shape;  ///< slowest dimension first
  std::string_view bytes;
};
using TensorViews = std::map<std::string, TensorView>;

struct Container {
  std::map<std::string, std::string> metadata;
  TensorViews tensors;
};

/// The whole file. `metadata` must not hold "checksum": it is added, over metadata["model"] and the arrays.
std::string write_container(const Container& container, int version);

/// The parts of a file, as views into `bytes`. Throws Error(data), with a sentence of its own for each of: truncated,
/// corrupted, not a model file, newer than `version`. `verify` is false only in the fuzzer, which cannot guess
/// checksums.
Container read_container(std::string_view bytes, const std::string& source, int version, bool verify);

}  // namespace lacuna::detail
