// explain/held_out_machines.hpp -- the machines that never saw a fold, from the one that saw all rows, in closed form
// (method 4, 9). With M = K + lambda diag(1/beta), xi = M^-1 1, Q = M^-1 - xi xi'/(1'xi) and e_F = Q_FF^-1 alpha_F:
//
//   alpha^(-F) = alpha - Q_:F e_F,    b^(-F) = b - xi_F'e_F / 1'xi
//
// Exact for the squared loss at the same hyper-parameters; for other losses one Newton step from the fit of all rows.
// Of a Gaussian process (no border, Q = M^-1) the sites of the other rows stay. Unlike held-out outputs of the rows
// themselves, a machine answers for any row: with a column changed, say. Cost: one factorisation with its inverse for
// each output (squared loss: for all), then a solve for each fold.
#pragma once

#include <string>
#include <vector>

#include "lacuna/data/split.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna {

/// Why a model does not hold what these machines follow from, in words; "" where it does.
std::string no_held_out_machines(const Model& model);

/// One for each fold of the model's rows; they predict as the model does, and have no intervals and no held-out rows.
/// Requires no_held_out_machines(model) == "". Throws Error(numerical) where a matrix cannot be factored.
std::vector<Model> machines_without(const Model& model, const Folds& folds, const Backend& backend = cpu_backend());

}  // namespace lacuna
