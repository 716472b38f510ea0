// Any bytes are either a model that can be written, reported and read again, or refused as bad data: never anything
// else. The checksum is not looked at, because no fuzzer would ever guess one; what lies behind it must hold by itself.
// Inputs that begin with 0, 1 or 2 are read as changes to a whole model (three bytes of place, one of value, again and
// again), so that the depths are reached without a corpus.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "lacuna/base/error.hpp"
#include "lacuna/model/detail/read_model.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/report/report.hpp"
#include "tests/model/models.hpp"

namespace {

using namespace lacuna;

std::string changed_model(const std::uint8_t* data, std::size_t size) {
  static const std::string whole[] = {model_to_bytes(binary_model()), model_to_bytes(multiclass_model()),
                                      model_to_bytes(regression_model())};
  std::string bytes = whole[data[0]];
  for (std::size_t k = 1; k + 3 < size; k += 4) {
    const std::size_t place = data[k] + 256U * data[k + 1] + 65536U * data[k + 2];
    bytes[place % bytes.size()] = static_cast<char>(data[k + 3]);
  }
  return bytes;
}

void read(const std::string& bytes) {
  try {
    const Model model = detail::read_model_bytes(bytes, "fuzz", false);
    std::ostringstream csv;
    write_held_out_csv(model, csv);
    (void)inspect_text(model);
    (void)json_text(inspect_json(model));
    const std::string again = model_to_bytes(model);
    if (model_to_bytes(model_from_bytes(again, "again")) != again) std::abort();
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::data) std::abort();
  }
  try {
    (void)model_from_bytes(bytes, "fuzz");
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::data) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0 && data[0] < 3) read(changed_model(data, size));
  read(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
