// report/options.hpp -- how messages name options. The library has many front ends and knows the flags of none: where a
// message advises an option it writes `name` or `name=value` in backquotes, and each front end puts it its own way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/base/warning.hpp"

namespace lacuna {

/// For the command line: `max_evaluations=50` becomes --max-evaluations 50. Other text in backquotes stays.
std::string with_flags(std::string_view message);
std::vector<std::string> with_flags(const Warnings& warnings);

}  // namespace lacuna
