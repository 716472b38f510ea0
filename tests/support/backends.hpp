// tests/support/backends.hpp -- the back end that a test program runs on: cpu, or the one that LACUNA_TEST_BACKEND
// names. The suites of machine/ and loo/ are run on all of them.
#pragma once

#include <cstdlib>
#include <string>

#include "tests/support/remote.hpp"

namespace lacuna::testing {

inline const Backend& backend() {
  static const Backend& chosen = [&]() -> const Backend& {
    const char* name = std::getenv("LACUNA_TEST_BACKEND");
    if (name != nullptr && std::string(name) == "remote") return remote_backend();
    return backend_named(name != nullptr ? name : "cpu");
  }();
  return chosen;
}

/// A Gram matrix from elsewhere.
inline std::shared_ptr<const compute::Gram> given(Matrix K) {
  struct Given {
    Matrix K;
    std::shared_ptr<const compute::Gram> gram;
  };
  const auto all = std::make_shared<Given>(Given{std::move(K), nullptr});
  all->gram = backend().gram(kernels::Precomputed{}, all->K);
  return {all, all->gram.get()};
}

/// All of a Gram matrix.
inline Matrix dense(const compute::Gram& K) { return K.multiply(Matrix::Identity(K.size(), K.size())); }

}  // namespace lacuna::testing
