#include "lacuna/read/libsvm.hpp"

#include "lacuna/read/detail/libsvm_reader.hpp"

namespace lacuna {

Table parse_libsvm(std::string_view text, const std::string& source, const ReadOptions& options) {
  detail::LibsvmReader reader(source, options);
  reader.read(text);
  return reader.finish();
}

}  // namespace lacuna
