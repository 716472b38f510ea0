// compute/reference/features.hpp -- rows through a basis as plain loops: always whitened, never clever.
#pragma once

#include "lacuna/compute/host/features.hpp"

namespace lacuna::compute::reference {

std::shared_ptr<const Features> features(const host::HostBackend& backend, const Kernel& kernel, const RowsView& basis);
/// k(x_i, y_j).
Matrix kernel_matrix(const Kernel& kernel, const RowsView& X, const RowsView& Y);

}  // namespace lacuna::compute::reference
