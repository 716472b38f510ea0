// export/detail/normal.hpp -- the normal distribution function from plain operators: Erf is single precision in ONNX
// Runtime. With y = |x|/sqrt(2) and t = 2/(2 + y),
//
//   log Phi(-|x|) = log(t/2) - y^2 + P(2 t - 1)
//
// since e^{y^2} erfc(y)/t is smooth in t from 0 (y infinite) to 1 (y = 0): its logarithm P is a Chebyshev series whose
// 28 terms leave 1e-17. One formula for the middle and for tails that no double can hold.
#pragma once

#include "lacuna/export/detail/value.hpp"

namespace lacuna::onnx {

/// log Phi(x), with an error of a few eps beside x^2/2; |x| up to 1e150.
Value log_normal(const Value& x);

}  // namespace lacuna::onnx
