// report/page/without_search.hpp -- the command that fits the same machine to the same data without a search.
#pragma once

#include <string>
#include <vector>

#include "lacuna/report/page/page.hpp"

namespace lacuna::page {

/// Everything that was chosen is given, to the last digit. "" where no command can: of a stack, of a kernel of the
/// caller's, of columns that a choice sees in another way, of a basis that was found on the way.
std::string command_without_search(const Model& model, const PageOptions& options);

/// Options of columns that the model's file does not name, for rows that were not read from a file: "--weights COL".
std::vector<std::string> options_not_known(const Model& model);

}  // namespace lacuna::page
