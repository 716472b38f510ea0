// Gaussian-process classifiers, and rows for them with a boundary that bends.
#pragma once

#include <string>
#include <vector>

#include "lacuna/model/machine.hpp"
#include "tests/support/problems.hpp"

namespace lacuna {

inline const std::vector<Machine> machines = {gp_laplace_classifier(), gp_laplace_classifier(losses::Probit{}, {}),
                                              gp_ep_classifier(), gp_ep_classifier(std::nullopt)};

struct Sample {
  RowMatrix X, fresh;
  std::vector<std::string> label;
};

inline Sample sample(Index n, int classes = 2) {
  Sample s{testing::random_rows(n, 2, 31), testing::random_rows(25, 2, 32), {}};
  const RowMatrix noise = testing::random_rows(n, 1, 33);
  for (Index i = 0; i < n; ++i) {
    const double where = s.X(i, 0) * s.X(i, 0) + s.X(i, 1) + 0.4 * noise(i, 0);
    s.label.push_back(classes == 2 ? (where > 0.8 ? "yes" : "no") : where > 1.5 ? "c" : where > 0.4 ? "b" : "a");
  }
  return s;
}

}  // namespace lacuna
