#include "lacuna/export/detail/limit.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"

namespace lacuna::onnx {

void require_size(double bytes, const char* because) {
  constexpr double most = 2147483647.0;
  if (bytes > most)
    fail_usage(fmt::format("export: the ONNX file would have {:.3g} GB, and it can have 2 GB at most{}", bytes / 1e9,
                           because));
}

}  // namespace lacuna::onnx
