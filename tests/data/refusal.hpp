// What the tests of data/ share: short ways to a table, a dataset and the message of a refusal.
#pragma once

#include <string>
#include <string_view>

#include "lacuna/data/dataset.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna::test {

inline Table table_of(std::string_view text, const ReadOptions& options = {}) {
  return parse_table(text, "t.csv", options);
}

inline Encoded encoded(std::string_view text, DataOptions options = {}) {
  if (options.targets.empty()) options.targets = {"y"};
  return encode(table_of(text), options);
}

inline std::string encode_refusal(std::string_view text, const DataOptions& options = {}) {
  return refusal([&] { encoded(text, options); });
}

}  // namespace lacuna::test
