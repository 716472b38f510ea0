// tests/conformance/every_backend.hpp -- a suite that runs on every back end, beside the plain loops of
// compute/reference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "lacuna/compute/plugin.hpp"
#include "tests/support/backends.hpp"

namespace lacuna {

inline double scale(const Matrix& A) { return A.size() == 0 ? 1.0 : std::max(1e-300, A.cwiseAbs().maxCoeff()); }

// Differences of rounding only: eps times the few hundred additions and, after solving, the condition of A (<= 1e4
// here).
#define EXPECT_CLOSE(A, B, tolerance) EXPECT_LE(((A) - (B)).cwiseAbs().maxCoeff(), (tolerance)*scale(B))

class EveryBackend : public ::testing::TestWithParam<const Backend*> {
 protected:
  const Backend& backend() const { return *GetParam(); }
  const Backend& reference() const { return reference_backend(); }
};

/// All that are always there or, where LACUNA_TEST_BACKEND names a plug-in, that one.
inline auto every_backend() {
  std::vector<const Backend*> all{&reference_backend(), &cpu_backend(), &testing::remote_backend()};
  const auto& plugins = plugin_names();
  if (const char* name = std::getenv("LACUNA_TEST_BACKEND"))
    if (std::ranges::find(plugins, name) != plugins.end()) all = {&backend_named(name)};
  return ::testing::ValuesIn(all);
}
inline std::string backend_name(const ::testing::TestParamInfo<const Backend*>& back_end) {
  return std::string(back_end.param->name());
}

}  // namespace lacuna
