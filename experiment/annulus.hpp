// experiment/annulus.hpp -- the kernel Fisher discriminant on the annulus as a picture ([KFD] figure 1): the patterns
// of the problem that its run times are taken on (complexity.hpp), and the discriminant over the plane, whose boundary
// is where it is 0. Kernel and mu are chosen by leave-one-out, as the paper proposes.
#pragma once

#include "experiment/study.hpp"

namespace lacuna {

/// Of the sheet "plane": so many points along each axis, the first axis the slower one.
inline constexpr Index annulus_side = 41;

struct AnnulusPicture {
  Sheet patterns{};  ///< x1, x2, class
  Sheet plane{};     ///< x1, x2, output
  Chart chart{};
  bool interrupted = false;  ///< nothing else is set
};
AnnulusPicture annulus_picture(std::uint64_t seed, const Observer& observer = {});

}  // namespace lacuna
