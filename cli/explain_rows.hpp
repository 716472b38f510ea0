// cli/explain_rows.hpp -- rows of a file to explain or draw a model with.
#pragma once

#include <string>

#include "cli/fit_options.hpp"
#include "lacuna/explain/explain.hpp"

namespace lacuna::cli {

/// Reads and encodes them for the model, with their targets where the file has them. Unless `quiet`, warns of what the
/// file and the encoding say, and of rows that the model was trained on. `verb` begins refusals; `model_path` names the
/// model there.
ExplainRows rows_of_table(const std::string& verb, const std::string& model_path, const std::string& data,
                          const ReadArguments& read, bool quiet, const Model& model);

}  // namespace lacuna::cli
