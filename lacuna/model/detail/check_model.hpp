// model/detail/check_model.hpp -- whether the parts of a model fit together, so that prediction and reports need not
// ask again: sizes, indices, finite numbers where arithmetic follows.
#pragma once

#include <string>

#include "lacuna/model/model.hpp"

namespace lacuna::detail {

/// What does not fit, as a sentence, or "" when everything does.
std::string misfit(const Model& model);

}  // namespace lacuna::detail
