// model/detail/basis_json.hpp -- the record of a basis in a model file.
#pragma once

#include "lacuna/model/detail/json_node.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna::detail {

nlohmann::json basis_to_json(const FitReport::Basis& basis);
FitReport::Basis basis_from_json(const JsonNode& node);

}  // namespace lacuna::detail
