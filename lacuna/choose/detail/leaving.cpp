#include "lacuna/choose/detail/leaving.hpp"

#include <cmath>

namespace lacuna::detail {
namespace {

constexpr double cannot_win = 1.0;        // standard errors behind the leader
constexpr double cannot_help = 3.0;       // the same for a member of a stack
constexpr double luck = 1.5;              // standard errors by which folds yet to come may be better than those before
constexpr double fewest_to_judge = 30.0;  // rows, or groups

}  // namespace

bool hopeless(const Paired& excess, Effort effort, double times) {
  return excess.count >= fewest_to_judge &&
         excess.mean > times * (effort == Effort::best ? cannot_help : cannot_win) * excess.standard_error;
}

// After a share p of the folds the gain is g with standard error e. Were the rest better than that by c standard errors
// of theirs, it would end at g + c e sqrt(p (1 - p)), with e sqrt(p) to reach.
bool out_of_reach(const Paired& gain, double share) {
  return gain.count >= fewest_to_judge &&
         gain.mean < gain.standard_error * std::sqrt(share) * (1.0 - luck * std::sqrt(1.0 - share));
}

}  // namespace lacuna::detail
