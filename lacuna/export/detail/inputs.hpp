// export/detail/inputs.hpp -- from what the caller of an ONNX file has, a table or an array, to encoded rows: missing
// cells filled in as in training, categories as 0 and 1, standardised.
//
//   columns with names, or some of them texts   one input for each column that a feature uses, N x 1, by its name:
//                                               numbers (NaN: missing) or texts ("", NA, N/A, ?, null, NULL: missing)
//   numbers without names, sparse rows          X, N x (columns of the training data but for its target)
//   offset or exposure                          a column too; "offset" or "exposure" beside X
//
// predict refuses, or leaves without prediction, rows with missing cells that it must not fill in, and numbers that are
// too large to be computed with. A graph cannot refuse: it marks such rows, and their outputs will be NaN.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "lacuna/export/detail/value.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna::onnx {

struct Inputs {
  Value encoded;                  ///< N x features
  std::optional<Value> offset{};  ///< N x 1
  Value known;                    ///< N x 1, boolean: there is something to predict from
};

/// Throws Error(usage) where columns have no names, or two have the same.
std::set<std::string> input_names(const Model& model);
Inputs add_inputs(Graph& graph, const Model& model);

}  // namespace lacuna::onnx
