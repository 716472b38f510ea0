// Any bytes as LIBSVM text, and once more with the format left open.
#include "tests/fuzz/read_and_encode.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lacuna::fuzz::read_and_encode(data, size, lacuna::ReadOptions::Format::libsvm);
  lacuna::fuzz::read_and_encode(data, size, lacuna::ReadOptions::Format::automatic);
  return 0;
}
