// compute/reference/features.hpp -- rows through a basis as plain loops: always whitened, never clever.
#pragma once

#include "lacuna/compute/features.hpp"
#include "lacuna/kernel/kernel.hpp"

namespace lacuna::reference {

std::shared_ptr<const Features> features(const Kernel& kernel, const RowsView& basis);

}  // namespace lacuna::reference
