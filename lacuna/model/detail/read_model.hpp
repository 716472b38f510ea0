// model/detail/read_model.hpp -- reading a model from memory with or without believing its checksum. Only the fuzzer
// reads without: it could never guess a checksum, and everything behind it must withstand nonsense all the same.
#pragma once

#include <string>
#include <string_view>

#include "lacuna/model/model.hpp"

namespace lacuna::detail {

Model read_model_bytes(std::string_view bytes, const std::string& source, bool verify);

}  // namespace lacuna::detail
