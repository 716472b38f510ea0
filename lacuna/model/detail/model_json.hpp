// model/detail/model_json.hpp -- everything in a Model that is not an array, as JSON: task, labels, kernel (as the text
// that parse_kernel reads), lambda, encoding, report. Numbers keep every bit: finite ones as the decimals that read
// back the same, others as "nan", "inf" and "-inf"; texts that are not UTF-8 as {"bytes": hexadecimal}.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lacuna/model/model.hpp"

namespace lacuna::detail {

/// Throws Error(usage) for a kernel that a text cannot describe.
nlohmann::json model_to_json(const Model& model);

/// Fills the same parts of `model`. Throws Error(data), "<source>: ... <part> ...", when a part is absent or of the
/// wrong kind. Does not check that parts fit together (model/detail/check_model.hpp does).
void model_from_json(const nlohmann::json& text, const std::string& source, Model& model);

}  // namespace lacuna::detail
