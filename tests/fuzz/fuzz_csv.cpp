// Any bytes as a CSV: they are read and encoded, or refused with lacuna::Error; what is encoded is finite and is the
// same when it is prepared again.
#include "tests/fuzz/read_and_encode.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lacuna::fuzz::read_and_encode(data, size, lacuna::ReadOptions::Format::csv);
  return 0;
}
