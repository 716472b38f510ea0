// report/work.hpp -- what a fit will take, in a line for people who are about to wait.
#pragma once

#include <string>

#include "lacuna/model/work.hpp"

namespace lacuna {

/// "20000 rows, 10 columns: a basis of up to 800 rows, about 50 s and 0.3 GB of memory; ...".
std::string work_text(const WorkEstimate& work);

/// "40 s", "7 min", "3 h", "2 days": to two digits at most.
std::string about_time(double seconds);

}  // namespace lacuna
