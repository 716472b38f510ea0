// model/detail/watched.hpp -- rows that tell the observer how far a pass over them has come. With millions of rows one
// pass takes long enough to be watched, and to be interrupted.
#pragma once

#include "lacuna/base/observer.hpp"
#include "lacuna/data/row_source.hpp"

namespace lacuna::detail {

/// The same rows; without an observer, just those. A pass throws Stopped (base/stopping.hpp) when the observer says no.
RowSource watched(const RowSource& X, const Observer& observer);

}  // namespace lacuna::detail
