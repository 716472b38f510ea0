// model/detail/largest_log_rate.hpp -- how far from 0 the logarithm of a rate may be.
#pragma once

namespace lacuna::detail {

/// Rates far from the data stop at e^-700 and e^700 (about 1e-304 and 1e304): all that follows from them is a number.
inline constexpr double largest_log_rate = 700.0;

}  // namespace lacuna::detail
