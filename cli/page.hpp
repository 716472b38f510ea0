// cli/page.hpp -- what the commands that write pages share.
#pragma once

#include <string>
#include <vector>

#include "cli/program.hpp"

namespace lacuna::cli {

/// Throws Error(usage) where this program was built without what pages are made of, saying how to have it.
void require_pages(const std::string& what);
/// The last part of a path; "" for standard input.
std::string file_name(const std::string& path);
/// What was typed, quoted for a shell: the arguments, then the options in the order of the help but these.
std::string command_line(const CLI::App& verb, const std::vector<std::string>& leave_out = {});

}  // namespace lacuna::cli
